import { divideUp } from '../../solana/units.ts';
import { FEE_RATE_DENOMINATOR } from './program/program.ts';

/** The fee rates of a swap in millionths. `creator` is 0 if the pool's creator takes nothing. */
export interface SwapRates {
  readonly trade: bigint;
  readonly creator: bigint;
  readonly protocol: bigint;
  readonly fund: bigint;
  /** Whether the creator is paid in the input token, together with the trade fee. */
  readonly creatorOnInput: boolean;
}

/**
 * The effect of a swap on the pool, before transfer fees. `tradeFee` includes the shares of the protocol and the fund.
 */
export interface CurveSwap {
  readonly input: bigint;
  readonly output: bigint;
  readonly tradeFee: bigint;
  readonly creatorFee: bigint;
  readonly protocolFee: bigint;
  readonly fundFee: bigint;
}

/**
 * Computes what the pool pays for exactly `input`, after fees. Every rounding favours the pool. Reserves must be
 * positive and `input` at least 1.
 *
 * Returns null if fees take everything.
 */
export function swapExactIn(
  input: bigint,
  reserveIn: bigint,
  reserveOut: bigint,
  rates: SwapRates,
): CurveSwap | null {
  const inputFee = divideUp(input * inputRate(rates), FEE_RATE_DENOMINATOR);
  const traded = input - inputFee;
  if (traded <= 0n) return null;
  const gross = (traded * reserveOut) / (reserveIn + traded);
  if (rates.creatorOnInput) return withInputFee(input, gross, inputFee, rates);
  const creatorFee = divideUp(gross * rates.creator, FEE_RATE_DENOMINATOR);
  return { ...withInputFee(input, gross - creatorFee, inputFee, rates), creatorFee };
}

/**
 * Computes what the pool takes to pay exactly `output`, which must be at least 1, including fees.
 *
 * Returns null if the pool does not hold that much.
 */
export function swapExactOut(
  output: bigint,
  reserveIn: bigint,
  reserveOut: bigint,
  rates: SwapRates,
): CurveSwap | null {
  const gross = rates.creatorOnInput ? output : beforeFee(output, rates.creator);
  if (gross >= reserveOut) return null;
  const traded = divideUp(reserveIn * gross, reserveOut - gross);
  const input = beforeFee(traded, inputRate(rates));
  const swap = withInputFee(input, output, input - traded, rates);
  return rates.creatorOnInput ? swap : { ...swap, creatorFee: gross - output };
}

function inputRate({ trade, creator, creatorOnInput }: SwapRates): bigint {
  return creatorOnInput ? trade + creator : trade;
}

/** Divides the fee on the input between the creator, if paid there, and the owners of the trade fee. */
function withInputFee(input: bigint, output: bigint, inputFee: bigint, rates: SwapRates): CurveSwap {
  const rate = inputRate(rates);
  const creatorFee = rates.creatorOnInput && rate > 0n ? (inputFee * rates.creator) / rate : 0n;
  const tradeFee = inputFee - creatorFee;
  return {
    input,
    output,
    tradeFee,
    creatorFee,
    protocolFee: (tradeFee * rates.protocol) / FEE_RATE_DENOMINATOR,
    fundFee: (tradeFee * rates.fund) / FEE_RATE_DENOMINATOR,
  };
}

/** Returns the least amount that leaves `net` after a fee at `rate`, rounded up. */
function beforeFee(net: bigint, rate: bigint): bigint {
  return rate === 0n ? net : divideUp(net * FEE_RATE_DENOMINATOR, FEE_RATE_DENOMINATOR - rate);
}
