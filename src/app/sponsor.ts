import { readFileSync } from 'node:fs';
import type { SponsorConfig } from '../config/settings/groups/sponsor-settings.ts';
import type { Chain } from '../chain/chain.ts';
import { OperatorError } from '../common/operator-error.ts';
import type { Metrics } from '../common/ports/metrics.ts';
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';
import { waitUnlessUnavailable } from '../common/unavailable.ts';
import type { Address } from '../solana/address.ts';
import { type Keypair, parseKeypairFile } from '../solana/keypair.ts';
import { openStoredBudget, type StoredBudgetOptions } from '../transactions/sponsor/stored-budget.ts';
import { HeldLamports } from '../transactions/sponsor/held-lamports.ts';
import { readAllSponsoredWithinHour } from '../transactions/sponsor/spending.ts';
import type { Sponsor } from '../transactions/sponsor/sponsor.ts';
import type { LowerRooms } from './lower-rooms.ts';
import type { StartContext } from './state/start-context.ts';

export interface OpenSponsorOptions extends StoredBudgetOptions {
  /** The embedded network's own sponsor; null when there is none. */
  readonly own: Keypair | null;
}

/** @throws OperatorError when the file that is named cannot be read, or holds no keypair */
export function openSponsor(config: SponsorConfig, options: OpenSponsorOptions): Sponsor | null {
  const keypair =
    config.keypair === 'own' ? options.own : readNamedKeypair('sponsor-keypair', config.keypair);
  if (keypair === null) return null;
  return {
    keypair,
    budget: openStoredBudget(keypair.address, config.limits, options),
    leastDollars: config.leastDollars,
    feeMints: new Set(config.feeMints),
    held: new HeldLamports(),
  };
}

/** Opens the sponsor of the application, and declares what it holds and may spend. Null: nothing is sponsored. */
export async function openAppSponsor(
  { config, logger, toClose }: StartContext,
  { state: { store }, network, market: { chain } }: Pick<LowerRooms, 'state' | 'network' | 'market'>,
  metrics: Pick<Metrics, 'wallet' | 'budget'>,
): Promise<Sponsor | null> {
  const sponsor = openSponsor(config.sponsor, {
    own: config.production || network.wallets === null ? null : network.wallets.sponsor,
    store,
    timers: SYSTEM_TIMERS,
    onDefect: (error) =>
      logger.error({ err: error }, 'the database does not answer; nothing is sponsored until it does'),
  });
  if (sponsor === null) return null;
  const { address } = sponsor.keypair;
  const { perTaker, inAll } = config.sponsor.limits;
  metrics.wallet({
    name: 'sponsor',
    address,
    meaning:
      'It pays for the transactions of takers who have little or no SOL. While it is empty, they get quotes without a transaction.',
    lamports: await followLamports(chain, address, toClose),
  });
  metrics.budget({
    name: 'sponsored transactions',
    wallet: address,
    window: 'hour',
    limit: inAll,
    limitOfOne: perTaker < inAll ? perTaker : null,
    atLimit:
      'Takers without SOL get quotes without a transaction, until enough of the hour has passed. The settings are sponsor-lamports and sponsor-taker-lamports.',
    readSpent: () => readAllSponsoredWithinHour(store.db, address, store.now),
    held: () => sponsor.held?.total ?? null,
  });
  return sponsor;
}

/** Follows what a wallet holds. Returns a function that returns its lamports; null until the network has said. */
async function followLamports(
  chain: Pick<Chain, 'watchAccounts' | 'getAccounts'>,
  address: Address,
  toClose: StartContext['toClose'],
): Promise<() => bigint | null> {
  let lamports: bigint | null = null;
  const stop = chain.watchAccounts([address], (updates) => {
    for (const { account } of updates) lamports = account?.lamports ?? 0n;
  });
  toClose(stop);
  const read = await waitUnlessUnavailable(chain.getAccounts([address]));
  // What the watch has told since is newer.
  if (read !== null) lamports ??= read[0]?.account?.lamports ?? 0n;
  return () => lamports;
}

/**
 * Reads the keypair file that a setting names.
 * @throws OperatorError when the file cannot be read, or holds no keypair
 */
export function readNamedKeypair(setting: string, named: { readonly file: string } | null): Keypair | null {
  if (named === null) return null;
  const { file } = named;
  try {
    return parseKeypairFile(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${setting}: ${file} cannot be used: ${reason}`);
  }
}
