/**
 * How deep JSON from outside may be nested. No message that Sluice reads nests deeper than some ten levels, and whatever
 * walks a value by recursion, such as `JSON.stringify`, has stack for thousands.
 */
export const MAX_JSON_DEPTH = 64;

/** JSON that is nested deeper than `MAX_JSON_DEPTH`, if it is JSON. */
export class JsonTooDeep extends SyntaxError {
  override readonly name = 'JsonTooDeep';
}

const QUOTE = '"';
const BACKSLASH = 0x5c;

/**
 * `JSON.parse` for text from outside: whoever reads, shows or writes the value may do so by recursion.
 *
 * @param text of bounded length
 * @throws SyntaxError when the text is not JSON, or nested deeper than `MAX_JSON_DEPTH`; the latter before it is parsed
 */
export function parseBoundedJson(text: string): unknown {
  requireBoundedDepth(text);
  return JSON.parse(text);
}

/** @throws JsonTooDeep */
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

/** Where the string that begins at `start` has its closing quote; the end of the text when it has none. */
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
