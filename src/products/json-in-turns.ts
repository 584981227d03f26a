import { BYTES_PER_UNIT, UNITS_PER_TURN, toWorkUnits, type Work } from '../common/work/work.ts';

/** A list of an answer whose elements are made when they are written. */
export class LazyList<Item> {
  readonly items: readonly Item[];
  readonly toElement: (item: Item) => unknown;

  constructor(items: readonly Item[], toElement: (item: Item) => unknown) {
    this.items = items;
    this.toElement = toElement;
  }

  /** What `JSON.stringify` writes. */
  toJSON(): readonly unknown[] {
    return this.items.map((item) => this.toElement(item));
  }
}

/** A value with at most this many values in it is written at once, which is faster. */
const SMALL_VALUES = 64;
const MAX_PIECE = UNITS_PER_TURN * BYTES_PER_UNIT;

/**
 * Writes an answer that can be long as JSON, in turns. The text is that of `JSON.stringify`.
 *
 * @param value - Plain objects, arrays and what JSON has besides. Members that are `undefined` are left out.
 * @param repeated - Objects that occur many times in it. Their texts are written once. Default: none.
 *
 * @example
 * ```ts
 * import { createUnaccountedWork } from '../common/work/work.ts';
 * import { writeJsonInTurns } from './json-in-turns.ts';
 *
 * const vault = { id: 1 };
 * const answer = await writeJsonInTurns([{ at: 1, vault }, { at: 2, vault }], createUnaccountedWork(), [vault]);
 * ```
 */
export async function writeJsonInTurns(
  value: unknown,
  work: Work,
  repeated: Iterable<object> = [],
): Promise<Buffer> {
  const writer = new TurnedWriter(work, repeated);
  await writer.write(value);
  return writer.finish();
}

class TurnedWriter {
  readonly #work: Work;
  readonly #repeated: Map<object, string | null>;
  readonly #pieces: Buffer[] = [];
  #text = '';
  /** Units of the next text that are counted already. */
  #counted = 0;

  constructor(work: Work, repeated: Iterable<object>) {
    this.#work = work;
    this.#repeated = new Map([...repeated].map((each) => [each, null]));
  }

  finish(): Buffer {
    this.#pieces.push(Buffer.from(this.#text));
    return Buffer.concat(this.#pieces);
  }

  /** Returns a promise only where a turn ends: most values are small. */
  write(value: unknown): Promise<void> | null {
    if (typeof value !== 'object' || value === null) return this.#add(toJsonText(value));
    const known = this.#repeated.get(value);
    if (known !== undefined) return this.#add(known ?? this.#keep(value));
    if (countValues(value, SMALL_VALUES) <= SMALL_VALUES) return this.#add(toJsonText(value));
    if (value instanceof LazyList) return this.#writeLazyList(value);
    return Array.isArray(value) ? this.#writeList(value) : this.#writeObject(value);
  }

  #keep(value: object): string {
    const text = toJsonText(value);
    this.#repeated.set(value, text);
    return text;
  }

  /** Making an element is work, so its first unit is counted before it is made. */
  async #writeLazyList({ items, toElement }: LazyList<unknown>): Promise<void> {
    this.#text += '[';
    for (let at = 0; at < items.length; at++) {
      if (at > 0) this.#text += ',';
      const before = this.#work.take(1);
      if (before !== null) await before;
      const element = toElement(items[at]);
      this.#counted = 1;
      const turn = this.write(element);
      if (turn !== null) await turn;
    }
    this.#text += ']';
  }

  async #writeList(list: readonly unknown[]): Promise<void> {
    this.#text += '[';
    for (let at = 0; at < list.length; at++) {
      if (at > 0) this.#text += ',';
      const turn = this.write(list[at]);
      if (turn !== null) await turn;
    }
    this.#text += ']';
  }

  async #writeObject(object: object): Promise<void> {
    let separator = '{';
    for (const [key, value] of Object.entries(object)) {
      if (value === undefined) continue;
      this.#text += `${separator}${JSON.stringify(key)}:`;
      separator = ',';
      const turn = this.write(value);
      if (turn !== null) await turn;
    }
    this.#text += separator === '{' ? '{}' : '}';
  }

  #add(text: string): Promise<void> | null {
    this.#text += text;
    if (this.#text.length >= MAX_PIECE) {
      this.#pieces.push(Buffer.from(this.#text));
      this.#text = '';
    }
    const units = toWorkUnits(text.length) - this.#counted;
    this.#counted = 0;
    return units > 0 ? this.#work.take(units) : null;
  }
}

function toJsonText(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

/** Counts the values in an object or a list, itself included, until there are more than `most`. Long texts count more. */
function countValues(value: unknown, most: number): number {
  if (typeof value === 'string') return toWorkUnits(value.length);
  if (typeof value !== 'object' || value === null) return 1;
  // How many values each of its elements has is not known.
  if (value instanceof LazyList) return value.items.length === 0 ? 1 : SMALL_VALUES + 1;
  let count = 1;
  for (const each of Array.isArray(value) ? value : Object.values(value)) {
    if (count > most) break;
    count += countValues(each, most - count);
  }
  return count;
}
