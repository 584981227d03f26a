import { makeLabelsKey } from '../promql/labels.ts';
import type { SeriesValue } from '../promql/series.ts';
import type { AlertCurve } from './watched-alert.ts';

/** Series of one alert whose values are kept. */
const MAX_CURVES = 8;
/** An hour, at a sample every 15 seconds. */
const MAX_POINTS = 240;
const KEPT_MS = 3_600_000;

interface Curve {
  readonly labels: SeriesValue['labels'];
  readonly times: number[];
  readonly values: number[];
}

/** The values that one alert compared in the last hour, for a few of its series. */
export class AlertCurves {
  #curves = new Map<string, Curve>();

  /** @param series - Those that matter most first. Further ones than fit are not kept. */
  add(at: number, series: readonly SeriesValue[]): void {
    const shown = series.slice(0, MAX_CURVES).map((one) => ({ ...one, key: makeLabelsKey(one.labels) }));
    this.#makeRoom(new Set(shown.map(({ key }) => key)));
    for (const { key, labels, value } of shown) {
      const curve = this.#curves.get(key) ?? { labels, times: [], values: [] };
      this.#curves.set(key, curve);
      curve.times.push(at);
      curve.values.push(value);
      if (curve.times.length > MAX_POINTS) {
        curve.times.shift();
        curve.values.shift();
      }
    }
    this.#forgetBefore(at);
  }

  list(): readonly AlertCurve[] {
    return [...this.#curves.values()];
  }

  /** Drops curves that have no value now, until those that have one fit. */
  #makeRoom(shown: ReadonlySet<string>): void {
    const missing = [...shown].filter((key) => !this.#curves.has(key)).length;
    for (const key of this.#curves.keys()) {
      if (this.#curves.size + missing <= MAX_CURVES) return;
      if (!shown.has(key)) this.#curves.delete(key);
    }
  }

  /** A series that ended an hour ago is no longer shown. */
  #forgetBefore(at: number): void {
    for (const [key, { times }] of this.#curves)
      if ((times.at(-1) ?? 0) < at - KEPT_MS) this.#curves.delete(key);
  }
}
