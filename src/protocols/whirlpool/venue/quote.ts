import type { ChainClock } from '../../../chain/chain.ts';
import type { Address } from '../../../solana/address.ts';
import {
  computeAmountBeforeTransferFee,
  type TransferFeeConfig,
  computeTransferFee,
  getTransferFeeAt,
} from '../../../solana/programs/token/transfer-fee.ts';
import { U64_MAX } from '../../../solana/units.ts';
import type { Quote } from '../../../protocol/venue/venue.ts';
import type { WhirlpoolPool } from './pool.ts';
import { walk } from './walk.ts';

/**
 * Quotes `swap_v2` for at most `amount`. It takes less if the price reaches its bound first.
 *
 * Returns null if the program would refuse, or would take something and pay nothing.
 */
export function quoteExactIn(
  pool: WhirlpoolPool,
  inputMint: Address,
  amount: bigint,
  clock: ChainClock,
): Quote | null {
  const input = tradingSide(pool, inputMint, amount);
  if (input === null) return null;
  const arrived = afterFee(pool.transferFees[input], amount, clock.epoch);
  if (arrived <= 0n) return null;
  const swap = walk(pool, arrived, { aToB: input === 0, exactIn: true }, getSwapTime(pool, clock));
  if (swap === null) return null;
  const output = input === 0 ? 1 : 0;
  const received = afterFee(pool.transferFees[output], swap.amountOut, clock.epoch);
  const sent =
    swap.amountIn === arrived ? amount : beforeFee(pool.transferFees[input], swap.amountIn, clock.epoch);
  if (received <= 0n || sent === null) return null;
  return { inAmount: sent, outAmount: received, feeAmount: swap.fee, feeMint: inputMint };
}

/**
 * Quotes the input that `swap_v2` takes to deliver `amount`.
 *
 * Returns null if the program would refuse, or if the pool's arrays hold less.
 */
export function quoteExactOut(
  pool: WhirlpoolPool,
  inputMint: Address,
  amount: bigint,
  clock: ChainClock,
): Quote | null {
  const input = tradingSide(pool, inputMint, amount);
  if (input === null) return null;
  const output = input === 0 ? 1 : 0;
  const paid = beforeFee(pool.transferFees[output], amount, clock.epoch);
  if (paid === null) return null;
  const swap = walk(pool, paid, { aToB: input === 0, exactIn: false }, getSwapTime(pool, clock));
  const sent = swap === null ? null : beforeFee(pool.transferFees[input], swap.amountIn, clock.epoch);
  if (swap === null || sent === null) return null;
  return { inAmount: sent, outAmount: amount, feeAmount: swap.fee, feeMint: inputMint };
}

/**
 * Returns Unix seconds. A pool is written at the network's time. If the clock is behind that, its update from an outside
 * network arrived after the pool's, and the swap will not be executed earlier than the last one was.
 */
function getSwapTime({ rewardsUpdatedAt }: WhirlpoolPool, { unixTimestamp }: ChainClock): bigint {
  return unixTimestamp < rewardsUpdatedAt ? rewardsUpdatedAt : unixTimestamp;
}

/** Returns the side of the input; null if the mint is not the pool's or the amount is out of range. */
function tradingSide(pool: WhirlpoolPool, mint: Address, amount: bigint): 0 | 1 | null {
  if (amount <= 0n || amount > U64_MAX) return null;
  if (mint === pool.mints[0]) return 0;
  return mint === pool.mints[1] ? 1 : null;
}

function afterFee(config: TransferFeeConfig | null, amount: bigint, epoch: bigint): bigint {
  return config === null ? amount : amount - computeTransferFee(getTransferFeeAt(config, epoch), amount);
}

/**
 * Returns the amount to send for `received` to arrive; null if the two roundings of the fee disagree, in which case the
 * program refuses.
 */
function beforeFee(config: TransferFeeConfig | null, received: bigint, epoch: bigint): bigint | null {
  if (config === null) return received;
  const fee = getTransferFeeAt(config, epoch);
  const enough = computeAmountBeforeTransferFee(fee, received);
  if (enough === null) return null;
  const withheld = computeTransferFee(fee, enough);
  const sent = received + withheld;
  return sent > U64_MAX || computeTransferFee(fee, sent) !== withheld ? null : sent;
}
