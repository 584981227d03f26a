import type { ChainClock } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { U64_MAX } from '../../solana/units.ts';
import type { Quote } from '../../protocol/venue/venue.ts';
import { computeAmplificationAt, computeBalance, computeInvariant } from './curve.ts';
import type { SaberFeeRatio } from './layout.ts';
import type { SaberPool } from './pool.ts';

/**
 * Quotes `swap` for `amount`.
 *
 * Returns null if the program would refuse or pay nothing.
 */
export function quoteExactIn(
  pool: SaberPool,
  inputMint: Address,
  amount: bigint,
  clock: ChainClock,
): Quote | null {
  const curve = createSaberCurve(pool, inputMint, clock);
  return curve === null || amount <= 0n ? null : swapped(curve, amount);
}

/** Quotes the least input that pays at least `amount`, with what it pays, because the program has no exact output. */
export function quoteExactOut(
  pool: SaberPool,
  inputMint: Address,
  amount: bigint,
  clock: ChainClock,
): Quote | null {
  const curve = createSaberCurve(pool, inputMint, clock);
  if (curve === null || amount <= 0n) return null;
  const guess = inputFor(curve, amount);
  if (guess === null) return null;
  return leastPaying(curve, amount, guess);
}

/** One direction of a pool at one moment. */
interface SaberCurve {
  readonly a: bigint;
  readonly d: bigint;
  readonly held: bigint;
  readonly heldOut: bigint;
  readonly trade: SaberFeeRatio;
  readonly adminTrade: SaberFeeRatio;
  readonly feeMint: Address;
}

function createSaberCurve(pool: SaberPool, inputMint: Address, clock: ChainClock): SaberCurve | null {
  const input = pool.mints.indexOf(inputMint);
  if (input !== 0 && input !== 1) return null;
  const output = input === 0 ? 1 : 0;
  const { trade, adminTrade } = pool.fees;
  if (!pool.adminReceives[output] || trade.denominator === 0n || adminTrade.denominator === 0n) return null;
  const a = computeAmplificationAt(pool.amplification, clock.unixTimestamp);
  const [held, heldOut] = [pool.balances[input], pool.balances[output]];
  const d = a === null ? null : computeInvariant(a, held, heldOut);
  if (a === null || d === null) return null;
  return { a, d, held, heldOut, trade, adminTrade, feeMint: pool.mints[output] };
}

/** One atom less than the curve gives, less the fee. The admin's share of the fee comes out of the reserve. */
function swapped(
  { a, d, held, heldOut, trade, adminTrade, feeMint }: SaberCurve,
  amount: bigint,
): Quote | null {
  if (held + amount > U64_MAX) return null;
  const left = computeBalance(a, held + amount, d);
  if (left === null) return null;
  const gross = heldOut - left - 1n;
  if (gross <= 0n) return null;
  const fee = applyRatio(trade, gross);
  const outAmount = gross - fee;
  const adminFee = applyRatio(adminTrade, fee);
  if (outAmount <= 0n || fee > U64_MAX || adminFee > U64_MAX || outAmount + adminFee > heldOut) return null;
  return { inAmount: amount, outAmount, feeAmount: fee, feeMint };
}

/**
 * Returns the input for which the curve, solved for the other side, gives about that output; null if it has no solution.
 */
function inputFor({ a, d, held, heldOut, trade }: SaberCurve, amount: bigint): bigint | null {
  if (trade.numerator >= trade.denominator) return null;
  const gross = (amount * trade.denominator) / (trade.denominator - trade.numerator);
  const left = heldOut - gross - 1n;
  if (left <= 0n) return null;
  const needed = computeBalance(a, left, d);
  if (needed === null) return null;
  return needed > held ? needed - held : 1n;
}

/** Searches from the guess outwards in doubling steps, then by halving. The rounding of two solutions is in between. */
function leastPaying(curve: SaberCurve, amount: bigint, guess: bigint): Quote | null {
  const pays = (input: bigint): Quote | null => {
    const quote = swapped(curve, input);
    return quote === null || quote.outAmount < amount ? null : quote;
  };
  let best = pays(guess);
  let [below, step] = [best === null ? guess : 0n, 1n];
  if (best === null) {
    for (; best === null && curve.held + guess + step <= U64_MAX; step *= 2n) {
      best = pays(guess + step);
      if (best === null) below = guess + step;
    }
  } else {
    for (; guess - step > 0n; step *= 2n) {
      const quote = pays(guess - step);
      if (quote === null) {
        below = guess - step;
        break;
      }
      best = quote;
    }
  }
  while (best !== null && best.inAmount - below > 1n) {
    const middle = (best.inAmount + below) / 2n;
    const quote = pays(middle);
    if (quote === null) below = middle;
    else best = quote;
  }
  return best;
}

function applyRatio({ numerator, denominator }: SaberFeeRatio, amount: bigint): bigint {
  return (amount * numerator) / denominator;
}
