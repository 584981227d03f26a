import type { Metrics } from '../common/ports/metrics.ts';
import type { GasConfig } from '../config/settings/groups/gas-settings.ts';
import type { Address } from '../solana/address.ts';
import type { Keypair } from '../solana/keypair.ts';
import type { GasBudget } from '../waiting-orders/fills/gas-budget.ts';
import { GasWallet, type GasWalletOptions } from '../waiting-orders/fills/gas-wallet.ts';
import type { LowerRooms } from './lower-rooms.ts';
import { readNamedKeypair } from './sponsor.ts';
import type { StartContext } from './state/start-context.ts';

export interface OpenGasWalletOptions extends Omit<GasWalletOptions, 'limits'> {
  /** The embedded network's own sponsor; null when there is none. */
  readonly own: Keypair | null;
}

/**
 * Opens the wallet that pays for fills. Returns null if there is none, so that orders are not filled.
 * @throws OperatorError when the file that is named cannot be read, or holds no keypair
 */
export async function openGasWallet(
  { keypair: named, limits }: GasConfig,
  { own, store, chain }: OpenGasWalletOptions,
): Promise<GasWallet | null> {
  const keypair = named === 'own' ? own : readNamedKeypair('gas-keypair', named);
  return keypair === null ? null : GasWallet.open(keypair, { limits, store, chain });
}

/**
 * Opens the wallet that pays for the fills of all orders. Returns null if there is none, or this process fills none.
 * @throws OperatorError when the keypair of the gas wallet cannot be read
 */
export async function openAppGasWallet(
  { config, logger, toClose }: StartContext,
  { state, network, market }: Pick<LowerRooms, 'state' | 'network' | 'market'>,
  { metrics, isKeeper }: { readonly metrics: Metrics; readonly isKeeper: boolean },
): Promise<GasWallet | null> {
  if (!isKeeper) return null;
  const own = config.production || network.wallets === null ? null : network.wallets.sponsor;
  const gasWallet = await openGasWallet(config.gas, { own, store: state.store, chain: market.chain });
  if (gasWallet === null) {
    logger.info(
      'orders that wait are not filled, because no wallet pays for fills: give one with gas-keypair',
    );
    return null;
  }
  toClose(() => gasWallet.close());
  metrics.gauge('sluice_gas_wallet_lamports', 'Lamports of the wallet that pays for fills.', () =>
    Number(gasWallet.lamports() ?? Number.NaN),
  );
  metrics.wallet({
    name: 'gas wallet',
    address: gasWallet.keypair.address,
    meaning:
      'It pays for the fills of orders that wait, for the return of expired invites and for the migration of launches. While it is empty, all of these wait.',
    lamports: () => gasWallet.lamports(),
  });
  addGasBudget(metrics, {
    name: 'fills of orders',
    payer: gasWallet.keypair.address,
    budget: gasWallet.budget,
    atLimit:
      'Orders whose price is reached wait until midnight UTC. The settings are gas-lamports-per-day and gas-wallet-lamports-per-day.',
  });
  return gasWallet;
}

/** Declares a budget of a wallet that pays for fills, for the operator's overview. */
export function addGasBudget(
  metrics: Pick<Metrics, 'budget'>,
  {
    name,
    payer,
    budget,
    atLimit,
  }: {
    readonly name: string;
    readonly payer: Address;
    readonly budget: GasBudget;
    readonly atLimit: string;
  },
): void {
  const { perWallet, inAll } = budget.limits;
  metrics.budget({
    name,
    wallet: payer,
    window: 'day',
    limit: inAll,
    limitOfOne: perWallet < inAll ? perWallet : null,
    atLimit,
    readSpent: () => budget.spentToday(),
    held: () => null,
  });
}
