import { extent } from 'd3-array';
import { scaleLinear, scaleUtc } from 'd3-scale';

/** A range of coordinates, the smaller one first. */
export type ChartRange = readonly [from: number, to: number];

/** A line of an axis: where it is in pixels, and its text. */
export interface ChartTick {
  readonly at: number;
  readonly text: string;
}

/** An axis: where a value is drawn, where a pixel is among the values, and the lines that are labelled. */
export interface ChartAxis {
  readonly toPixel: (value: number) => number;
  readonly toValue: (pixel: number) => number;
  readonly ticks: readonly ChartTick[];
}

/** Pixels that a letter of a label takes, with some room to spare. */
const LETTER_WIDTH = 7;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Returns the range of values with some room around them. Values that are no finite numbers are left out; equal values get a
 * range around them, so that they are drawn in the middle.
 *
 * @param share - The room on each side as a share of the range. Default: 0.06.
 */
export function computeRange(values: Iterable<number>, share = 0.06): ChartRange {
  const [from, to] = extent([...values].filter(Number.isFinite));
  if (from === undefined || to === undefined) return [0, 1];
  if (from === to) {
    const half = from === 0 ? 1 : Math.abs(from) * Math.max(share, 0.01);
    return [from - half, from + half];
  }
  const room = (to - from) * share;
  return [from - room, to + room];
}

/** Returns the range of some times, at least a minute long, that ends with the last one. */
export function computeTimeRange(times: readonly number[]): ChartRange {
  const [from = 0, to = 0] = extent(times);
  return [Math.min(from, to - MINUTE_MS), to];
}

/** Builds an axis of numbers. @param formatTick - Default: as many digits as the lines need to differ. */
export function buildNumberAxis(
  range: ChartRange,
  pixels: ChartRange,
  count: number,
  formatTick?: (value: number) => string,
): ChartAxis {
  const scale = scaleLinear(range, pixels);
  const formatPlain = scale.tickFormat(count);
  const format = formatTick ?? ((value: number) => formatPlain(value).replaceAll(',', '\u202f'));
  return {
    toPixel: (value) => scale(value),
    toValue: (pixel) => scale.invert(pixel),
    ticks: scale.ticks(count).map((value) => ({ at: scale(value), text: format(value) })),
  };
}

/** Builds an axis of times, in milliseconds of the Unix epoch. The texts are of UTC. */
export function buildTimeAxis(range: ChartRange, pixels: ChartRange, count: number): ChartAxis {
  const scale = scaleUtc(range, pixels);
  const ticks = scale.ticks(count);
  const step = ticks.length > 1 ? Number(ticks[1]) - Number(ticks[0]) : range[1] - range[0];
  return {
    toPixel: (value) => scale(value),
    toValue: (pixel) => Number(scale.invert(pixel)),
    ticks: ticks.map((time) => ({ at: scale(time), text: formatTick(time, step) })),
  };
}

/** Formats a time of a chart with its date, in UTC. */
export function formatChartTime(ms: number): string {
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15
    ? `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`
    : 'an unknown time';
}

/** Returns the index of the coordinate that is nearest to one; null if there is none. @param sorted - Ascending. */
export function findNearest(sorted: readonly number[], at: number): number | null {
  let [low, high] = [0, sorted.length - 1];
  if (high < 0) return null;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= at) low = middle;
    else high = middle;
  }
  return Math.abs((sorted[high] ?? 0) - at) < Math.abs((sorted[low] ?? 0) - at) ? high : low;
}

/** Returns the pixels that the longest of some labels takes. */
export function measureLabels(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length)) * LETTER_WIDTH;
}

function formatTick(time: Date, step: number): string {
  const text = time.toISOString();
  if (step >= DAY_MS) return text.slice(5, 10);
  return step >= MINUTE_MS ? text.slice(11, 16) : text.slice(11, 19);
}
