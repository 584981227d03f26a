import { requireBoundedDepth } from '../common/bounded-json.ts';

/**
 * `JSON.parse` for accounts as RPC and the usual command-line tools write them: `lamports`, `rentEpoch` and `space`
 * are whole numbers up to 2^64 - 1, which a double would round. They come out as strings of digits.
 *
 * An unescaped quote cannot stand inside a JSON string, so each match is a key, never text.
 *
 * @throws SyntaxError when the text is not JSON, or nested too deeply, see `parseBoundedJson`
 */
export function parseAccountJson(text: string): unknown {
  requireBoundedDepth(text);
  return JSON.parse(text.replace(/"(lamports|rentEpoch|space)"(\s*:\s*)(\d+)(?=\s*[,}])/g, '"$1"$2"$3"'));
}
