import { FEE_RATE_DENOMINATOR } from './program.ts';

/** Rates of a swap in millionths; `creator` is 0 where the pool's creator takes nothing. */
export interface SwapRates {
  readonly trade: bigint;
  readonly creator: bigint;
  readonly protocol: bigint;
  readonly fund: bigint;
  /** Whether the creator is paid in the token that comes in, along with the trade fee. */
  readonly creatorOnInput: boolean;
}

/** What a swap does to the pool, before any transfer fee. `tradeFee` includes the protocol's and fund's shares. */
export interface CurveSwap {
  readonly input: bigint;
  readonly output: bigint;
  readonly tradeFee: bigint;
  readonly creatorFee: bigint;
  readonly protocolFee: bigint;
  readonly fundFee: bigint;
}

/**
 * What the pool pays out for exactly `input`, fees taken from it; every rounding favours the pool.
 * Reserves are positive and `input` is at least 1. Null when the fees take everything.
 */
export function swapExactIn(
  input: bigint,
  reserveIn: bigint,
  reserveOut: bigint,
  rates: SwapRates,
): CurveSwap | null {
  const inputFee = ceilDiv(input * inputRate(rates), FEE_RATE_DENOMINATOR);
  const traded = input - inputFee;
  if (traded <= 0n) return null;
  const gross = (traded * reserveOut) / (reserveIn + traded);
  if (rates.creatorOnInput) return withInputFee(input, gross, inputFee, rates);
  const creatorFee = ceilDiv(gross * rates.creator, FEE_RATE_DENOMINATOR);
  return { ...withInputFee(input, gross - creatorFee, inputFee, rates), creatorFee };
}

/**
 * What the pool takes in to pay out exactly `output`, which is at least 1, fees included.
 * Null when the pool does not hold that much.
 */
export function swapExactOut(
  output: bigint,
  reserveIn: bigint,
  reserveOut: bigint,
  rates: SwapRates,
): CurveSwap | null {
  const gross = rates.creatorOnInput ? output : beforeFee(output, rates.creator);
  if (gross >= reserveOut) return null;
  const traded = ceilDiv(reserveIn * gross, reserveOut - gross);
  const input = beforeFee(traded, inputRate(rates));
  const swap = withInputFee(input, output, input - traded, rates);
  return rates.creatorOnInput ? swap : { ...swap, creatorFee: gross - output };
}

function inputRate({ trade, creator, creatorOnInput }: SwapRates): bigint {
  return creatorOnInput ? trade + creator : trade;
}

/** Shares the fee taken from the input among the creator, when it is paid there, and the trade fee's owners. */
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

/** The least amount that leaves `net` once a fee at `rate`, rounded up, is taken from it. */
function beforeFee(net: bigint, rate: bigint): bigint {
  return rate === 0n ? net : ceilDiv(net * FEE_RATE_DENOMINATOR, FEE_RATE_DENOMINATOR - rate);
}

function ceilDiv(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}
