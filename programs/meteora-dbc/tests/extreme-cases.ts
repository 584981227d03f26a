import fc from 'fast-check';
import type { DbcConfigParameters } from '../../../src/protocols/meteora-dbc/program/config-parameters.ts';
import type { DbcCurvePoint } from '../../../src/protocols/meteora-dbc/program/config-terms.ts';
import {
  MAX_DBC_SQRT_PRICE,
  MIN_DBC_SQRT_PRICE,
} from '../../../src/protocols/meteora-dbc/program/program.ts';
import { configCase } from './cases.ts';

/** A root price is this many bits away from the bound. */
const distance = fc.oneof(fc.constant(0n), fc.bigInt(1n, 16n));
/** How much higher each part of a curve ends than it begins, in thousandths. */
const rises = fc.array(fc.oneof(fc.bigInt(1n, 1_000n), fc.bigInt(1_000n, 1_000_000n)), {
  minLength: 1,
  maxLength: 4,
});

/** Curves that begin at or near the lowest price, and sell up to 2^60 base atoms for very few quote atoms. */
const lowest = fc
  .record({ distance, rises, sold: fc.bigInt(30n, 60n), share: fc.bigInt(1n, 1_000n) })
  .map(({ distance, rises, sold, share }) => {
    const prices = climb(MIN_DBC_SQRT_PRICE << distance, rises);
    const ofPart = (1n << sold) / BigInt(rises.length);
    return toTerms(prices, share, (lower, upper) => (ofPart * lower * upper) / (upper - lower));
  });

/** Curves that end at or near the highest price, and sell very few base atoms for up to 2^58 quote atoms. */
const highest = fc
  .record({ distance, rises, raised: fc.bigInt(20n, 58n), share: fc.bigInt(1n, 1_000n) })
  .map(({ distance, rises, raised, share }) => {
    const prices = descend(MAX_DBC_SQRT_PRICE >> distance, rises);
    const ofPart = (1n << raised) / BigInt(rises.length);
    return toTerms(prices, share, (lower, upper) => (ofPart << 128n) / (upper - lower));
  });

/** Terms of every kind on such curves. The program refuses those whose amounts it cannot hold. */
export const extremeConfigCase: fc.Arbitrary<DbcConfigParameters> = fc
  .tuple(configCase, fc.oneof(lowest, highest))
  .map(([terms, curve]) => ({ ...terms, ...curve }));

function climb(start: bigint, rises: readonly bigint[]): bigint[] {
  const prices = [start];
  for (const rise of rises) {
    const from = prices.at(-1) ?? start;
    prices.push(from + (from * rise) / 1_000n + 1n);
  }
  return prices;
}

function descend(end: bigint, rises: readonly bigint[]): bigint[] {
  const prices = [end];
  for (const rise of rises) prices.push(((prices.at(-1) ?? end) * 1_000n) / (1_000n + rise) - 1n);
  return prices.reverse();
}

function toTerms(
  prices: readonly bigint[],
  share: bigint,
  liquidityOf: (lower: bigint, upper: bigint) => bigint,
): Pick<DbcConfigParameters, 'sqrtStartPrice' | 'curve' | 'migrationQuoteThreshold'> {
  const [start = 0n, ...ends] = prices;
  const curve: DbcCurvePoint[] = ends.map((sqrtPrice, i) => {
    return { sqrtPrice, liquidity: liquidityOf(prices[i] ?? 0n, sqrtPrice) };
  });
  const raised = curve.reduce(
    (sum, { sqrtPrice, liquidity }, i) => sum + ((liquidity * (sqrtPrice - (prices[i] ?? 0n))) >> 128n),
    0n,
  );
  return { sqrtStartPrice: start, curve, migrationQuoteThreshold: (raised * share) / 1_000n + 1n };
}
