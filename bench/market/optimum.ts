import type { Address } from '../../src/solana/address.ts';
import type { SyntheticPool } from './synthetic.ts';

/**
 * Computes an upper bound, in output atoms, of what any way of trading `amount` over these pools can pay. It uses
 * convex duality: give every token a price, let each pool make its most profitable trade at these prices, and value the
 * input at its price. Whatever the prices are, no real trade pays more; the bound is tight at the prices that minimise
 * it, which descent along every group of tokens finds. It shares nothing with the router but the pools' numbers.
 */
export function optimum(
  pools: readonly SyntheticPool[],
  [inputMint, outputMint]: readonly [Address, Address],
  amount: bigint,
): number {
  const tokens = [...new Set(pools.flatMap(({ mints }) => mints))];
  const index = new Map(tokens.map((token, at) => [token, at]));
  const [input, output] = [index.get(inputMint), index.get(outputMint)];
  if (input === undefined || output === undefined) return 0;
  const curves = pools.map(({ mints, reserves, feeRate }) => ({
    one: index.get(mints[0]) as number,
    other: index.get(mints[1]) as number,
    reserves: [Number(reserves[0]), Number(reserves[1])] as const,
    kept: 1 - Number(feeRate) / 1e6,
  }));
  return minimise(curves, tokens.length, input, output, Number(amount));
}

interface Curve {
  readonly one: number;
  readonly other: number;
  readonly reserves: readonly [number, number];
  readonly kept: number;
}

const SWEEPS = 400;
const HALVINGS = 50;
/** The first search covers prices within this factor of the current ones. */
const REACH = 1_000;

/**
 * Descends along every group of tokens whose prices move together. Deep pools tie prices to each other, so descending
 * along one price at a time would be very slow. Along each such line the bound is convex and smooth, so the sign of its
 * slope gives the direction.
 */
function minimise(
  curves: readonly Curve[],
  count: number,
  input: number,
  output: number,
  amount: number,
): number {
  const prices = spotPrices(curves, count, output);
  const groups = subsets(count, output);
  let last = Number.POSITIVE_INFINITY;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const group of groups) descend(curves, prices, group, input, amount);
    const value = bound(curves, prices, input, amount);
    if (last - value < last * 1e-10) return value;
    last = value;
  }
  return last;
}

function subsets(count: number, output: number): readonly (readonly number[])[] {
  const tokens = Array.from({ length: count }, (_, token) => token).filter((token) => token !== output);
  return Array.from({ length: 2 ** tokens.length - 1 }, (_, bits) =>
    tokens.filter((_token, place) => ((bits + 1) >> place) & 1),
  );
}

function descend(
  curves: readonly Curve[],
  prices: number[],
  group: readonly number[],
  input: number,
  amount: number,
): void {
  const before = group.map((token) => prices[token] as number);
  let low = 1 / REACH;
  let high = REACH;
  for (let step = 0; step < HALVINGS; step++) {
    const factor = Math.sqrt(low * high);
    for (const [place, token] of group.entries()) prices[token] = (before[place] as number) * factor;
    let slope = 0;
    for (const [place, token] of group.entries()) {
      const net = curves.reduce(
        (sum, curve) => sum + netTo(curve, prices, token),
        token === input ? amount : 0,
      );
      slope += (before[place] as number) * net;
    }
    if (slope > 0) high = factor;
    else low = factor;
  }
}

/** Returns what the pool's most profitable trade at these prices pays of the token, minus what it takes. */
function netTo(curve: Curve, prices: readonly number[], token: number): number {
  if (curve.one !== token && curve.other !== token) return 0;
  for (const [paid, got, reservePaid, reserveGot] of directions(curve)) {
    const gain = Math.sqrt((prices[got] as number) * reserveGot);
    const cost = Math.sqrt(((prices[paid] as number) * reservePaid) / curve.kept);
    if (gain <= cost) continue;
    const ratio = cost / gain;
    return token === got ? reserveGot * (1 - ratio) : -(reservePaid / curve.kept) * (1 / ratio - 1);
  }
  return 0;
}

function bound(curves: readonly Curve[], prices: readonly number[], input: number, amount: number): number {
  let total = (prices[input] as number) * amount;
  for (const curve of curves) {
    for (const [paid, got, reservePaid, reserveGot] of directions(curve)) {
      const gain = Math.sqrt((prices[got] as number) * reserveGot);
      const cost = Math.sqrt(((prices[paid] as number) * reservePaid) / curve.kept);
      if (gain > cost) total += (gain - cost) ** 2;
    }
  }
  return total;
}

function directions({ one, other, reserves }: Curve) {
  return [
    [one, other, reserves[0], reserves[1]],
    [other, one, reserves[1], reserves[0]],
  ] as const;
}

/** Prices in output atoms, derived from the pools' prices, starting at the output. */
function spotPrices(curves: readonly Curve[], count: number, output: number): number[] {
  const prices = new Array<number>(count).fill(0);
  prices[output] = 1;
  for (let round = 0; round < count; round++) {
    for (const { one, other, reserves } of curves) {
      if (prices[one] === 0 && prices[other] !== 0)
        prices[one] = ((prices[other] ?? 0) * reserves[1]) / reserves[0];
      if (prices[other] === 0 && prices[one] !== 0)
        prices[other] = ((prices[one] ?? 0) * reserves[0]) / reserves[1];
    }
  }
  return prices.map((price) => (price === 0 ? 1e-30 : price));
}
