import { formatUtcTime } from '../../../base/format-time.ts';

/** One value that a change set, took away, or replaced. */
export interface AuditDifference {
  /** Where it stands: `main`, or `teams.web.keys`. */
  readonly name: string;
  /** Null: there was none. */
  readonly before: string | null;
  /** Null: there is none. */
  readonly after: string | null;
}

/** Values of one entry that are shown. The rest is counted. */
const MAX_SHOWN = 30;
const MAX_TEXT = 300;
const MAX_DEPTH = 4;

/**
 * Compares what was with what is. Values that are equal are left out.
 *
 * @returns the differences by their names, and how many more there are
 */
export function compareAuditSides(
  before: unknown,
  after: unknown,
): { readonly shown: readonly AuditDifference[]; readonly more: number } {
  const [old, current] = [flattenSide(before), flattenSide(after)];
  const names = [...new Set([...old.keys(), ...current.keys()])];
  const differing = names.flatMap((name) => {
    const sides = { name, before: old.get(name) ?? null, after: current.get(name) ?? null };
    return sides.before === sides.after ? [] : [sides];
  });
  return { shown: differing.slice(0, MAX_SHOWN), more: Math.max(0, differing.length - MAX_SHOWN) };
}

function flattenSide(side: unknown): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (name: string, value: unknown, depth: number): void => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    const entries = isObject ? Object.entries(value) : [];
    if (entries.length === 0 || depth >= MAX_DEPTH) {
      found.set(name, describeAuditValue(name, value));
      return;
    }
    for (const [key, member] of entries) visit(name === '' ? key : `${name}.${key}`, member, depth + 1);
  };
  if (typeof side === 'object' && side !== null)
    for (const [name, value] of Object.entries(side)) visit(name, value, 1);
  return found;
}

/** Writes a value of the audit log for people. */
export function describeAuditValue(name: string, value: unknown): string {
  if (value === null || value === undefined) return 'not set';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number')
    return /(?:At|Until|Since)$/.test(name) ? formatUtcTime(value) : String(value);
  if (typeof value === 'string') return value === '' ? 'empty' : shortenValue(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return 'none';
    const isPlain = value.every((item) => ['string', 'number', 'boolean'].includes(typeof item));
    return shortenValue(isPlain ? value.join(', ') : JSON.stringify(value));
  }
  const text = JSON.stringify(value);
  return text === '{}' ? 'nothing' : shortenValue(text);
}

function shortenValue(text: string): string {
  const letters = [...text.slice(0, MAX_TEXT * 2)];
  return letters.length > MAX_TEXT ? `${letters.slice(0, MAX_TEXT).join('')}…` : text;
}
