import type { GasConfig } from '../config/settings/groups/gas-settings.ts';
import type { Keypair } from '../solana/keypair.ts';
import { GasWallet, type GasWalletOptions } from '../waiting-orders/fills/gas-wallet.ts';
import { readNamedKeypair } from './sponsor.ts';

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
