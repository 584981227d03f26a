import type { Labels } from '../../../common/ports/metrics.ts';

/** Compares one label of a series. A label that a series does not have is the empty text. */
export interface LabelMatcher {
  readonly label: string;
  readonly matches: (value: string) => boolean;
}

/** All series of a metric whose labels match: `sluice_part_up{part="keeper"}`. */
export interface Selector {
  readonly kind: 'selector';
  readonly metric: string;
  readonly matchers: readonly LabelMatcher[];
}

/** A function over the samples of a time before now: `rate(sluice_http_requests_total[5m])`. */
export interface RangeCall {
  readonly kind: 'range';
  readonly function: RangeFunction;
  readonly of: Selector;
  readonly rangeMs: number;
}

/** Series joined by the labels that are named: `sum by (instance) (...)`. */
export interface Aggregation {
  readonly kind: 'aggregation';
  readonly operation: AggregationOperation;
  readonly by: readonly string[];
  readonly of: Expression;
}

/** A quantile of histograms, by their series `..._bucket`. */
export interface QuantileCall {
  readonly kind: 'quantile';
  /** A number from 0 to 1. */
  readonly quantile: Expression;
  readonly of: Expression;
}

/** Two expressions joined by an operator. A comparison of series keeps those for which it holds. */
export interface BinaryExpression {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

/** An expression of PromQL, as far as rules of alerts use it. */
export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | Selector
  | RangeCall
  | Aggregation
  | QuantileCall
  | BinaryExpression;

export const RANGE_FUNCTIONS = ['rate', 'increase', 'delta'] as const;
export type RangeFunction = (typeof RANGE_FUNCTIONS)[number];

export const AGGREGATIONS = ['sum', 'min', 'max'] as const;
export type AggregationOperation = (typeof AGGREGATIONS)[number];

export const COMPARISONS = ['==', '!=', '>=', '<=', '>', '<'] as const;
export type ComparisonOperator = (typeof COMPARISONS)[number];
export type BinaryOperator = ComparisonOperator | '+' | '-' | '*' | '/';

/** Whether an operator keeps or leaves out series, instead of computing with them. */
export function isComparison(operator: BinaryOperator): operator is ComparisonOperator {
  return (COMPARISONS as readonly string[]).includes(operator);
}

/** Whether an expression is one number, and not a list of series. */
export function isScalar(expression: Expression): boolean {
  if (expression.kind === 'number') return true;
  return expression.kind === 'binary' && isScalar(expression.left) && isScalar(expression.right);
}

/** Calls `visit` with each selector of an expression, and the range over which it is read; 0: its latest samples. */
export function visitSelectors(
  expression: Expression,
  visit: (selector: Selector, rangeMs: number) => void,
): void {
  if (expression.kind === 'number') return;
  if (expression.kind === 'selector') visit(expression, 0);
  else if (expression.kind === 'range') visit(expression.of, expression.rangeMs);
  else if (expression.kind === 'binary') {
    visitSelectors(expression.left, visit);
    visitSelectors(expression.right, visit);
  } else visitSelectors(expression.of, visit);
}

/** Whether the labels of a series match all matchers. */
export function matchesAll(matchers: readonly LabelMatcher[], labels: Labels): boolean {
  return matchers.every(({ label, matches }) => matches(labels[label] ?? ''));
}
