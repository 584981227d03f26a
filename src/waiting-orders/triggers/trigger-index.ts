import { type Address, ADDRESS_BYTES, toAddress, toAddressBytes } from '../../solana/address.ts';
import type { SinglePlan } from '../order-plan.ts';
import type { WaitingOrder } from '../waiting-order.ts';
import { formatOrderId, ID_WORDS, parseOrderId } from '../order-id.ts';
import { PutOffHeap } from './put-off-heap.ts';
import { RecordTable } from './record-table.ts';
import { type TreePosition, TriggerTree } from './trigger-tree.ts';

/** What the index keeps of an order. */
export type IndexedOrder = Pick<WaitingOrder, 'id' | 'inputMint' | 'outputMint' | 'retryAt'> &
  Pick<SinglePlan, 'triggerMint' | 'condition' | 'triggerPrice'>;

/**
 * The prices that a token has had for as long as a trigger has to hold, in US dollars for a whole token. An order above a
 * price is triggered by the lowest of them, an order below a price by the highest.
 */
export interface HeldPrice {
  readonly low: number;
  readonly high: number;
}

export interface TriggerIndexOptions {
  /** Called when the first order names a mint, and when the last one that did is gone. */
  readonly onMint?: (mint: Address, isNamed: boolean) => void;
  /** Two random numbers of 32 bits, so that nobody can choose orders that are slow to find. */
  readonly seeds: readonly [number, number];
}

/** The words of an order's record: 64 bytes. The first four are its id. */
const ORDER = {
  left: 5,
  right: 6,
  place: 7,
  /** The trigger price; negative for orders below it, so that those are sorted from the highest price on. */
  rank: 8,
  time: 10,
  /** Twice the number of the trigger mint's record, and 1 for orders below the price. */
  trigger: 12,
  input: 13,
  output: 14,
} as const;
const ORDER_SHAPE = { words: 16, keyWords: ID_WORDS };
const ORDER_TREE = { left: ORDER.left, right: ORDER.right, rank: ORDER.rank, tieWords: ID_WORDS };

const MINT_WORDS = ADDRESS_BYTES / 4;
/** The words of a mint's record: 48 bytes. The first eight are its address. */
const MINT = { above: 9, below: 10, named: 11 } as const;
const MINT_SHAPE = { words: 12, keyWords: MINT_WORDS };

/**
 * All open orders by the price that triggers them, for each mint, so that a change of a price costs what it triggers. An
 * order takes some 70 bytes, and a mint some 60, outside the heap of objects.
 *
 * An order is either sorted by its price, or put off until a time. Whoever is offered an order by `reached` removes it or
 * puts it off; so nobody is offered the same order at every change of the price, however many cannot be filled.
 *
 * @example
 * ```ts
 * import type { Address } from '../../solana/address.ts';
 * import { TriggerIndex } from './trigger-index.ts';
 *
 * // Returns the ids of at most ten orders that a price triggers.
 * function findTriggered(index: TriggerIndex, mint: Address, price: number): readonly string[] {
 *   const ids: string[] = [];
 *   for (const id of index.reached(mint, { low: price, high: price })) {
 *     if (ids.push(id) === 10) break;
 *   }
 *   return ids;
 * }
 * ```
 */
export class TriggerIndex {
  readonly #onMint: (mint: Address, isNamed: boolean) => void;
  readonly #orders: RecordTable;
  readonly #mints: RecordTable;
  readonly #tree: TriggerTree;
  readonly #putOff: PutOffHeap;
  readonly #idKey = new Int32Array(ID_WORDS);
  readonly #mintKey = new Int32Array(MINT_WORDS);
  readonly #mintBytes = new Uint8Array(this.#mintKey.buffer);

  constructor({ onMint, seeds }: TriggerIndexOptions) {
    this.#onMint = onMint ?? (() => undefined);
    this.#orders = new RecordTable(ORDER_SHAPE, seeds[0]);
    this.#mints = new RecordTable(MINT_SHAPE, seeds[0]);
    this.#tree = new TriggerTree(this.#orders, ORDER_TREE, seeds[1]);
    this.#putOff = new PutOffHeap(this.#orders, ORDER);
  }

  /** How many orders there are, those that are put off included. */
  get size(): number {
    return this.#orders.size;
  }

  /** How many orders are put off. */
  get putOffCount(): number {
    return this.#putOff.size;
  }

  /** How many mints the orders name. */
  get mintCount(): number {
    return this.#mints.size;
  }

  /** The bytes that are allocated. They stay when orders are removed. */
  get bytes(): number {
    return this.#orders.bytes + this.#mints.bytes + this.#putOff.bytes;
  }

  /** The time, in Unix milliseconds, at which the next order that is put off is due; null if none is. */
  get nextDue(): number | null {
    const { top } = this.#putOff;
    return top === 0 ? null : this.#putOff.time(top);
  }

  has(id: string): boolean {
    return this.#find(id) !== 0;
  }

  /**
   * Adds an order, or replaces the one with its id. It is put off until `retryAt`, if that is not 0.
   *
   * @throws RangeError if the trigger price is not a positive number
   */
  add(order: IndexedOrder): void {
    const { id, triggerMint, inputMint, outputMint, condition, triggerPrice, retryAt } = order;
    if (!(triggerPrice > 0) || !Number.isFinite(triggerPrice)) {
      throw new RangeError(`the trigger price of order ${id} must be a positive number, not ${triggerPrice}`);
    }
    const replaced = this.#find(id);
    // The mints of both are named in between, so that nobody is told that a mint is gone which is not.
    const [trigger, input, output] = [triggerMint, inputMint, outputMint].map((mint) => this.#name(mint));
    if (replaced !== 0) this.#remove(replaced);
    parseOrderId(id, this.#idKey);
    const record = this.#orders.add(this.#idKey);
    this.#orders.setWord(record, ORDER.trigger, 2 * (trigger ?? 0) + (condition === 'below' ? 1 : 0));
    this.#orders.setWord(record, ORDER.input, input ?? 0);
    this.#orders.setWord(record, ORDER.output, output ?? 0);
    this.#orders.setDouble(record, ORDER.rank, condition === 'below' ? -triggerPrice : triggerPrice);
    if (retryAt > 0) this.#putOff.add(record, retryAt);
    else this.#sort(record);
  }

  /** Returns whether there was such an order. */
  remove(id: string): boolean {
    const record = this.#find(id);
    if (record === 0) return false;
    this.#remove(record);
    return true;
  }

  /**
   * Puts an order off: `reached` does not offer it until the time has come and `wake` was called.
   *
   * @param until - Unix milliseconds.
   * @returns whether there is such an order
   */
  putOff(id: string, until: number): boolean {
    const record = this.#find(id);
    if (record === 0) return false;
    if (this.#putOff.has(record)) this.#putOff.remove(record);
    else this.#unsort(record);
    this.#putOff.add(record, until);
    return true;
  }

  /**
   * Sorts orders by their prices again whose time has come, the earliest first.
   *
   * @param now - Unix milliseconds.
   * @param limit - How many orders at most.
   * @returns the mints whose prices trigger them, each once
   */
  wake(now: number, limit: number): readonly Address[] {
    const mints = new Set<number>();
    for (let left = limit; left > 0; left--) {
      const record = this.#putOff.top;
      if (record === 0 || this.#putOff.time(record) > now) break;
      this.#putOff.remove(record);
      this.#sort(record);
      mints.add(this.#orders.word(record, ORDER.trigger) >>> 1);
    }
    return [...mints].map((mint) => this.#address(mint));
  }

  /**
   * Yields the orders that a price triggers, those with the furthest trigger first, and of one trigger the oldest first.
   * Each is looked for when it is asked for, so that orders may be added, removed and put off in between, and what is not
   * asked for costs nothing.
   */
  *reached(mint: Address, { low, high }: HeldPrice): Generator<string, void, undefined> {
    yield* this.#reachedIn(mint, MINT.above, low);
    yield* this.#reachedIn(mint, MINT.below, -high);
  }

  *#reachedIn(mint: Address, root: number, last: number): Generator<string, void, undefined> {
    const position: TreePosition = { rank: Number.NEGATIVE_INFINITY, tie: new Int32Array(ID_WORDS) };
    for (;;) {
      // Found again each time, because the mint's record may be another one after what happened in between.
      const found = this.#findMint(mint);
      if (found === 0) return;
      const record = this.#tree.after(this.#mints.word(found, root), position);
      if (record === 0 || !(this.#orders.double(record, ORDER.rank) <= last)) return;
      this.#tree.readPosition(record, position);
      yield formatOrderId(position.tie);
    }
  }

  #remove(record: number): void {
    if (this.#putOff.has(record)) this.#putOff.remove(record);
    else this.#unsort(record);
    const trigger = this.#orders.word(record, ORDER.trigger) >>> 1;
    const input = this.#orders.word(record, ORDER.input);
    const output = this.#orders.word(record, ORDER.output);
    this.#orders.remove(record);
    for (const mint of [trigger, input, output]) this.#unname(mint);
  }

  #sort(record: number): void {
    const trigger = this.#orders.word(record, ORDER.trigger);
    const root = (trigger & 1) === 0 ? MINT.above : MINT.below;
    const mint = trigger >>> 1;
    this.#mints.setWord(mint, root, this.#tree.insert(this.#mints.word(mint, root), record));
  }

  #unsort(record: number): void {
    const trigger = this.#orders.word(record, ORDER.trigger);
    const root = (trigger & 1) === 0 ? MINT.above : MINT.below;
    const mint = trigger >>> 1;
    this.#mints.setWord(mint, root, this.#tree.remove(this.#mints.word(mint, root), record));
  }

  #find(id: string): number {
    parseOrderId(id, this.#idKey);
    return this.#orders.find(this.#idKey);
  }

  #findMint(mint: Address): number {
    this.#mintBytes.set(toAddressBytes(mint));
    return this.#mints.find(this.#mintKey);
  }

  /** Counts an order that names the mint, and returns its record. */
  #name(mint: Address): number {
    const known = this.#findMint(mint);
    if (known !== 0) {
      this.#mints.setWord(known, MINT.named, this.#mints.word(known, MINT.named) + 1);
      return known;
    }
    const record = this.#mints.add(this.#mintKey);
    this.#mints.setWord(record, MINT.named, 1);
    this.#onMint(mint, true);
    return record;
  }

  #unname(mint: number): void {
    const named = this.#mints.word(mint, MINT.named) - 1;
    this.#mints.setWord(mint, MINT.named, named);
    if (named > 0) return;
    const address = this.#address(mint);
    this.#mints.remove(mint);
    this.#onMint(address, false);
  }

  #address(mint: number): Address {
    this.#mints.readKey(mint, this.#mintKey);
    return toAddress(this.#mintBytes);
  }
}
