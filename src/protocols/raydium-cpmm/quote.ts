import type { ChainClock } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import {
  computeAmountBeforeTransferFee,
  type TransferFee,
  type TransferFeeConfig,
  computeTransferFee,
  getTransferFeeAt,
} from '../../solana/programs/token/transfer-fee.ts';
import { U64_MAX } from '../../solana/units.ts';
import type { Quote } from '../../protocol/venue/venue.ts';
import { type CurveSwap, swapExactIn, swapExactOut } from './curve.ts';
import { PoolStatus } from './program/layout.ts';
import type { RaydiumCpmmPool } from './pool.ts';

/**
 * Quotes `swap_base_input` for `amount`.
 *
 * Returns null if the program would refuse: the mint is not the pool's, zero in or out, swaps are disabled or not open
 * yet, or an amount that no token account can hold.
 */
export function quoteExactIn(
  pool: RaydiumCpmmPool,
  inputMint: Address,
  amount: bigint,
  clock: ChainClock,
): Quote | null {
  const input = tradingSide(pool, inputMint, amount, clock);
  if (input === null) return null;
  const output = other(input);
  const arrived = afterFee(pool.transferFees[input], amount, clock.epoch);
  if (arrived <= 0n || held(pool, input) + arrived > U64_MAX) return null;
  const swap = swapExactIn(arrived, pool.reserves[input], pool.reserves[output], pool.rates[input]);
  if (swap === null || swap.output <= 0n) return null;
  const received = afterFee(pool.transferFees[output], swap.output, clock.epoch);
  return received <= 0n ? null : createRaydiumQuote(pool, input, amount, received, swap);
}

/**
 * Quotes the input that `swap_base_output` takes to deliver `amount`.
 *
 * Returns null if the program would refuse, or if the pool holds less.
 */
export function quoteExactOut(
  pool: RaydiumCpmmPool,
  inputMint: Address,
  amount: bigint,
  clock: ChainClock,
): Quote | null {
  const input = tradingSide(pool, inputMint, amount, clock);
  if (input === null) return null;
  const output = other(input);
  const paid = beforeFee(pool.transferFees[output], amount, clock.epoch);
  if (paid === null) return null;
  const swap = swapExactOut(paid, pool.reserves[input], pool.reserves[output], pool.rates[input]);
  if (swap === null || held(pool, input) + swap.input > U64_MAX) return null;
  const sent = beforeFee(pool.transferFees[input], swap.input, clock.epoch);
  return sent === null ? null : createRaydiumQuote(pool, input, sent, amount, swap);
}

/** Returns the side of the input; null if the pool does not swap now or the amount is out of range. */
function tradingSide(pool: RaydiumCpmmPool, mint: Address, amount: bigint, clock: ChainClock): 0 | 1 | null {
  if (amount <= 0n || amount > U64_MAX) return null;
  if ((pool.status & PoolStatus.SWAP_OFF) !== 0 || clock.unixTimestamp < pool.openTime) return null;
  if (mint === pool.mints[0]) return 0;
  return mint === pool.mints[1] ? 1 : null;
}

function other(side: 0 | 1): 0 | 1 {
  return side === 0 ? 1 : 0;
}

function afterFee(config: TransferFeeConfig | null, amount: bigint, epoch: bigint): bigint {
  return config === null ? amount : amount - computeTransferFee(getTransferFeeAt(config, epoch), amount);
}

function beforeFee(config: TransferFeeConfig | null, amount: bigint, epoch: bigint): bigint | null {
  if (config === null) return amount;
  const fee: TransferFee = getTransferFeeAt(config, epoch);
  return computeAmountBeforeTransferFee(fee, amount);
}

/** Only the fee on the input counts: a creator fee on the output has already lowered `outAmount`. */
function createRaydiumQuote(
  pool: RaydiumCpmmPool,
  input: 0 | 1,
  inAmount: bigint,
  outAmount: bigint,
  { tradeFee, creatorFee }: CurveSwap,
): Quote {
  const onInput = pool.rates[input].creatorOnInput ? creatorFee : 0n;
  return { inAmount, outAmount, feeAmount: tradeFee + onInput, feeMint: pool.mints[input] };
}

/** The vault's balance. A transfer that would take it beyond u64 fails. */
function held({ reserves, owed }: RaydiumCpmmPool, side: 0 | 1): bigint {
  return reserves[side] + owed[side];
}
