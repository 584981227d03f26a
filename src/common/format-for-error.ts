/** Levels of a value below this depth are shown as "...". */
const MAX_SHOWN_DEPTH = 8;

/**
 * Formats an untrusted value for an error message: as JSON, cut to a maximum length. It never throws, whatever the value
 * contains and however deeply it is nested.
 *
 * @param maxLength - The maximum number of characters.
 *
 * @example
 * ```ts
 * import { formatForError } from './format-for-error.ts';
 *
 * throw new RangeError(`amount must be positive, got ${formatForError({ amount: -5 })}`);
 * ```
 */
export function formatForError(value: unknown, maxLength = 100): string {
  const text = typeof value === 'bigint' ? String(value) : (JSON.stringify(pruned(value, 0)) ?? 'nothing');
  return text.length > maxLength ? `${text.slice(0, maxLength)}... (${text.length} characters)` : text;
}

/** Cuts deep levels and converts bigints, because `JSON.stringify` recurses without a limit and throws for bigints. */
function pruned(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  if (depth === MAX_SHOWN_DEPTH) return '...';
  if (Array.isArray(value)) return value.map((element) => pruned(element, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, pruned(inner, depth + 1)]));
}
