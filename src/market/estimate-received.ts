import type { ChainClock } from '../chain/chain.ts';
import type { Address } from '../solana/address.ts';
import {
  type TransferFeeConfig,
  computeTransferFee,
  getTransferFeeAt,
} from '../solana/programs/token/transfer-fee.ts';
import { U64_MAX } from '../solana/units.ts';
import type { PoolHandle } from './pools/liquidity.ts';

/**
 * An amount larger than any pool can pay out. A venue's estimate for it approaches what the pool holds of the output,
 * which is its depth.
 */
export const BEYOND_RESERVES = 1e30;

/**
 * Estimates in floating point what arrives in a wallet for `amount` atoms that leave it, after what both mints withhold
 * from the transfers at the clock's time. The router ranks candidates and shapes splits by it, and then quotes them exactly.
 *
 * @example
 * ```ts
 * import type { ChainClock } from '../chain/chain.ts';
 * import { estimateReceived } from './estimate-received.ts';
 * import type { PoolHandle } from './pools/liquidity.ts';
 *
 * // Whether a million atoms of the pool's first token buy anything.
 * function buysAnything(handle: PoolHandle, clock: ChainClock): boolean {
 *   return estimateReceived(handle, handle.pool.mints[0], 1_000_000, clock) >= 1;
 * }
 * ```
 */
export function estimateReceived(
  { venue, pool }: PoolHandle,
  inputMint: Address,
  amount: number,
  clock: ChainClock,
): number {
  const { transferFees } = pool;
  if (transferFees === undefined || (transferFees[0] === null && transferFees[1] === null)) {
    return venue.estimate(pool, inputMint, amount, clock);
  }
  const side = inputMint === pool.mints[0] ? 0 : 1;
  const arrived = afterTransfer(transferFees[side], amount, clock.epoch);
  if (arrived <= 0) return 0;
  const paid = venue.estimate(pool, inputMint, arrived, clock);
  return Math.max(0, afterTransfer(transferFees[side === 0 ? 1 : 0], paid, clock.epoch));
}

/** Whether a mint of the pool can withhold fees from transfers. It either can as long as it exists, or never. */
export function isCharged({ pool: { transferFees } }: PoolHandle): boolean {
  return transferFees !== undefined && (transferFees[0] !== null || transferFees[1] !== null);
}

/**
 * Whether more input may get a better price there. It does where the pool trades in whole lots, and where the fee that a
 * mint withholds from a transfer can reach its maximum.
 */
export function mayPayMoreForMore({ venue, pool: { transferFees } }: PoolHandle): boolean {
  return venue.wholeLots === true || (transferFees?.some(reachesMaximum) ?? false);
}

const reachesMaximum = (config: TransferFeeConfig | null): boolean =>
  config !== null &&
  [config.older, config.newer].some(
    (fee) => computeTransferFee({ ...fee, maximumFee: U64_MAX }, U64_MAX) > fee.maximumFee,
  );

function afterTransfer(config: TransferFeeConfig | null, amount: number, epoch: bigint): number {
  if (config === null) return amount;
  const { basisPoints, maximumFee } = getTransferFeeAt(config, epoch);
  return amount - Math.min((amount * basisPoints) / 10_000, Number(maximumFee));
}
