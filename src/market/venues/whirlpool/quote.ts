import type { ChainClock } from '../../../chain/chain.ts';
import type { Address } from '../../../solana/address.ts';
import {
  amountBeforeTransferFee,
  type TransferFeeConfig,
  transferFee,
  transferFeeAt,
} from '../../../solana/programs/token/transfer-fee.ts';
import { U64_MAX } from '../../../solana/units.ts';
import type { Quote } from '../../venue.ts';
import type { WhirlpoolPool } from './pool.ts';
import { walk } from './walk.ts';

/**
 * What `swap_v2` pays for at most `amount`: it takes less when the price reaches its bound first. Null where it
 * refuses, and where it would take something and pay nothing.
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
  const swap = walk(pool, arrived, { aToB: input === 0, exactIn: true }, timeOf(pool, clock));
  if (swap === null) return null;
  const output = input === 0 ? 1 : 0;
  const received = afterFee(pool.transferFees[output], swap.amountOut, clock.epoch);
  const sent =
    swap.amountIn === arrived ? amount : beforeFee(pool.transferFees[input], swap.amountIn, clock.epoch);
  if (received <= 0n || sent === null) return null;
  return { inAmount: sent, outAmount: received, feeAmount: swap.fee, feeMint: inputMint };
}

/** What `swap_v2` takes to deliver `amount`; null where it refuses, or where the pool's arrays hold less. */
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
  const swap = walk(pool, paid, { aToB: input === 0, exactIn: false }, timeOf(pool, clock));
  const sent = swap === null ? null : beforeFee(pool.transferFees[input], swap.amountIn, clock.epoch);
  if (swap === null || sent === null) return null;
  return { inAmount: sent, outAmount: amount, feeAmount: swap.fee, feeMint: inputMint };
}

/**
 * Unix seconds. A pool is written at the network's time, so that a clock which is behind is one whose news from an outside
 * network came after the pool's: the swap will be executed no earlier than the last one was.
 */
function timeOf({ rewardsUpdatedAt }: WhirlpoolPool, { unixTimestamp }: ChainClock): bigint {
  return unixTimestamp < rewardsUpdatedAt ? rewardsUpdatedAt : unixTimestamp;
}

/** The side that the input is on, when the amount is one. */
function tradingSide(pool: WhirlpoolPool, mint: Address, amount: bigint): 0 | 1 | null {
  if (amount <= 0n || amount > U64_MAX) return null;
  if (mint === pool.mints[0]) return 0;
  return mint === pool.mints[1] ? 1 : null;
}

function afterFee(config: TransferFeeConfig | null, amount: bigint, epoch: bigint): bigint {
  return config === null ? amount : amount - transferFee(transferFeeAt(config, epoch), amount);
}

/** What has to be sent for `received` to arrive; the program refuses where the two roundings of the fee disagree. */
function beforeFee(config: TransferFeeConfig | null, received: bigint, epoch: bigint): bigint | null {
  if (config === null) return received;
  const fee = transferFeeAt(config, epoch);
  const enough = amountBeforeTransferFee(fee, received);
  if (enough === null) return null;
  const withheld = transferFee(fee, enough);
  const sent = received + withheld;
  return sent > U64_MAX || transferFee(fee, sent) !== withheld ? null : sent;
}
