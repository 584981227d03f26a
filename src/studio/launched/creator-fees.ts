import type { Address } from '../../solana/address.ts';
import { type LaunchReading, type LaunchState, readLaunch } from './read-launch.ts';

/** What trades on a curve have earned its creator, in base units of the quote token. */
export interface CreatorFees {
  /** What the creator can claim now. */
  readonly unclaimed: bigint;
  /** The creator's share of all fees since the launch, claimed or not. */
  readonly total: bigint;
}

/**
 * Reads the fees of the creator of a launch.
 *
 * Returns null if there is no curve at the address.
 *
 * @throws ChainUnavailable when the network does not answer, or an account cannot be decoded.
 */
export async function readCreatorFees(reading: LaunchReading, pool: Address): Promise<CreatorFees | null> {
  const launch = await readLaunch(reading, pool);
  return launch === null ? null : computeCreatorFees(launch);
}

/**
 * The program counts the fees that partner and creator share, without those of the protocol. It rounds the share of each trade down,
 * so the total can be greater than what was paid, by less than one base unit for each trade.
 */
function computeCreatorFees({ pool, config }: LaunchState): CreatorFees {
  const { creatorQuoteFee: unclaimed, metrics } = pool;
  const share = BigInt(config.creatorTradingFeePercentage);
  return { unclaimed, total: (metrics.totalTradingQuoteFee * share) / 100n };
}
