import type { RecordTable } from './record-table.ts';

/** Where the heap keeps its fields in a record, in words. */
export interface HeapLayout {
  /** A double: the time that a record waits for. */
  readonly time: number;
  /** The record's place in the heap, from 1; 0 while it is not there. */
  readonly place: number;
}

const INITIAL = 64;

/** Records that wait for a time, the earliest on top: a binary heap that knows where each record is. */
export class PutOffHeap {
  readonly #records: RecordTable;
  readonly #layout: HeapLayout;
  /** The record on top is at 1. */
  #heap = new Int32Array(INITIAL);
  #size = 0;

  constructor(records: RecordTable, layout: HeapLayout) {
    this.#records = records;
    this.#layout = layout;
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#heap.byteLength;
  }

  /** The record that waits for the earliest time; 0 if none waits. */
  get top(): number {
    return this.#size === 0 ? 0 : this.#at(1);
  }

  /** Returns all records, in no order. */
  records(): readonly number[] {
    return [...this.#heap.subarray(1, this.#size + 1)];
  }

  has(record: number): boolean {
    return this.#records.word(record, this.#layout.place) !== 0;
  }

  time(record: number): number {
    return this.#records.double(record, this.#layout.time);
  }

  /** Adds a record that is not there. */
  add(record: number, time: number): void {
    this.#records.setDouble(record, this.#layout.time, time);
    this.#size++;
    if (this.#size === this.#heap.length) {
      const larger = new Int32Array(2 * this.#heap.length);
      larger.set(this.#heap);
      this.#heap = larger;
    }
    this.#rise(this.#size, record);
  }

  /** Takes a record out that is there. */
  remove(record: number): void {
    const place = this.#records.word(record, this.#layout.place);
    this.#records.setWord(record, this.#layout.place, 0);
    const last = this.#at(this.#size);
    this.#size--;
    if (last === record) return;
    this.#rise(place, last);
    this.#sink(this.#records.word(last, this.#layout.place), last);
  }

  #rise(from: number, record: number): void {
    const time = this.time(record);
    let place = from;
    while (place > 1 && this.time(this.#at(place >> 1)) > time) {
      this.#put(place, this.#at(place >> 1));
      place >>= 1;
    }
    this.#put(place, record);
  }

  #sink(from: number, record: number): void {
    const time = this.time(record);
    let place = from;
    while (2 * place <= this.#size) {
      let child = 2 * place;
      if (child < this.#size && this.time(this.#at(child + 1)) < this.time(this.#at(child))) child++;
      if (this.time(this.#at(child)) >= time) break;
      this.#put(place, this.#at(child));
      place = child;
    }
    this.#put(place, record);
  }

  #at(place: number): number {
    return this.#heap[place] as number;
  }

  #put(place: number, record: number): void {
    this.#heap[place] = record;
    this.#records.setWord(record, this.#layout.place, place);
  }
}
