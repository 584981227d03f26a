import type { Labels } from '../../../common/ports/metrics.ts';
import type { MetricValue } from '../../metrics/metric-value.ts';
import { makeLabelsKey } from '../promql/labels.ts';
import type { SeriesSamples, SeriesSource, SeriesValue } from '../promql/series.ts';

export interface SampleHistoryOptions {
  /** Milliseconds between samplings. */
  readonly everyMs: number;
  /** For how many milliseconds the samples of each metric are kept. Other metrics are not kept. */
  readonly keepMs: ReadonlyMap<string, number>;
  /** The most samples of all series together; each takes 12 bytes. Default: a million. */
  readonly maxSamples?: number;
  /** The most series of all metrics together; the labels of each take about 600 bytes. Default: 50,000. */
  readonly maxSeries?: number;
}

/** A series, with its samples by the number of their sampling. */
interface KeptSeries {
  readonly labels: Labels;
  readonly values: Float64Array;
  /** The number of the sampling of each value; -1: none. */
  readonly numbers: Int32Array;
  /** The number of its newest sample. */
  newest: number;
}

/** How long a value counts as the latest one if samplings fail, as in Prometheus. */
const LOOKBACK_MS = 300_000;
const MAX_SAMPLES = 1_000_000;
const MAX_SERIES = 50_000;
const BYTES_PER_SAMPLE = 12;
/** Labels, keys and objects of a series, by measurement. */
const BYTES_PER_SERIES = 600;

/** The samples of the metrics that rules ask for. Its memory is bounded in time and in series. */
export class SampleHistory implements SeriesSource {
  readonly #maxSamples: number;
  readonly #maxSeries: number;
  readonly #series = new Map<string, Map<string, KeptSeries>>();
  /** How many samples a series of each metric has place for. */
  readonly #places: ReadonlyMap<string, number>;
  /** The times of samplings, as a ring. */
  readonly #times: Float64Array;
  #count = 0;
  #used = 0;
  #kept = 0;
  #first: number | null = null;
  #refused: ReadonlySet<string> = new Set();

  constructor({ everyMs, keepMs, maxSamples = MAX_SAMPLES, maxSeries = MAX_SERIES }: SampleHistoryOptions) {
    this.#maxSamples = maxSamples;
    this.#maxSeries = maxSeries;
    this.#places = new Map([...keepMs].map(([metric, ms]) => [metric, Math.ceil(ms / everyMs) + 2]));
    this.#times = new Float64Array(Math.max(2, ...this.#places.values()));
  }

  /** When the first sampling was, in Unix milliseconds; null before it. */
  get firstAt(): number | null {
    return this.#first;
  }

  /** Samplings so far. */
  get samplings(): number {
    return this.#count;
  }

  /** The metrics of which the last sampling had more series than there is place for. */
  get refused(): ReadonlySet<string> {
    return this.#refused;
  }

  /** The kept series, and about how many bytes they take. */
  measure(): { readonly series: number; readonly bytes: number } {
    return { series: this.#kept, bytes: this.#used * BYTES_PER_SAMPLE + this.#kept * BYTES_PER_SERIES };
  }

  /**
   * Adds the samples of one sampling. A series without a sample has ended.
   * @param at - Unix milliseconds. If the clock was set back, all samples of before are dropped, since their times are wrong.
   */
  add(at: number, samples: Iterable<MetricValue>): void {
    if (this.#count > 0 && at <= this.#timeOf(this.#count - 1)) this.#clear();
    const number = this.#count++;
    this.#first ??= at;
    this.#times[number % this.#times.length] = at;
    const refused = new Set<string>();
    for (const sample of samples) {
      if (!this.#places.has(sample.metric)) continue;
      const series = this.#findOrCreate(sample);
      if (series === null) {
        refused.add(sample.metric);
        continue;
      }
      const place = number % series.values.length;
      series.values[place] = sample.value;
      series.numbers[place] = number;
      series.newest = number;
    }
    this.#refused = refused;
    this.#dropEnded(number);
  }

  listLatest(metric: string, at: number): readonly SeriesValue[] {
    const number = this.#findSampling(at);
    if (number === null || this.#timeOf(number) <= at - LOOKBACK_MS) return [];
    return this.#list(metric).flatMap(({ labels, values, numbers }) => {
      const place = number % values.length;
      return numbers[place] === number ? [{ labels, value: values[place] ?? Number.NaN }] : [];
    });
  }

  listSamples(metric: string, from: number, to: number): readonly SeriesSamples[] {
    const last = this.#findSampling(to);
    if (last === null) return [];
    let first = last + 1;
    while (first > this.#oldest && this.#timeOf(first - 1) > from) first--;
    return this.#list(metric).flatMap(({ labels, values, numbers }) => {
      const times: number[] = [];
      const found: number[] = [];
      for (let number = first; number <= last; number++) {
        const place = number % values.length;
        if (numbers[place] !== number) continue;
        times.push(this.#timeOf(number));
        found.push(values[place] ?? Number.NaN);
      }
      return times.length === 0 ? [] : [{ labels, times, values: found }];
    });
  }

  #clear(): void {
    this.#series.clear();
    this.#count = 0;
    this.#used = 0;
    this.#kept = 0;
    this.#first = null;
  }

  #list(metric: string): readonly KeptSeries[] {
    return [...(this.#series.get(metric)?.values() ?? [])];
  }

  get #oldest(): number {
    return Math.max(0, this.#count - this.#times.length);
  }

  #timeOf(number: number): number {
    return this.#times[number % this.#times.length] ?? Number.NaN;
  }

  /** Returns the last sampling at a time or before; null if it is not known any more. */
  #findSampling(at: number): number | null {
    for (let number = this.#count - 1; number >= this.#oldest; number--)
      if (this.#timeOf(number) <= at) return number;
    return null;
  }

  #findOrCreate({ metric, labels }: MetricValue): KeptSeries | null {
    const places = this.#places.get(metric);
    if (places === undefined) return null;
    const ofMetric = this.#series.get(metric) ?? new Map<string, KeptSeries>();
    this.#series.set(metric, ofMetric);
    const key = makeLabelsKey(labels);
    const known = ofMetric.get(key);
    if (known !== undefined) return known;
    if (this.#used + places > this.#maxSamples || this.#kept >= this.#maxSeries) return null;
    this.#used += places;
    this.#kept++;
    const created: KeptSeries = {
      labels,
      values: new Float64Array(places),
      numbers: new Int32Array(places).fill(-1),
      newest: -1,
    };
    ofMetric.set(key, created);
    return created;
  }

  /** Removes the series whose last sample is too old for every range. */
  #dropEnded(number: number): void {
    for (const ofMetric of this.#series.values())
      for (const [key, { newest, values }] of ofMetric) {
        if (number - newest < values.length) continue;
        ofMetric.delete(key);
        this.#used -= values.length;
        this.#kept--;
      }
  }
}
