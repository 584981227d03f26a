import type { Yield } from '../../../protocol/positions/element.ts';

/** Decimal places that values keep, so that a product of doubles does not show its noise. */
const VALUE_DECIMALS = 9;
const DAYS_PER_YEAR = 365;

/** Rounds dollars to nine decimals; null stays null. */
export function roundValue(value: number): number;
export function roundValue(value: number | null): number | null;
export function roundValue(value: number | null): number | null {
  return value === null ? null : Number(value.toFixed(VALUE_DECIMALS));
}

/** The sum of the known values. */
export function sumKnown(values: readonly (number | null)[]): number {
  return values.reduce<number>((sum, value) => (value === null ? sum : sum + value), 0);
}

/** The sum; null if one of the values is unknown. */
export function sumAll(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>(
    (sum, value) => (sum === null || value === null ? null : sum + value),
    0,
  );
}

/** @param apr - A fraction @returns the yield with its daily compounded `apy`. */
export function createYieldFromApr(apr: number): Yield {
  return { apr, apy: (1 + apr / DAYS_PER_YEAR) ** DAYS_PER_YEAR - 1 };
}

/** @param apy - A fraction above -1 @returns the yield with the `apr` that compounds to it daily. */
export function createYieldFromApy(apy: number): Yield {
  return { apy, apr: ((1 + apy) ** (1 / DAYS_PER_YEAR) - 1) * DAYS_PER_YEAR };
}
