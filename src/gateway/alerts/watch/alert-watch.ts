import { repeatFromNow, type Timers, waitWithin } from '../../../common/ports/timers.ts';
import type { MetricValue } from '../../metrics/metric-value.ts';
import type { MetricReader } from '../../metrics/read-metrics.ts';
import { SampleHistory } from '../history/sample-history.ts';
import type { AlertPlan, AlertRule } from '../rules/rule-file.ts';
import { AlertRuleState } from './alert-states.ts';
import type { AlertCurve, AlertState, UnknownReason, WatchedAlert } from './watched-alert.ts';

export interface AlertWatchOptions {
  readonly rules: readonly AlertRule[];
  /** The file that the rules came from, for display. */
  readonly source: string;
  /** The metrics of the instance. */
  readonly metrics: MetricReader;
  /** What Prometheus would name the instance. Called when it is sampled. */
  readonly getInstanceName: () => string;
  readonly timers: Timers;
  /** Lets other work run. Called between rules. */
  readonly pause: () => Promise<void>;
  /** Called when an alert begins to fire, or no longer does. */
  readonly onChange: (alert: WatchedAlert) => void;
  readonly onDefect: (error: unknown) => void;
}

/** What the last evaluation found. */
export interface AlertsSnapshot {
  readonly source: string;
  readonly everyMs: number;
  /** Unix milliseconds; null before the first evaluation. */
  readonly evaluatedAt: number | null;
  /** When the first sample was taken; null before it. */
  readonly sampledSince: number | null;
  readonly alerts: readonly WatchedAlert[];
  readonly counts: Readonly<Record<AlertState, number>>;
  /** Series in memory, and about how many bytes they take. */
  readonly series: number;
  readonly bytes: number;
}

/** What Prometheus calls whether it could read the metrics of a target. */
const UP = 'up';
const JOB = 'sluice';
const EVERY_MS = 15_000;
/** As long as Prometheus waits by default. */
const READ_WITHIN_MS = 10_000;

/** Samples the metrics that the rules ask for, and evaluates the rules after each sample. */
export class AlertWatch {
  readonly #options: AlertWatchOptions;
  readonly #history: SampleHistory;
  readonly #states: readonly AlertRuleState[];
  readonly #metrics: ReadonlySet<string>;
  /** A reading that is under way. */
  #reading: Promise<readonly MetricValue[]> | null = null;
  #stop = () => {};
  #snapshot: AlertsSnapshot;

  constructor(options: AlertWatchOptions) {
    this.#options = options;
    const reads = joinReads(options.rules);
    this.#history = new SampleHistory({ everyMs: EVERY_MS, keepMs: reads });
    this.#metrics = new Set([...reads.keys()].filter((metric) => metric !== UP));
    this.#states = options.rules.map((rule) => new AlertRuleState(rule));
    this.#snapshot = this.#takeSnapshot(null);
  }

  /** Begins to sample: at once, and then every 15 seconds. Resolves after the first evaluation. */
  start(): Promise<void> {
    const { timers, onDefect } = this.#options;
    const { first, stop } = repeatFromNow(EVERY_MS, () => this.#run(), timers, onDefect);
    this.#stop = stop;
    return first;
  }

  stop(): void {
    this.#stop();
  }

  /** Returns what the last evaluation found. Nothing is evaluated for it. */
  read(): AlertsSnapshot {
    return this.#snapshot;
  }

  /** Returns the values that an alert compared over the last hour, by series; null if there is no such alert. */
  listCurves(name: string): readonly AlertCurve[] | null {
    return this.#states.find(({ rule }) => rule.name === name)?.listCurves() ?? null;
  }

  async #run(): Promise<void> {
    const { timers, pause, onChange } = this.#options;
    const samples = await this.#sample();
    const at = timers.now();
    this.#history.add(at, samples);
    const changed: AlertRuleState[] = [];
    for (const state of this.#states) {
      const before = state.state;
      state.evaluate(this.#history, at, this.#findReason(state.rule));
      if ((before === 'firing') !== (state.state === 'firing')) changed.push(state);
      await pause();
    }
    this.#snapshot = this.#takeSnapshot(at);
    for (const state of changed) onChange(state.view());
  }

  /** Reads the metrics as a scrape does: what does not answer in time is down, and has no series. */
  async #sample(): Promise<readonly MetricValue[]> {
    const { metrics, getInstanceName, timers, onDefect } = this.#options;
    const instance = getInstanceName();
    // A reading that takes longer than the interval is not begun a second time.
    this.#reading ??= metrics.read(this.#metrics).finally(() => {
      this.#reading = null;
    });
    const read = await waitWithin(this.#reading, READ_WITHIN_MS, timers).catch((error: unknown) => {
      onDefect(error);
      return undefined;
    });
    const up: MetricValue = { metric: UP, labels: {}, value: read === undefined ? 0 : 1 };
    return [up, ...(read ?? [])].map(({ metric, labels, value }) => ({
      metric,
      labels: { ...labels, instance, job: JOB },
      value,
    }));
  }

  #findReason({ plan }: AlertRule): UnknownReason | null {
    if ('refusal' in plan) return null;
    const names = [...plan.reads.keys()];
    const missing = names.filter((metric) => metric !== UP && !this.#options.metrics.hasMetric(metric));
    if (missing.length > 0) return { kind: 'metric', metrics: missing };
    const refused = names.filter((metric) => this.#history.refused.has(metric));
    if (refused.length > 0) return { kind: 'series', metrics: refused };
    if (this.#history.samplings > 1 || findLongestRange(plan) === 0) return null;
    const { firstAt } = this.#history;
    return { kind: 'history', from: firstAt === null ? null : firstAt + EVERY_MS };
  }

  #takeSnapshot(evaluatedAt: number | null): AlertsSnapshot {
    const alerts = this.#states.map((state) => state.view());
    const counts = { firing: 0, pending: 0, quiet: 0, unknown: 0 };
    for (const { state } of alerts) counts[state]++;
    return {
      source: this.#options.source,
      everyMs: EVERY_MS,
      evaluatedAt,
      sampledSince: this.#history.firstAt,
      alerts,
      counts,
      ...this.#history.measure(),
    };
  }
}

/** Returns the longest range in milliseconds over which a rule reads samples; 0: it reads the latest ones only. */
export function findLongestRange({ reads }: AlertPlan): number {
  return Math.max(0, ...reads.values());
}

function joinReads(rules: readonly AlertRule[]): ReadonlyMap<string, number> {
  const reads = new Map<string, number>();
  for (const { plan } of rules) {
    if ('refusal' in plan) continue;
    for (const [metric, range] of plan.reads) reads.set(metric, Math.max(reads.get(metric) ?? 0, range));
  }
  return reads;
}
