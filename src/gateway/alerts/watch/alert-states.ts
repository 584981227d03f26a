import { compareNumbers } from '../promql/binary.ts';
import { evaluateExpression } from '../promql/evaluate.ts';
import { makeLabelsKey } from '../promql/labels.ts';
import { RuleError } from '../promql/rule-error.ts';
import type { SeriesSource, SeriesValue } from '../promql/series.ts';
import type { AlertPlan, AlertRule } from '../rules/rule-file.ts';
import { AlertCurves } from './alert-curves.ts';
import {
  type ActiveAlert,
  type AlertCurve,
  type AlertReading,
  type AlertState,
  MAX_SHOWN_ALERTS,
  type UnknownReason,
  type WatchedAlert,
} from './watched-alert.ts';

/** A combination of labels for which the expression holds. */
interface ActiveState {
  readonly labels: SeriesValue['labels'];
  value: number;
  readonly activeAt: number;
  firingAt: number | null;
}

const MAX_READINGS = 8;

/** The state of one rule from evaluation to evaluation. */
export class AlertRuleState {
  readonly #rule: AlertRule;
  readonly #curves = new AlertCurves();
  #active = new Map<string, ActiveState>();
  #state: AlertState = 'unknown';
  #since: number | null = null;
  #lastFiredAt: number | null = null;
  #reason: UnknownReason | null = { kind: 'history', from: null };
  #readings: readonly AlertReading[] = [];

  constructor(rule: AlertRule) {
    this.#rule = rule;
  }

  get state(): AlertState {
    return this.#state;
  }

  get rule(): AlertRule {
    return this.#rule;
  }

  /**
   * Evaluates the rule.
   * @param at - Unix milliseconds.
   * @param reason - Why it cannot be evaluated; null: it can.
   */
  evaluate(source: SeriesSource, at: number, reason: UnknownReason | null): void {
    const { plan } = this.#rule;
    if ('refusal' in plan) this.#settle(at, [], { kind: 'refused', message: plan.refusal });
    else if (reason !== null) this.#settle(at, [], reason);
    else this.#evaluatePlan(plan, source, at);
  }

  /** Returns the rule as the last evaluation left it. */
  view(): WatchedAlert {
    const { plan, labels: added } = this.#rule;
    const ordered = [...this.#active.values()].sort(
      (a, b) => Number(b.firingAt !== null) - Number(a.firingAt !== null) || a.activeAt - b.activeAt,
    );
    const active = ordered
      .slice(0, MAX_SHOWN_ALERTS)
      .map(({ labels, value, activeAt, firingAt }): ActiveAlert => {
        const all = { ...labels, ...added };
        const summary = 'refusal' in plan ? '' : plan.summary(all, value);
        return {
          labels: all,
          value,
          activeAt,
          firingAt,
          state: firingAt === null ? 'pending' : 'firing',
          summary,
        };
      });
    return {
      rule: this.#rule,
      state: this.#state,
      since: this.#since,
      reason: this.#reason,
      lastFiredAt: this.#lastFiredAt,
      active,
      activeCount: this.#active.size,
      readings: this.#reason === null ? this.#readings : [],
    };
  }

  listCurves(): readonly AlertCurve[] {
    return this.#curves.list();
  }

  #evaluatePlan(plan: AlertPlan, source: SeriesSource, at: number): void {
    let series: readonly SeriesValue[];
    try {
      const measured = evaluateExpression(plan.measured, source, at);
      series = orderByUrgency(typeof measured === 'number' ? [] : measured, plan);
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      this.#settle(at, [], { kind: 'refused', message: error.message });
      return;
    }
    this.#readings = series.slice(0, MAX_READINGS);
    this.#curves.add(at, series);
    const holding = series.filter(({ value }) => holds(plan, value));
    this.#settle(at, holding, null);
  }

  /** Takes over for which series the expression holds at a time. */
  #settle(at: number, holding: readonly SeriesValue[], reason: UnknownReason | null): void {
    const before = this.#active;
    this.#active = new Map(
      holding.map(({ labels, value }) => {
        const key = makeLabelsKey(labels);
        return [key, this.#continue(before.get(key), at, labels, value)];
      }),
    );
    const state = reason === null ? nameState([...this.#active.values()]) : 'unknown';
    if (this.#state === 'firing' && state !== 'firing') this.#lastFiredAt = at;
    if (this.#state !== state || this.#since === null) this.#since = at;
    this.#state = state;
    this.#reason = reason;
  }

  #continue(
    before: ActiveState | undefined,
    at: number,
    labels: ActiveState['labels'],
    value: number,
  ): ActiveState {
    // A clock that was set back makes the time of before one to come.
    const known = before !== undefined && before.activeAt <= at ? before : null;
    const activeAt = known?.activeAt ?? at;
    const firingAt = known?.firingAt ?? (at - activeAt >= this.#rule.forMs ? at : null);
    return { labels, value, activeAt, firingAt };
  }
}

function nameState(active: readonly ActiveState[]): AlertState {
  if (active.some(({ firingAt }) => firingAt !== null)) return 'firing';
  return active.length > 0 ? 'pending' : 'quiet';
}

function holds({ threshold }: AlertPlan, value: number): boolean {
  return threshold === null || compareNumbers(threshold.operator, value, threshold.value);
}

/** Orders series so that those for which the alert holds, or nearly does, come first. */
function orderByUrgency(series: readonly SeriesValue[], { threshold }: AlertPlan): readonly SeriesValue[] {
  if (threshold === null) return series;
  const { operator, value: limit } = threshold;
  const distance = ({ value }: SeriesValue) => {
    if (Number.isNaN(value)) return Number.POSITIVE_INFINITY;
    if (operator === '>' || operator === '>=') return -value;
    if (operator === '<' || operator === '<=') return value;
    return compareNumbers(operator, value, limit) ? 0 : 1;
  };
  // Infinite distances cannot be subtracted.
  return series.toSorted((a, b) => {
    const [one, other] = [distance(a), distance(b)];
    return one < other ? -1 : one > other ? 1 : 0;
  });
}
