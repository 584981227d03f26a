/** A text of JSON, or a sign of its structure; what is between them, such as a number, is skipped. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}:,]/g;

/**
 * Finds a key that an object has twice, of which `JSON.parse` would silently use the last one.
 *
 * @param text - Valid JSON.
 * @returns The key; null when all keys differ within their objects.
 *
 * @example
 * ```ts
 * import { findDuplicateKey } from './duplicate-key.ts';
 *
 * findDuplicateKey('{"a": 1, "b": {"a": 2}, "\\u0061": 3}'); // 'a'
 * ```
 */
export function findDuplicateKey(text: string): string | null {
  /** The keys of each object that is open; null for an array. */
  const open: (Set<string> | null)[] = [];
  let last = '';
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const key = JSON.parse(last) as string;
      const keys = open.at(-1);
      if (keys?.has(key) === true) return key;
      keys?.add(key);
    }
    last = token;
  }
  return null;
}
