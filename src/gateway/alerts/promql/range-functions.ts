import type { RangeFunction } from './expression.ts';
import type { SeriesSamples } from './series.ts';

/**
 * Computes `rate`, `increase` or `delta` of one series as Prometheus 3 does. The change between the first and the last
 * sample is extrapolated towards both ends of the range: to an end that is closer than 1.1 times the usual distance of
 * samples, otherwise by half that distance. A counter is not extrapolated beyond where it would have been zero, and a
 * value that is smaller than the one before means that it began again at zero.
 *
 * Source: `extrapolatedRate` in promql/functions.go of Prometheus.
 *
 * @param from - Where the range begins, in Unix milliseconds.
 * @param to - Where it ends.
 * @returns the result, or null if there are fewer than two samples
 */
export function computeOverRange(
  name: RangeFunction,
  { times, values }: Pick<SeriesSamples, 'times' | 'values'>,
  from: number,
  to: number,
): number | null {
  const first = values[0];
  const last = values.at(-1);
  const firstAt = times[0];
  const lastAt = times.at(-1);
  if (values.length < 2 || first === undefined || last === undefined) return null;
  if (firstAt === undefined || lastAt === undefined) return null;
  const change = last - first + (name === 'delta' ? 0 : sumBeforeResets(values));
  const sampledMs = lastAt - firstAt;
  const distance = sampledMs / (values.length - 1);
  const limit = (gap: number) => (gap >= distance * 1.1 ? distance / 2 : gap);
  let toStart = limit(firstAt - from);
  if (name !== 'delta' && change > 0 && first >= 0) toStart = Math.min(toStart, sampledMs * (first / change));
  const extrapolated = change * ((sampledMs + toStart + limit(to - lastAt)) / sampledMs);
  return name === 'rate' ? extrapolated / ((to - from) / 1_000) : extrapolated;
}

/** Returns the sum of the values after which a counter began again at zero. */
function sumBeforeResets(values: readonly number[]): number {
  let sum = 0;
  let before = 0;
  for (const value of values) {
    if (value < before) sum += before;
    before = value;
  }
  return sum;
}
