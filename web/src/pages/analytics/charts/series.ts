import type { ChartPoint } from '../../../parts/charts/line-chart.tsx';
import type { AnalyticsReport } from '../source/analytics-shapes.ts';

const MINUTE_MS = 60_000;
/** More elements than an answer has: what claims more is not drawn. */
const MAX_ELEMENTS = 1_500;

/** The beginnings of all elements of a range, also of those without requests. */
export function listElementTimes({
  range: { since, until },
  bucketMinutes,
}: Pick<AnalyticsReport, 'range' | 'bucketMinutes'>): readonly number[] {
  const step = bucketMinutes * MINUTE_MS;
  if (!(step >= MINUTE_MS) || !((until - since) / step <= MAX_ELEMENTS)) return [];
  return Array.from({ length: Math.ceil((until - since) / step) }, (_, index) => since + index * step);
}

/**
 * Lays a series over all elements of a range. An element without requests has none of what is counted.
 *
 * @param elements - Of the range, or of the range before.
 * @param shift - What is added to the times of the elements: the length of the range for those before. Milliseconds.
 * @param toPoint - Returns the value of an element, which is undefined where there were no requests, and its text.
 */
export function buildPoints<Element extends { readonly at: number }>(
  times: readonly number[],
  elements: readonly Element[],
  shift: number,
  toPoint: (element: Element | undefined) => Omit<ChartPoint, 'x'>,
): readonly ChartPoint[] {
  const byTime = new Map(elements.map((element) => [element.at + shift, element]));
  return times.map((x) => ({ x, ...toPoint(byTime.get(x)) }));
}
