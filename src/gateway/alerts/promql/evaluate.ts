import type { Labels } from '../../../common/ports/metrics.ts';
import { computeBinary } from './binary.ts';
import {
  type Aggregation,
  type Expression,
  matchesAll,
  type RangeCall,
  type Selector,
} from './expression.ts';
import { estimateQuantile, type HistogramBucket } from './histogram-quantile.ts';
import { keepLabels, makeLabelsKey, removeLabel } from './labels.ts';
import { computeOverRange } from './range-functions.ts';
import type { ExpressionValue, SeriesSource, SeriesValue } from './series.ts';

/**
 * Evaluates an expression as Prometheus does. Names of metrics are not kept.
 * @param at - Unix milliseconds.
 * @throws RuleError if the series of two sides do not match one to one
 */
export function evaluateExpression(
  expression: Expression,
  source: SeriesSource,
  at: number,
): ExpressionValue {
  if (expression.kind === 'number') return expression.value;
  if (expression.kind === 'binary')
    return computeBinary(
      expression.operator,
      evaluateExpression(expression.left, source, at),
      evaluateExpression(expression.right, source, at),
    );
  if (expression.kind === 'selector') return evaluateSelector(expression, source, at);
  if (expression.kind === 'range') return evaluateRange(expression, source, at);
  if (expression.kind === 'aggregation')
    return aggregate(expression, toSeries(evaluateExpression(expression.of, source, at)));
  return evaluateQuantile(
    evaluateExpression(expression.quantile, source, at),
    toSeries(evaluateExpression(expression.of, source, at)),
  );
}

function evaluateSelector(
  { metric, matchers }: Selector,
  source: SeriesSource,
  at: number,
): readonly SeriesValue[] {
  return source.listLatest(metric, at).filter(({ labels }) => matchesAll(matchers, labels));
}

function evaluateRange(
  { function: name, of, rangeMs }: RangeCall,
  source: SeriesSource,
  at: number,
): readonly SeriesValue[] {
  const from = at - rangeMs;
  return source.listSamples(of.metric, from, at).flatMap((samples) => {
    if (!matchesAll(of.matchers, samples.labels)) return [];
    const value = computeOverRange(name, samples, from, at);
    return value === null ? [] : [{ labels: samples.labels, value }];
  });
}

function aggregate({ operation, by }: Aggregation, series: readonly SeriesValue[]): readonly SeriesValue[] {
  const groups = new Map<string, { readonly labels: Labels; value: number }>();
  for (const { labels, value } of series) {
    const kept = keepLabels(labels, by);
    const key = makeLabelsKey(kept);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { labels: kept, value });
    else group.value = join(operation, group.value, value);
  }
  return [...groups.values()];
}

function join(operation: Aggregation['operation'], one: number, other: number): number {
  if (operation === 'sum') return one + other;
  // Prometheus leaves out what is not a number, unless there is nothing else.
  if (Number.isNaN(one)) return other;
  if (Number.isNaN(other)) return one;
  return operation === 'min' ? Math.min(one, other) : Math.max(one, other);
}

function evaluateQuantile(quantile: ExpressionValue, series: readonly SeriesValue[]): readonly SeriesValue[] {
  const histograms = new Map<string, { readonly labels: Labels; readonly buckets: HistogramBucket[] }>();
  for (const { labels, value } of series) {
    const bound = toBound(labels.le);
    if (bound === null) continue;
    const own = removeLabel(labels, 'le');
    const key = makeLabelsKey(own);
    const histogram = histograms.get(key) ?? { labels: own, buckets: [] };
    histograms.set(key, histogram);
    histogram.buckets.push({ bound, count: value });
  }
  const share = typeof quantile === 'number' ? quantile : Number.NaN;
  return [...histograms.values()].map(({ labels, buckets }) => ({
    labels,
    value: estimateQuantile(share, buckets),
  }));
}

function toBound(text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  const bound = Number(text);
  return Number.isNaN(bound) ? null : bound;
}

/** The parser has refused numbers where series are needed. */
function toSeries(value: ExpressionValue): readonly SeriesValue[] {
  return typeof value === 'number' ? [] : value;
}
