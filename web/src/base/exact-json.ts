/** A number of a JSON text, as it was written. A double would round integers beyond 2^53, such as atoms of a token. */
export class ExactNumber {
  readonly source: string;

  /** @param source - A number in the notation of JSON. */
  constructor(source: string) {
    this.source = source;
  }
}

/** A JSON value whose numbers are exact. The members of an object keep their order, whatever their names are. */
export type ExactJson =
  | null
  | boolean
  | string
  | ExactNumber
  | readonly ExactJson[]
  | ReadonlyMap<string, ExactJson>;

/** What was read from a text, or why it is not JSON. */
export type ExactJsonReading =
  | { readonly ok: true; readonly value: ExactJson }
  | { readonly ok: false; readonly error: { readonly message: string; readonly line: number } };

/** Values nested deeper than this are refused, so that a hostile text cannot exhaust the stack. */
const MAX_DEPTH = 200;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;
// A string ends at the first quote that no backslash precedes. Control characters are refused by `JSON.parse` below.
const STRING = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y;
const WORDS: ReadonlyMap<string, ExactJson> = new Map<string, ExactJson>([
  ['null', null],
  ['true', true],
  ['false', false],
]);

/**
 * Parses a JSON text without rounding its numbers.
 *
 * @example
 * ```ts
 * import { formatExactJson, parseExactJson } from './exact-json.ts';
 *
 * const reading = parseExactJson('{"amount":18446744073709551615}');
 * if (reading.ok) formatExactJson(reading.value); // '{"amount":18446744073709551615}'
 * ```
 */
export function parseExactJson(text: string): ExactJsonReading {
  const parser = new ExactJsonParser(text);
  try {
    return { ok: true, value: parser.parseWhole() };
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const line = text.slice(0, error.at).split('\n').length;
    return { ok: false, error: { message: error.message, line } };
  }
}

/**
 * Writes a value as JSON.
 * @param indent - The blanks of each level; 0 writes one line.
 */
export function formatExactJson(value: ExactJson, indent = 0): string {
  return writeJson(value, indent, '');
}

/** Converts what `JSON.parse` returns. Members whose value is undefined are left out. */
export function toExactJson(value: unknown): ExactJson {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'bigint') return new ExactNumber(value.toString());
  if (typeof value === 'number')
    return Number.isFinite(value) ? new ExactNumber(JSON.stringify(value)) : null;
  if (Array.isArray(value)) return value.map(toExactJson);
  if (typeof value !== 'object') return null;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return new Map(members.map(([name, member]) => [name, toExactJson(member)]));
}

/** Whether a value is an object of JSON. */
export function isExactObject(value: ExactJson | undefined): value is ReadonlyMap<string, ExactJson> {
  return value instanceof Map;
}

/** Whether a value is a list of JSON. */
export function isExactList(value: ExactJson | undefined): value is readonly ExactJson[] {
  return Array.isArray(value);
}

function writeJson(value: ExactJson, indent: number, margin: string): string {
  if (value instanceof ExactNumber) return value.source;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = margin + ' '.repeat(indent);
  const colon = indent > 0 ? ': ' : ':';
  const [open, close, parts] = isExactList(value)
    ? ['[', ']', value.map((item) => writeJson(item, indent, inner))]
    : [
        '{',
        '}',
        [...value].map(([name, member]) => JSON.stringify(name) + colon + writeJson(member, indent, inner)),
      ];
  if (parts.length === 0) return open + close;
  if (indent === 0) return open + parts.join(',') + close;
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${margin}${close}`;
}

class JsonFault extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

class ExactJsonParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parseWhole(): ExactJson {
    const value = this.#parseValue(0);
    if (this.#at < this.#text.length) throw this.#fault('the JSON ends, but the text goes on');
    return value;
  }

  /** Parses a value with the space around it. */
  #parseValue(depth: number): ExactJson {
    if (depth > MAX_DEPTH) throw this.#fault(`the JSON is nested deeper than ${MAX_DEPTH} levels`);
    this.#match(SPACE);
    const value = this.#parseBare(depth);
    this.#match(SPACE);
    return value;
  }

  #parseBare(depth: number): ExactJson {
    const char = this.#text[this.#at];
    if (char === '"') return this.#parseString();
    if (char === '[') return this.#parseList(depth);
    if (char === '{') return this.#parseObject(depth);
    const number = this.#match(NUMBER);
    if (number !== '') return new ExactNumber(number);
    for (const [word, value] of WORDS) if (this.#take(word)) return value;
    throw this.#fault(
      char === undefined ? 'the text ends where a value should be' : `${char} is no JSON value`,
    );
  }

  #parseString(): string {
    const start = this.#at;
    const source = this.#match(STRING);
    if (source === '') throw this.#fault('a text has no closing quote');
    try {
      return JSON.parse(source) as string;
    } catch {
      throw new JsonFault('a text has a line break or another character that must be escaped', start);
    }
  }

  #parseList(depth: number): readonly ExactJson[] {
    const items: ExactJson[] = [];
    this.#at++;
    this.#match(SPACE);
    if (this.#take(']')) return items;
    do items.push(this.#parseValue(depth + 1));
    while (this.#take(','));
    this.#require(']', 'a list');
    return items;
  }

  #parseObject(depth: number): ReadonlyMap<string, ExactJson> {
    const members = new Map<string, ExactJson>();
    this.#at++;
    this.#match(SPACE);
    if (this.#take('}')) return members;
    do {
      this.#match(SPACE);
      if (this.#text[this.#at] !== '"') throw this.#fault('the name of a member must stand in double quotes');
      const name = this.#parseString();
      this.#match(SPACE);
      this.#require(':', 'the name of a member');
      members.set(name, this.#parseValue(depth + 1));
    } while (this.#take(','));
    this.#require('}', 'an object');
    return members;
  }

  #require(char: string, what: string): void {
    if (!this.#take(char)) throw this.#fault(`${char} is missing after ${what}`);
  }

  /** Moves behind a word if it stands here. */
  #take(word: string): boolean {
    const isHere = this.#text.startsWith(word, this.#at);
    if (isHere) this.#at += word.length;
    return isHere;
  }

  /** Moves behind what a sticky pattern matches here, and returns it. */
  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }

  #fault(message: string): JsonFault {
    return new JsonFault(message, this.#at);
  }
}
