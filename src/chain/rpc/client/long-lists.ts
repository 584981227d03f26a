import { MAX_JSON_DEPTH, JsonTooDeep } from '../../../common/bounded-json.ts';
import { BYTES_PER_UNIT, UNITS_PER_TURN, toWorkUnits, type Work } from '../../../common/work/work.ts';
import { parseAccountJson } from '../../exact-json.ts';

/** Texts up to this length are parsed at once. */
const SHORT_TEXT = UNITS_PER_TURN * BYTES_PER_UNIT;
/** The list of accounts is `value` of the object `result` of the answer. */
const LIST_KEY = 'value';
const LIST_DEPTH = 2;

const STRUCTURE = /["[\]{},]/g;
const BACKSLASH = 0x5c;

/** A text whose list of accounts has been taken out. */
interface CutText {
  /** The text with an empty list. */
  readonly rest: string;
  /** Where each element of the list begins and ends. */
  readonly elements: readonly (readonly [from: number, to: number])[];
}

/**
 * Parses the answer to a call that returns accounts, as `parseAccountJson` does. A long one is cut first, and its list of
 * accounts is parsed in turns, one account after another.
 *
 * @throws SyntaxError as `parseAccountJson` does
 */
export async function parseAccountsInTurns(text: string, work: Work): Promise<unknown> {
  if (text.length <= SHORT_TEXT) {
    const turn = work.take(toWorkUnits(text.length));
    if (turn !== null) await turn;
    return parseAccountJson(text);
  }
  const cut = await cutList(text, work);
  if (cut === null) return parseAccountJson(text);
  const answer = parseAccountJson(cut.rest);
  const list = findEmptyList(answer);
  if (list === null) return parseAccountJson(text);
  for (const [from, to] of cut.elements) {
    const turn = work.take(toWorkUnits(to - from));
    if (turn !== null) await turn;
    list.push(parseAccountJson(text.slice(from, to)));
  }
  return answer;
}

/** Returns the list of accounts, from which the elements were taken out. Null if they belong to something else. */
function findEmptyList(answer: unknown): unknown[] | null {
  const { result } = (answer ?? {}) as { readonly result?: { readonly value?: unknown } | null };
  const list = result?.[LIST_KEY];
  return Array.isArray(list) && list.length === 0 ? list : null;
}

/** Returns null for a text without such a list, or one that is not JSON, about which the parser says what is wrong. */
async function cutList(text: string, work: Work): Promise<CutText | null> {
  const scan = new Scan(text);
  for (let end = 0; end < text.length; ) {
    const turn = work.take(UNITS_PER_TURN);
    if (turn !== null) await turn;
    end = scan.readUntil(end + SHORT_TEXT);
  }
  return scan.cut();
}

/** Reads the structure of a text, and skips its strings. */
class Scan {
  readonly #text: string;
  readonly #elements: [number, number][] = [];
  #at = 0;
  #depth = 0;
  /** The last string at the depth of the list's key, and where the list and its element begin; negative: not yet. */
  #key = '';
  #listAt = -1;
  #listEnd = -1;
  #elementAt = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns where it stopped: at `limit`, or after the string that goes beyond it. */
  readUntil(limit: number): number {
    while (this.#at < limit) {
      STRUCTURE.lastIndex = this.#at;
      const found = STRUCTURE.exec(this.#text);
      if (found === null) {
        this.#at = this.#text.length;
        break;
      }
      this.#at = found.index + 1;
      this.#take(found[0], found.index);
    }
    return this.#at;
  }

  cut(): CutText | null {
    if (this.#listEnd < 0 || this.#depth !== 0) return null;
    const rest = this.#text.slice(0, this.#listAt + 1) + this.#text.slice(this.#listEnd);
    return { rest, elements: this.#elements };
  }

  #take(mark: string, at: number): void {
    const isInList = this.#listAt >= 0 && this.#listEnd < 0 && this.#depth === LIST_DEPTH + 1;
    if (mark === '"') {
      this.#at = endOfString(this.#text, at) + 1;
      if (this.#depth === LIST_DEPTH) this.#key = this.#text.slice(at + 1, Math.min(this.#at - 1, at + 16));
    } else if (mark === ',') {
      if (isInList) this.#endElement(at);
    } else if (mark === '{' || mark === '[') {
      if (++this.#depth > MAX_JSON_DEPTH)
        throw new JsonTooDeep(
          `JSON may be nested ${MAX_JSON_DEPTH} levels deep, got more at character ${at}`,
        );
      if (mark === '[' && this.#depth === LIST_DEPTH + 1 && this.#listAt < 0 && this.#key === LIST_KEY) {
        this.#listAt = at;
        this.#elementAt = at + 1;
      }
    } else {
      if (isInList && mark === ']') {
        if (this.#elements.length > 0 || this.#text.slice(this.#elementAt, at).trim() !== '')
          this.#endElement(at);
        this.#listEnd = at;
      }
      this.#depth--;
    }
  }

  #endElement(at: number): void {
    this.#elements.push([this.#elementAt, at]);
    this.#elementAt = at + 1;
  }
}

/** Returns the offset of the quote that closes the string at `start`, or the length of the text without one. */
function endOfString(text: string, start: number): number {
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote;
    from = quote + 1;
  }
}
