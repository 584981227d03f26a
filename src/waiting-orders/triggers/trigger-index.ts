import type { Address } from '../../solana/address.ts';
import { formatOrderId, ID_WORDS, parseOrderId } from '../order-id.ts';
import type { SinglePlan, TriggerCondition } from '../order-plan.ts';
import type { WaitingOrder } from '../waiting-order.ts';
import { NamedMints } from './named-mints.ts';
import { PutOffHeap } from './put-off-heap.ts';
import { RecordTable } from './record-table.ts';
import { type TreePosition, TriggerTree } from './trigger-tree.ts';

/** A price that triggers an order. */
export interface IndexedTrigger extends Pick<SinglePlan, 'condition' | 'triggerPrice'> {
  readonly mint: Address;
  /** Whether the price follows the market. */
  readonly isTrailing: boolean;
}

/** A round of a recurring order. */
export interface IndexedRound {
  /** Unix milliseconds. */
  readonly dueAt: number;
  /** The mint between whose prices it is filled; null for a round at any price. */
  readonly mint: Address | null;
}

/** What the index keeps of an order: one or two prices, or a round. */
export interface IndexedOrder extends Pick<WaitingOrder, 'id' | 'inputMint' | 'outputMint' | 'retryAt'> {
  /** Two prices of one mint are one above and one below. */
  readonly triggers: readonly IndexedTrigger[];
  /** Null for an order that waits for prices. */
  readonly round: IndexedRound | null;
}

/**
 * The prices that a token has had for as long as a trigger has to hold, in US dollars for a whole token. An order above a
 * price is triggered by the lowest of them, an order below a price by the highest.
 */
export interface HeldPrice {
  readonly low: number;
  readonly high: number;
}

/** Prices that triggers trail. */
export interface TrailedPrice {
  readonly mint: Address;
  readonly condition: TriggerCondition;
  /** Counts the orders that were added and trail it. */
  readonly added: number;
}

export interface TriggerIndexOptions {
  /** Called when the first order names a mint, and when the last one that did is gone. */
  readonly onMint?: (mint: Address, isNamed: boolean) => void;
  /** Two random numbers of 32 bits, so that nobody can choose orders that are slow to find. */
  readonly seeds: readonly [number, number];
}

/**
 * The words of a record: 64 bytes. The first four are the id of the order. An order has one record for each of its prices, or
 * one for its round.
 */
const ORDER = {
  left: 5,
  right: 6,
  place: 7,
  /**
   * The trigger price; negative for triggers below it, so that those are sorted from the highest price on. For a round, the time
   * when it is due.
   */
  rank: 8,
  time: 10,
  /** For a price, see `#addTrigger`. For a round, -1 less the number of the record of the mint that it watches, or -1. */
  trigger: 12,
  /** In the first record of an order alone. */
  input: 13,
  output: 14,
  /** In the first record, the number of the second one, or 0. In the second record, the first one's number, negative. */
  sibling: 15,
} as const;
const ORDER_SHAPE = { words: 16, keyWords: ID_WORDS };
const ORDER_TREE = { left: ORDER.left, right: ORDER.right, rank: ORDER.rank, tieWords: ID_WORDS };
/** A round is in no tree, so the words of one keep its place. */
const DUE_HEAP = { time: ORDER.rank, place: ORDER.left };

/**
 * All open orders by the prices that trigger them, for each mint, so that a change of a price costs what it triggers, and
 * recurring orders by the time when they are due. A price or a round takes some 70 bytes, and a mint some 60, outside the heap of
 * objects.
 *
 * An order is either sorted by its prices, or due, or put off until a time. Whoever is offered an order by `reached` or `dueRound`
 * removes it or puts it off; so nobody is offered the same order at every change of the price, however many cannot be filled.
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
  readonly #orders: RecordTable;
  readonly #mints: NamedMints;
  readonly #tree: TriggerTree;
  readonly #putOff: PutOffHeap;
  readonly #due: PutOffHeap;
  /** By the mint and the condition. */
  readonly #trailed = new Map<string, TrailedPrice & { added: number; count: number }>();
  readonly #idKey = new Int32Array(ID_WORDS);
  #size = 0;

  constructor({ onMint = () => undefined, seeds }: TriggerIndexOptions) {
    this.#orders = new RecordTable(ORDER_SHAPE, seeds[0]);
    this.#mints = new NamedMints(seeds[0], onMint);
    this.#tree = new TriggerTree(this.#orders, ORDER_TREE, seeds[1]);
    this.#putOff = new PutOffHeap(this.#orders, ORDER);
    this.#due = new PutOffHeap(this.#orders, DUE_HEAP);
  }

  /** How many orders there are, those that are put off included. */
  get size(): number {
    return this.#size;
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
    return this.#orders.bytes + this.#mints.bytes + this.#putOff.bytes + this.#due.bytes;
  }

  /** The time, in Unix milliseconds, at which the next order that is put off is due; null if none is. */
  get nextDue(): number | null {
    const { top } = this.#putOff;
    return top === 0 ? null : this.#putOff.time(top);
  }

  /** The order whose round has been due for longest, and is not put off; null if none is due. */
  get dueRound(): string | null {
    const { top } = this.#due;
    if (top === 0) return null;
    this.#orders.readKey(top, this.#idKey);
    return formatOrderId(this.#idKey);
  }

  /** The prices that triggers of orders trail. */
  get trailed(): Iterable<TrailedPrice> {
    return this.#trailed.values();
  }

  has(id: string): boolean {
    return this.#find(id) !== 0;
  }

  /**
   * Adds an order, or replaces the one with its id. It is put off until `retryAt`, if that is not 0. A round is offered once `wake`
   * finds that it is due.
   *
   * @throws RangeError if it waits for nothing, or for both prices and a round, if a trigger price is not a positive number, or if
   *   two triggers are alike
   */
  add(order: IndexedOrder): void {
    assertIndexable(order);
    const { id, inputMint, outputMint, triggers, round, retryAt } = order;
    const replaced = this.#find(id);
    // The mints of both are named in between, so that nobody is told that a mint is gone which is not.
    const [input, output] = [this.#mints.name(inputMint), this.#mints.name(outputMint)];
    const watched = triggers.map(({ mint }) => this.#mints.name(mint));
    const band = round?.mint ? this.#mints.name(round.mint) : 0;
    if (replaced !== 0) this.#remove(replaced);
    parseOrderId(id, this.#idKey);
    const [first = 0, second = 0] =
      round === null
        ? triggers.map((trigger, at) => this.#addTrigger(trigger, watched[at] as number))
        : [this.#addRound(round, band)];
    this.#orders.setWord(first, ORDER.input, input);
    this.#orders.setWord(first, ORDER.output, output);
    if (second !== 0) {
      this.#orders.setWord(first, ORDER.sibling, second);
      this.#orders.setWord(second, ORDER.sibling, -first);
    }
    this.#size++;
    if (retryAt > 0 || round !== null) this.#putOff.add(first, Math.max(retryAt, round?.dueAt ?? 0));
    else this.#sort(first);
  }

  /** Returns whether there was such an order. */
  remove(id: string): boolean {
    const record = this.#find(id);
    if (record === 0) return false;
    this.#remove(record);
    return true;
  }

  /**
   * Puts an order off: neither `reached` nor `dueRound` offers it until the time has come and `wake` was called.
   *
   * @param until - Unix milliseconds.
   * @returns whether there is such an order
   */
  putOff(id: string, until: number): boolean {
    const record = this.#find(id);
    if (record === 0) return false;
    this.#takeOut(record);
    this.#putOff.add(record, until);
    return true;
  }

  /**
   * Offers orders again whose time has come, the earliest first.
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
      this.#wakeOne(record, now, mints);
    }
    return [...mints].map((mint) => this.#mints.address(mint));
  }

  /** Does what `wake` does, with all orders that are put off. Their rounds are offered whether they are due or not. */
  wakeAll(): readonly Address[] {
    const mints = new Set<number>();
    for (const record of this.#putOff.records()) this.#wakeOne(record, Number.POSITIVE_INFINITY, mints);
    return [...mints].map((mint) => this.#mints.address(mint));
  }

  /**
   * Yields the orders that a price triggers, those with the furthest trigger first, and of one trigger the oldest first.
   * Each is looked for when it is asked for, so that orders may be added, removed and put off in between, and what is not
   * asked for costs nothing.
   */
  *reached(mint: Address, { low, high }: HeldPrice): Generator<string, void, undefined> {
    yield* this.#reachedIn(mint, 'above', low);
    yield* this.#reachedIn(mint, 'below', -high);
  }

  *#reachedIn(mint: Address, condition: TriggerCondition, last: number): Generator<string, void, undefined> {
    const position: TreePosition = { rank: Number.NEGATIVE_INFINITY, tie: new Int32Array(ID_WORDS) };
    for (;;) {
      // Found again each time, because the mint's record may be another one after what happened in between.
      const found = this.#mints.find(mint);
      if (found === 0) return;
      const record = this.#tree.after(this.#mints.root(found, condition), position);
      if (record === 0 || !(this.#orders.double(record, ORDER.rank) <= last)) return;
      this.#tree.readPosition(record, position);
      yield formatOrderId(position.tie);
    }
  }

  /** Adds a record under the id in `#idKey`: its trigger is 4 times the number of the mint's record, 2 if it trails, 1 if below. */
  #addTrigger({ mint, condition, triggerPrice, isTrailing }: IndexedTrigger, watched: number): number {
    const record = this.#orders.add(this.#idKey);
    const isBelow = condition === 'below';
    this.#orders.setWord(record, ORDER.trigger, 4 * watched + (isTrailing ? 2 : 0) + (isBelow ? 1 : 0));
    this.#orders.setDouble(record, ORDER.rank, isBelow ? -triggerPrice : triggerPrice);
    if (isTrailing) {
      const key = `${condition} ${mint}`;
      const trailed = this.#trailed.get(key) ?? { mint, condition, added: 0, count: 0 };
      trailed.added++;
      trailed.count++;
      this.#trailed.set(key, trailed);
    }
    return record;
  }

  #addRound({ dueAt }: IndexedRound, watched: number): number {
    const record = this.#orders.add(this.#idKey);
    this.#orders.setWord(record, ORDER.trigger, -1 - watched);
    this.#orders.setDouble(record, ORDER.rank, dueAt);
    return record;
  }

  /** Removes the records of an order. @param first - Its first record. */
  #remove(first: number): void {
    this.#takeOut(first);
    this.#size--;
    const [input, output] = [this.#orders.word(first, ORDER.input), this.#orders.word(first, ORDER.output)];
    for (const record of this.#recordsOf(first)) {
      const trigger = this.#orders.word(record, ORDER.trigger);
      const watched = trigger < 0 ? -1 - trigger : trigger >>> 2;
      if (trigger > 0 && (trigger & 2) !== 0) this.#untrail(watched, toSide(trigger));
      this.#orders.remove(record);
      this.#mints.unname(watched);
    }
    for (const mint of [input, output]) this.#mints.unname(mint);
  }

  #untrail(mint: number, condition: TriggerCondition): void {
    const key = `${condition} ${this.#mints.address(mint)}`;
    const trailed = this.#trailed.get(key);
    if (trailed !== undefined && --trailed.count === 0) this.#trailed.delete(key);
  }

  #wakeOne(record: number, now: number, mints: Set<number>): void {
    this.#putOff.remove(record);
    const trigger = this.#orders.word(record, ORDER.trigger);
    if (trigger < 0) {
      const dueAt = this.#orders.double(record, ORDER.rank);
      if (dueAt > now) this.#putOff.add(record, dueAt);
      else this.#sort(record);
      return;
    }
    this.#sort(record);
    for (const each of this.#recordsOf(record)) mints.add(this.#orders.word(each, ORDER.trigger) >>> 2);
  }

  /** Has an order offered by its prices, or by its round, which is due. */
  #sort(first: number): void {
    for (const record of this.#recordsOf(first)) {
      const trigger = this.#orders.word(record, ORDER.trigger);
      if (trigger < 0) this.#due.add(record, this.#orders.double(record, ORDER.rank));
      else {
        const [mint, side] = [trigger >>> 2, toSide(trigger)];
        this.#mints.setRoot(mint, side, this.#tree.insert(this.#mints.root(mint, side), record));
      }
    }
  }

  /** Has an order not offered any more, whether it is put off, due or sorted. */
  #takeOut(first: number): void {
    if (this.#putOff.has(first)) {
      this.#putOff.remove(first);
      return;
    }
    for (const record of this.#recordsOf(first)) {
      const trigger = this.#orders.word(record, ORDER.trigger);
      if (trigger < 0) this.#due.remove(record);
      else {
        const [mint, side] = [trigger >>> 2, toSide(trigger)];
        this.#mints.setRoot(mint, side, this.#tree.remove(this.#mints.root(mint, side), record));
      }
    }
  }

  #recordsOf(first: number): readonly number[] {
    const second = this.#orders.word(first, ORDER.sibling);
    return second === 0 ? [first] : [first, second];
  }

  /** Returns the first record of an order; 0 if there is none. */
  #find(id: string): number {
    parseOrderId(id, this.#idKey);
    const record = this.#orders.find(this.#idKey);
    const sibling = record === 0 ? 0 : this.#orders.word(record, ORDER.sibling);
    return sibling < 0 ? -sibling : record;
  }
}

function toSide(trigger: number): TriggerCondition {
  return (trigger & 1) === 0 ? 'above' : 'below';
}

function assertIndexable({ id, triggers, round }: IndexedOrder): void {
  if ((round === null) !== triggers.length > 0 || triggers.length > 2) {
    throw new RangeError(`order ${id} must wait for one or two prices or for a round`);
  }
  for (const { triggerPrice } of triggers) {
    if (triggerPrice > 0 && Number.isFinite(triggerPrice)) continue;
    throw new RangeError(`the trigger price of order ${id} must be a positive number, not ${triggerPrice}`);
  }
  const [one, other] = triggers;
  if (other !== undefined && one?.mint === other.mint && one.condition === other.condition) {
    throw new RangeError(`the two prices of order ${id} must differ in their mint or their condition`);
  }
}
