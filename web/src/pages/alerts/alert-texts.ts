import type { InstanceAlert } from '../../api/alerts.ts';
import { formatWhole } from '../../base/format-amount.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { formatDuration } from '../../base/format-time.ts';

/** Labels that every series of an instance has, and that say nothing of one of them. */
const COMMON: ReadonlySet<string> = new Set(['instance', 'job', 'severity']);
const SIGNS: Readonly<Record<string, string>> = {
  '>': 'above',
  '>=': 'at least',
  '<': 'below',
  '<=': 'at most',
  '==': 'equal to',
  '!=': 'other than',
};

/** Writes the labels that tell the series of an alert apart; an empty text if there are none. */
export function formatLabels(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .filter(([label]) => !COMMON.has(label))
    .map(([label, value]) => `${label} ${escapeInvisible(value)}`)
    .join(', ');
}

/** Writes a value of an expression with at most four digits that count. */
export function formatReading(value: number | null): string {
  if (value === null) return 'not a number';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e15 || size < 1e-6) return value.toExponential(3);
  return size >= 1_000 ? formatWhole(Math.round(value)) : String(Number(value.toPrecision(4)));
}

/** Says when an alert fires, to follow "fires". */
export function describeCondition({
  threshold,
  for: forMs,
}: Pick<InstanceAlert, 'threshold' | 'for'>): string {
  const lasting = forMs === 0 ? '' : ` for ${formatDuration(forMs)}`;
  if (threshold === null) return `when its expression holds${lasting}`;
  const sign = SIGNS[threshold.operator] ?? threshold.operator;
  return `when ${sign} ${formatReading(threshold.value)}${lasting}`;
}

/** Returns the address of what to do about an alert; null if it names nothing of this instance's documentation. */
export function toRunbookUrl(runbook: string | null, docs: string): string | null {
  const path = /^\/docs(\/[\w/-]+(?:#[\w-]+)?)$/.exec(runbook ?? '')?.[1];
  return path === undefined ? null : `${docs}${path}`;
}
