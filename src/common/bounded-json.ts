/**
 * The maximum nesting of JSON from outside. No message that Sluice reads is nested deeper than about ten levels, and
 * recursive functions such as `JSON.stringify` have stack for thousands.
 */
export const MAX_JSON_DEPTH = 64;

/** Thrown for text that is nested deeper than `MAX_JSON_DEPTH`. It need not be valid JSON otherwise. */
export class JsonTooDeep extends SyntaxError {
  override readonly name = 'JsonTooDeep';
}

const QUOTE = '"';
const BACKSLASH = 0x5c;

/**
 * Parses JSON from outside. The depth of the result is bounded, so that it can be processed recursively.
 *
 * @param text - A text of bounded length.
 * @throws SyntaxError when the text is not JSON, or is nested deeper than `MAX_JSON_DEPTH`.
 *
 * @example
 * ```ts
 * import { parseBoundedJson } from './bounded-json.ts';
 *
 * const body: unknown = parseBoundedJson('{"amount": "5"}');
 * ```
 */
export function parseBoundedJson(text: string): unknown {
  requireBoundedDepth(text);
  return JSON.parse(text);
}

/**
 * Checks the nesting of a text without parsing it.
 *
 * @throws JsonTooDeep when it exceeds `MAX_JSON_DEPTH`.
 */
export function requireBoundedDepth(text: string): void {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case '[':
      case '{':
        if (++depth > MAX_JSON_DEPTH) {
          throw new JsonTooDeep(
            `JSON may be nested ${MAX_JSON_DEPTH} levels deep, got more at character ${at}`,
          );
        }
        break;
      case ']':
      case '}':
        depth--;
    }
  }
}

/** Returns the offset of the quote that closes the string at `start`, or the length of the text without one. */
function endOfString(text: string, start: number): number {
  for (let from = start + 1; ; ) {
    const quote = text.indexOf(QUOTE, from);
    if (quote === -1) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote;
    from = quote + 1;
  }
}
