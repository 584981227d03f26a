import { deriveGraduatedPool } from '../../launches/following/launch-facts.ts';
import type { LaunchDirectory } from '../../launches/launch.ts';
import { deriveDbcPoolAddress } from '../../protocols/meteora-dbc/program/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { LAUNCH_QUOTE_TOKENS } from '../curve/quote-tokens.ts';
import { type LaunchReading, readFirstLaunch } from './read-launch.ts';
import type { LaunchKeys } from '../keys/launch-keys.ts';

/** Where a launched token trades. */
export interface LaunchAddresses {
  /** The curve. */
  readonly curve: Address;
  readonly config: Address;
  /** The pool of DAMM v2 that the liquidity has migrated to; null before, and if it went to another program. */
  readonly graduated: Address | null;
}

export interface LaunchAddressDependencies extends LaunchReading {
  readonly launches: Pick<LaunchDirectory, 'find'>;
  readonly keys: Pick<LaunchKeys, 'deriveConfigAddress'>;
}

/**
 * Finds the addresses of the launch of a mint. What the index of launches knows takes no call of the network. It keeps a bounded
 * number of launches, so the curves that a launch of this gateway would have are looked for as well.
 *
 * Returns null if the mint was not launched on a curve.
 *
 * @throws ChainUnavailable when the network has to be asked and does not answer.
 */
export async function findLaunchAddresses(
  { launches, keys, ...reading }: LaunchAddressDependencies,
  mint: Address,
): Promise<LaunchAddresses | null> {
  const facts = launches.find(mint);
  if (facts !== null) {
    const { pool: curve, config, progress, graduated } = facts;
    if (graduated !== null) return { curve, config, graduated: graduated.pool };
    if (progress !== null) return { curve, config, graduated: null };
  }
  const launch = await readFirstLaunch(
    reading,
    facts === null ? listOwnCurves(keys.deriveConfigAddress(mint), mint) : [facts.pool],
  );
  if (launch === null) return null;
  const { address: curve, pool, config } = launch;
  const graduated = pool.isMigrated === 0 ? null : deriveGraduatedPool(mint, config);
  return { curve, config: pool.config, graduated };
}

/** Returns where the curve of a mint would be if it was launched by this gateway, for each token that launches are traded against. */
function listOwnCurves(config: Address, mint: Address): readonly Address[] {
  return LAUNCH_QUOTE_TOKENS.map((quote) => deriveDbcPoolAddress(config, mint, quote.mint));
}
