import type { Row } from './row.ts';

/** The value below which the share `quantile` of the ascending samples falls. */
export function quantileOf(sorted: readonly number[], quantile: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))] ?? Number.NaN;
}

/** `times` in milliseconds, ascending; `median` and `tail` are the most that the 50th and 99th percentile may take. */
export function latencyRow(what: string, times: readonly number[], median: number, tail: number): Row {
  const [p50, p99] = [quantileOf(times, 0.5), quantileOf(times, 0.99)];
  return {
    what: `${what}: p50 / p99`,
    measured: `${p50.toFixed(2)} ms / ${p99.toFixed(2)} ms`,
    atLeast: `at most ${median} ms / ${tail} ms`,
    ok: p50 <= median && p99 <= tail,
  };
}
