export type Row = readonly (string | number)[];

/** Rows of one day, as they are written together. */
export interface Rows {
  readonly day: number;
  readonly count: number;
  /** JSON, an array of arrays, in memory that threads share, so that handing it on copies nothing. */
  readonly json: Uint8Array;
}

interface Buffered {
  readonly day: number;
  bytes: Buffer;
  used: number;
  count: number;
}

const FIRST_BYTES = 64 * 1024;
/** Of UTF-8, for one unit of a string. */
const MAX_BYTES_OF_UNIT = 3;
const OPEN = 0x5b;
const COMMA = 0x2c;
const CLOSE = 0x5d;

/**
 * Rows that wait to be written, each as JSON from the start, in a few large buffers. As values they would be thousands
 * of objects that outlive the request, and every collection of young garbage would move them while requests wait.
 */
export class RowQueue {
  readonly #most: number;
  readonly #buffers: Buffered[] = [];
  #size = 0;
  /** Of rows that were written, to be used again. */
  #spare: Buffer | null = null;

  /** @param most rows that are taken at once */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  /** @param day since 1970 */
  add(day: number, row: Row): void {
    const json = JSON.stringify(row);
    const last = this.#buffers.at(-1);
    const buffered =
      last === undefined || last.day !== day || last.count === this.#most ? this.#begin(day) : last;
    makeRoom(buffered, json.length * MAX_BYTES_OF_UNIT + 1);
    buffered.bytes[buffered.used++] = buffered.count === 0 ? OPEN : COMMA;
    buffered.used += buffered.bytes.write(json, buffered.used);
    buffered.count++;
    this.#size++;
  }

  /** The oldest that are of one day; null when there are none. */
  take(): Rows | null {
    const buffered = this.#buffers.shift();
    if (buffered === undefined) return null;
    const { day, bytes, used, count } = buffered;
    this.#size -= count;
    bytes[used] = CLOSE;
    return { day, count, json: bytes.subarray(0, used + 1) };
  }

  /** Whoever took the rows reads them no more. */
  release({ json }: Rows): void {
    this.#spare = Buffer.from(json.buffer);
  }

  #begin(day: number): Buffered {
    const bytes = this.#spare ?? newBuffer(FIRST_BYTES);
    this.#spare = null;
    const begun: Buffered = { day, bytes, used: 0, count: 0 };
    this.#buffers.push(begun);
    return begun;
  }
}

/** Besides what is added, for the bracket at the end. */
function makeRoom(buffered: Buffered, added: number): void {
  const { bytes, used } = buffered;
  const needed = used + added + 1;
  if (needed <= bytes.length) return;
  buffered.bytes = newBuffer(Math.max(needed, bytes.length * 2));
  buffered.bytes.set(bytes.subarray(0, used));
}

function newBuffer(size: number): Buffer {
  return Buffer.from(new SharedArrayBuffer(size));
}
