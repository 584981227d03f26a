/** Deeper levels of a value are shown as "...". */
const MAX_SHOWN_DEPTH = 8;

/**
 * A value as an error message shows it: as JSON, cut at `longest` characters, because it may come from anybody. For the
 * same reason it never throws, however deep the value is nested and whatever is in it.
 */
export function formatForError(value: unknown, longest = 100): string {
  const text = typeof value === 'bigint' ? String(value) : (JSON.stringify(pruned(value, 0)) ?? 'nothing');
  return text.length > longest ? `${text.slice(0, longest)}... (${text.length} characters)` : text;
}

/** `JSON.stringify` has no bound on its recursion, and throws at a bigint. */
function pruned(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  if (depth === MAX_SHOWN_DEPTH) return '...';
  if (Array.isArray(value)) return value.map((element) => pruned(element, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, pruned(inner, depth + 1)]));
}
