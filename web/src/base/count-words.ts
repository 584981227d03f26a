import { formatWhole } from './format-amount.ts';

/**
 * Formats a count with its noun.
 *
 * @param several - Default: the noun with an s.
 *
 * @example
 * ```ts
 * formatCounted(3, 'key'); // '3 keys'
 * ```
 */
export function formatCounted(count: number, one: string, several = `${one}s`): string {
  return `${formatWhole(count)} ${count === 1 ? one : several}`;
}

/** Joins words as a sentence does: `a`, `a and b`, `a, b and c`. */
export function joinWords(words: readonly string[], last: 'and' | 'or'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
