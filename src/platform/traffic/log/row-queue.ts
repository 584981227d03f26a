export type LogRow = readonly (string | number)[];

/** Rows of one day that are written together. */
export interface Rows {
  readonly day: number;
  readonly count: number;
  /** JSON, an array of arrays, in shared memory, so that handing it to another thread copies nothing. */
  readonly json: Uint8Array;
}

interface BufferedRows {
  readonly day: number;
  bytes: Buffer;
  used: number;
  count: number;
  /** The row that was added last; null when there is none. */
  last: LogRow | null;
  /** Where the text of each cell of `last` begins, and at the end, where the last cell's text ends. */
  starts: Int32Array;
}

const FIRST_BYTES = 64 * 1024;
/** Most bytes that one UTF-16 code unit takes in UTF-8. */
const MAX_BYTES_OF_UNIT = 3;
const OPEN = 0x5b;
const COMMA = 0x2c;
const CLOSE = 0x5d;

/**
 * Queues rows for writing, each formatted as JSON at once, in a few large buffers. As JavaScript values they would be
 * thousands of objects that survive several garbage collections, each of which would pause the requests. Most cells
 * of a row equal those of the previous row; their bytes are copied, which takes a quarter of the time of formatting
 * them again.
 */
export class RowQueue {
  readonly #most: number;
  readonly #buffers: BufferedRows[] = [];
  #size = 0;
  /** A buffer of released rows, for reuse. */
  #spare: Buffer | null = null;

  /** @param most - The largest number of rows that are taken at once. */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  /** @param day - Days since 1970. */
  add(day: number, row: LogRow): void {
    const newest = this.#buffers.at(-1);
    const buffered =
      newest === undefined || newest.day !== day || newest.count === this.#most ? this.#begin(day) : newest;
    addByte(buffered, buffered.count === 0 ? OPEN : COMMA);
    addByte(buffered, OPEN);
    addCells(buffered, row);
    addByte(buffered, CLOSE);
    buffered.count++;
    this.#size++;
  }

  /** Takes the oldest rows, all of one day; null when the queue is empty. */
  take(): Rows | null {
    const buffered = this.#buffers.shift();
    if (buffered === undefined) return null;
    const { day, bytes, used, count } = buffered;
    this.#size -= count;
    bytes[used] = CLOSE;
    return { day, count, json: bytes.subarray(0, used + 1) };
  }

  /** Called when the rows that were taken are no longer read, so that their buffer can be reused. */
  release({ json }: Rows): void {
    this.#spare = Buffer.from(json.buffer);
  }

  #begin(day: number): BufferedRows {
    const bytes = this.#spare ?? newBuffer(FIRST_BYTES);
    this.#spare = null;
    const begun: BufferedRows = { day, bytes, used: 0, count: 0, last: null, starts: new Int32Array(0) };
    this.#buffers.push(begun);
    return begun;
  }
}

function addCells(buffered: BufferedRows, row: LogRow): void {
  const last = buffered.last?.length === row.length ? buffered.last : null;
  if (last === null) buffered.starts = new Int32Array(row.length + 1);
  let index = 0;
  while (index < row.length) {
    if (index > 0) addByte(buffered, COMMA);
    const equal = last === null ? 0 : countEqual(row, last, index);
    if (equal > 0) copyCells(buffered, index, index + equal);
    else addCell(buffered, index, row[index]);
    index += Math.max(equal, 1);
  }
  buffered.starts[row.length] = buffered.used;
  buffered.last = row;
}

/** Returns how many cells from `first` on equal those of the previous row. */
function countEqual(row: LogRow, last: LogRow, first: number): number {
  let index = first;
  while (index < row.length && row[index] === last[index]) index++;
  return index - first;
}

/** Copies the text of adjacent cells of the last row, with the commas between them. */
function copyCells(buffered: BufferedRows, first: number, end: number): void {
  const { starts } = buffered;
  const from = starts[first] ?? 0;
  const isLast = end === starts.length - 1;
  const to = (starts[end] ?? 0) - (isLast ? 0 : 1);
  makeRoom(buffered, to - from);
  const moved = buffered.used - from;
  buffered.bytes.copyWithin(buffered.used, from, to);
  buffered.used += to - from;
  for (let index = first; index < end; index++) starts[index] = (starts[index] ?? 0) + moved;
}

function addCell(buffered: BufferedRows, index: number, cell: LogRow[number] | undefined): void {
  buffered.starts[index] = buffered.used;
  const json = Number.isFinite(cell) ? String(cell) : (JSON.stringify(cell) ?? 'null');
  makeRoom(buffered, json.length * MAX_BYTES_OF_UNIT);
  buffered.used += buffered.bytes.write(json, buffered.used);
}

function addByte(buffered: BufferedRows, byte: number): void {
  makeRoom(buffered, 1);
  buffered.bytes[buffered.used++] = byte;
}

/** Makes room for `added` bytes and the closing bracket. */
function makeRoom(buffered: BufferedRows, added: number): void {
  const { bytes, used } = buffered;
  const needed = used + added + 1;
  if (needed <= bytes.length) return;
  buffered.bytes = newBuffer(Math.max(needed, bytes.length * 2));
  buffered.bytes.set(bytes.subarray(0, used));
}

function newBuffer(size: number): Buffer {
  return Buffer.from(new SharedArrayBuffer(size));
}
