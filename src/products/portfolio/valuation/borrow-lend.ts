import type { BorrowLendElement } from '../../../protocol/positions/element.ts';
import { roundValue, sumAll, sumKnown } from './money.ts';
import { computeNetApy, collectOwnYields, collectPlatformYields } from './net-apy.ts';
import { sortWithYields, sortTokens } from './sort.ts';
import { type PricedMints, valueGeneric, valueTokens } from './value-asset.ts';
import type { ValuedBorrowLend, ValuedToken } from './valued.ts';

/** A debt of at most this many dollars is dust and is not shown. */
const DUST_DEBT = 0.002;

type BorrowLendValues = Omit<ValuedBorrowLend, 'fetcherId' | 'platformId' | 'label' | 'name' | 'tags'>;

/** Returns null for a position that holds and owes nothing. */
export function valueBorrowLend(element: BorrowLendElement, mints: PricedMints): BorrowLendValues | null {
  const supplied = valueTokens(element.suppliedAssets, mints);
  const borrowed = valueTokens(element.borrowedAssets, mints);
  const rewards = valueTokens(element.rewardAssets, mints);
  const unsettledAssets = (element.unsettled ?? []).map(valueGeneric);
  const suppliedValue = roundValue(sumAll(supplied.map(({ value }) => value)));
  const borrowedValue = roundValue(sumAll(borrowed.map(({ value }) => value)));
  const rewardValue = roundValue(sumAll(rewards.map(({ value }) => value)));
  if (![...supplied, ...borrowed, ...rewards].some(({ asset }) => asset.amount > 0n)) return null;
  const unsettledValue = roundValue(sumKnown(unsettledAssets.map(({ value }) => value)));
  const value =
    suppliedValue === null || borrowedValue === null
      ? null
      : roundValue(Math.max(suppliedValue - borrowedValue, 0) + (rewardValue ?? 0) + unsettledValue);
  const shown = borrowed.map((asset) => asset.value === null || asset.value > DUST_DEBT);
  const debts = borrowed.filter((_, index) => shown[index]);
  const debtYields = element.borrowedYields.filter((_, index) => shown[index]);
  const sortedSupply = sortWithYields(supplied, element.suppliedYields);
  const sortedDebt = sortWithYields(debts, debtYields);
  const items = [
    ...collectOwnYields(supplied),
    ...collectPlatformYields(supplied, element.suppliedYields, (apy) => apy > 0),
    ...collectPlatformYields(debts, debtYields),
  ];
  return {
    type: 'borrowlend',
    element,
    value,
    suppliedAssets: sortedSupply.assets,
    borrowedAssets: sortedDebt.assets,
    rewardAssets: sortTokens(rewards),
    unsettled: unsettledAssets.length === 0 ? null : { assets: unsettledAssets, value: unsettledValue },
    suppliedValue,
    borrowedValue,
    rewardValue,
    suppliedYields: sortedSupply.yields,
    borrowedYields: sortedDebt.yields,
    healthRatio: computeHealthRatio(element, supplied, borrowed),
    netApy: computeNetApy(items, value),
  };
}

/**
 * The part of the borrowing power that is left: (C - B) / C, where C is the sum of what the supplied values can secure,
 * and B the sum of what the borrowed values count for.
 *
 * Returns 1 without debt; null if a threshold or a value is unknown, or nothing secures the debt.
 */
function computeHealthRatio(
  { liquidationThresholds, borrowWeights }: BorrowLendElement,
  supplied: readonly ValuedToken[],
  borrowed: readonly ValuedToken[],
): number | null {
  if (!borrowed.some(({ asset }) => asset.amount > 0n)) return 1;
  if (liquidationThresholds === null) return null;
  const power = sumAll(
    supplied.map(({ value }, index) => multiplyByWeight(value, liquidationThresholds[index] ?? 0)),
  );
  const debt = sumAll(
    borrowed.map(({ value }, index) => multiplyByWeight(value, borrowWeights?.[index] ?? 1)),
  );
  if (power === null || debt === null || power === 0) return null;
  return (power - debt) / power;
}

function multiplyByWeight(value: number | null, weight: number): number | null {
  return value === null ? null : value * weight;
}
