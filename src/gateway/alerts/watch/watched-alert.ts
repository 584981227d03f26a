import type { Labels } from '../../../common/ports/metrics.ts';
import type { AlertRule } from '../rules/rule-file.ts';

/**
 * `firing`: its expression has held for long enough. `pending`: it holds, but not yet for long enough. `quiet`: it does not
 * hold. `unknown`: it cannot be evaluated, for a reason.
 */
export type AlertState = 'firing' | 'pending' | 'quiet' | 'unknown';

/** Why an alert is unknown. */
export type UnknownReason =
  /** There are too few samples; it is known from `from` on, Unix milliseconds; null before the first sample. */
  | { readonly kind: 'history'; readonly from: number | null }
  /** This instance has no such metrics, because it does not run what they are about. */
  | { readonly kind: 'metric'; readonly metrics: readonly string[] }
  /** The metrics have more series than are kept. */
  | { readonly kind: 'series'; readonly metrics: readonly string[] }
  /** The rule cannot be evaluated. */
  | { readonly kind: 'refused'; readonly message: string };

/** One combination of labels for which an alert is firing or pending. */
export interface ActiveAlert {
  /** Those of the series and of the rule. */
  readonly labels: Labels;
  readonly value: number;
  readonly state: 'firing' | 'pending';
  /** Since when its expression holds, in Unix milliseconds. */
  readonly activeAt: number;
  /** Since when it fires; null while it is pending. */
  readonly firingAt: number | null;
  readonly summary: string;
}

/** The latest value of a series that an alert compares. */
export interface AlertReading {
  readonly labels: Labels;
  readonly value: number;
}

/** The values that an alert compared over time, for one series. */
export interface AlertCurve {
  readonly labels: Labels;
  /** Unix milliseconds, ascending. */
  readonly times: readonly number[];
  readonly values: readonly number[];
}

/** An alert, as the last evaluation left it. */
export interface WatchedAlert {
  readonly rule: AlertRule;
  readonly state: AlertState;
  /** Since when it has this state, in Unix milliseconds; null before the first evaluation. */
  readonly since: number | null;
  /** Null unless it is unknown. */
  readonly reason: UnknownReason | null;
  /** When it last stopped firing; null: not since the start. */
  readonly lastFiredAt: number | null;
  /** Those firing first; at most `MAX_SHOWN_ALERTS`. */
  readonly active: readonly ActiveAlert[];
  /** How many there are, with those that are not listed. */
  readonly activeCount: number;
  /** The readings that are nearest to firing, or beyond it. */
  readonly readings: readonly AlertReading[];
}

export const MAX_SHOWN_ALERTS = 50;
