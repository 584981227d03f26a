import type { Block } from './blocks.ts';

/** The number of slots whose headers are kept in memory: a little more than seven hours. */
export const KEPT_HEADERS = 1 << 16;
const HASH_BYTES = 32;
const UNKNOWN = -1;

/** The part of a block that is kept after its hash has expired. */
export interface BlockHeader {
  readonly slot: bigint;
  readonly parent: bigint;
  readonly height: bigint;
  /** Unix seconds. */
  readonly time: bigint;
  readonly hash: Uint8Array;
  /** The number of transactions. Null for the first block that is known after a restart. */
  readonly transactions: number | null;
}

/** The blocks of one minute of the network's time. */
export interface MinuteOfBlocks {
  /** The last slot of the minute. */
  readonly slot: bigint;
  readonly slots: bigint;
  readonly transactions: number;
}

/** The headers of the newest blocks, in a ring buffer by slot. */
export class BlockHeaders {
  readonly #slots = new BigInt64Array(KEPT_HEADERS).fill(-1n);
  readonly #parents = new BigInt64Array(KEPT_HEADERS);
  readonly #heights = new BigInt64Array(KEPT_HEADERS);
  readonly #times = new BigInt64Array(KEPT_HEADERS);
  readonly #transactions = new Int32Array(KEPT_HEADERS);
  readonly #hashes = new Uint8Array(KEPT_HEADERS * HASH_BYTES);
  #newest = -1n;
  #oldest = 0n;

  /** Adds a block, whose slot must be later than all before. */
  add({ slot, parent, height, time, hash }: Block, transactions: number | null): void {
    const at = toHeaderIndex(slot);
    if (this.#newest < 0n) this.#oldest = slot;
    this.#newest = slot;
    this.#slots[at] = slot;
    this.#parents[at] = parent;
    this.#heights[at] = height;
    this.#times[at] = time;
    this.#transactions[at] = transactions ?? UNKNOWN;
    this.#hashes.set(hash, at * HASH_BYTES);
  }

  has(slot: bigint): boolean {
    // After skipped slots, a place in the ring may still contain an older header.
    return slot >= 0n && slot >= this.#least && this.#slots[toHeaderIndex(slot)] === slot;
  }

  /** Returns null for a slot without a block, and for one that is no longer kept. */
  get(slot: bigint): BlockHeader | null {
    if (!this.has(slot)) return null;
    const at = toHeaderIndex(slot);
    const count = this.#transactions[at] ?? UNKNOWN;
    return {
      slot,
      parent: this.#parents[at] ?? 0n,
      height: this.#heights[at] ?? 0n,
      time: this.#times[at] ?? 0n,
      hash: this.#hashes.slice(at * HASH_BYTES, (at + 1) * HASH_BYTES),
      transactions: count === UNKNOWN ? null : count,
    };
  }

  /** Returns Unix seconds, or null where `get` does. */
  timeOf(slot: bigint): bigint | null {
    return this.has(slot) ? (this.#times[toHeaderIndex(slot)] ?? null) : null;
  }

  /** The oldest slot with a header. */
  oldest(): bigint {
    if (this.#oldest < this.#least) this.#oldest = this.#least;
    while (this.#oldest < this.#newest && !this.has(this.#oldest)) this.#oldest++;
    return this.#oldest;
  }

  get #least(): bigint {
    return this.#newest - BigInt(KEPT_HEADERS) + 1n;
  }

  /** Counts the blocks from slot `first` to `last`, both included. Both must be kept. */
  count(first: bigint, last: bigint): number {
    let blocks = 0;
    for (let slot = first; slot <= last; slot++) if (this.has(slot)) blocks++;
    return blocks;
  }

  /** Returns the complete minutes up to `slot`, newest first, as far as headers are kept. */
  minutes(slot: bigint, limit: number): MinuteOfBlocks[] {
    const found: MinuteOfBlocks[] = [];
    const oldest = this.oldest();
    let minute: { readonly number: bigint; readonly last: bigint; transactions: number } | null = null;
    let isOver = false;
    for (let at = slot; at >= oldest && found.length < limit; at--) {
      const time = this.timeOf(at);
      if (time === null) continue;
      const number = time / 60n;
      if (minute === null || minute.number !== number) {
        if (minute !== null && isOver) {
          found.push({ slot: minute.last, slots: minute.last - at, transactions: minute.transactions });
        }
        // The newest minute is not complete yet.
        isOver = minute !== null;
        minute = { number, last: at, transactions: 0 };
      }
      minute.transactions += Math.max(0, this.#transactions[toHeaderIndex(at)] ?? 0);
    }
    return found;
  }
}

function toHeaderIndex(slot: bigint): number {
  return Number(slot % BigInt(KEPT_HEADERS));
}
