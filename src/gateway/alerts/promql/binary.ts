import { type BinaryOperator, type ComparisonOperator, isComparison } from './expression.ts';
import { makeLabelsKey } from './labels.ts';
import { RuleError } from './rule-error.ts';
import type { ExpressionValue, SeriesValue } from './series.ts';

/**
 * Joins two values by an operator. Series of two sides are joined where all their labels are equal.
 * @throws RuleError if several series of one side have the same labels
 */
export function computeBinary(
  operator: BinaryOperator,
  left: ExpressionValue,
  right: ExpressionValue,
): ExpressionValue {
  if (typeof left === 'number' && typeof right === 'number')
    return calculate(operator, left, right) ?? Number.NaN;
  if (typeof left === 'number')
    return mapSeries(right as readonly SeriesValue[], (value) => calculate(operator, left, value, value));
  if (typeof right === 'number') return mapSeries(left, (value) => calculate(operator, value, right));
  const others = indexByLabels(right);
  indexByLabels(left);
  return left.flatMap(({ labels, value }) => {
    const other = others.get(makeLabelsKey(labels));
    const result = other === undefined ? null : calculate(operator, value, other);
    return result === null ? [] : [{ labels, value: result }];
  });
}

/** Whether a comparison holds. Nothing but `!=` holds for what is not a number. */
export function compareNumbers(operator: ComparisonOperator, left: number, right: number): boolean {
  if (operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  if (operator === '>') return left > right;
  if (operator === '<') return left < right;
  return operator === '>=' ? left >= right : left <= right;
}

/** @param kept - What a comparison that holds leaves. Default: its left side. Returns null if the comparison does not hold. */
function calculate(operator: BinaryOperator, left: number, right: number, kept = left): number | null {
  if (isComparison(operator)) return compareNumbers(operator, left, right) ? kept : null;
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  return operator === '*' ? left * right : left / right;
}

function mapSeries(
  series: readonly SeriesValue[],
  compute: (value: number) => number | null,
): readonly SeriesValue[] {
  return series.flatMap(({ labels, value }) => {
    const result = compute(value);
    return result === null ? [] : [{ labels, value: result }];
  });
}

function indexByLabels(series: readonly SeriesValue[]): ReadonlyMap<string, number> {
  const index = new Map<string, number>();
  for (const { labels, value } of series) {
    const key = makeLabelsKey(labels);
    if (index.has(key)) throw new RuleError('several series on one side of an operator have the same labels');
    index.set(key, value);
  }
  return index;
}
