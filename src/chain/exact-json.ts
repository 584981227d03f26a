import { requireBoundedDepth } from '../common/bounded-json.ts';

/**
 * Parses the JSON form of accounts exactly. `lamports`, `rentEpoch` and `space` can be as large as 2^64 - 1, which a
 * double would round, so they become strings of digits.
 *
 * @throws SyntaxError when the text is not JSON, or is nested too deeply: see `parseBoundedJson`.
 *
 * @example
 * ```ts
 * import { parseAccountJson } from './exact-json.ts';
 *
 * parseAccountJson('{"lamports": 18446744073709551615}'); // { lamports: '18446744073709551615' }
 * ```
 */
export function parseAccountJson(text: string): unknown {
  requireBoundedDepth(text);
  // A JSON string cannot contain an unescaped quote, so each match is a key and never part of a text.
  return JSON.parse(text.replace(/"(lamports|rentEpoch|space)"(\s*:\s*)(\d+)(?=\s*[,}])/g, '"$1"$2"$3"'));
}
