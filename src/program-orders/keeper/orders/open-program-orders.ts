import type { AccountUpdate } from '../../../chain/accounts.ts';
import type { Address } from '../../../solana/address.ts';
import { ORDER_PROGRAMS, type OrderProgram } from '../../program-order.ts';
import type { KnownOrder } from '../plan/order-planner.ts';
import type { OrderWait } from '../plan/order-put-off.ts';
import { DueTimes } from './due-times.ts';
import { computeWantedRatio, decodeKnownOrder, type FollowedOrder, findDueSecond } from './followed-order.ts';
import { PriceLadder } from './price-ladder.ts';

/** Orders that are woken at once. */
const MAX_WOKEN = 1_000;
/** Orders of a pair that are queued at once when its price moves. The next ones follow with the next look. */
const MAX_REACHED = 256;
/** How long it takes at most until the change by a landed transaction is reported. */
const REPORTED_MS = 2_000;
/** Orders are tried that want a little more than the estimate, since a route may pay more than the pools' prices say. */
const MARGIN = 1.005;

export interface OpenProgramOrdersOptions {
  /** Returns US dollars per atom, for ranking only; null without a price. */
  readonly dollarsPerAtom: (mint: Address) => number | null;
  /** Called with an order that can be worked on now. */
  readonly onReady: (order: FollowedOrder) => void;
  /** Called when the first order names a mint, and when the last one that did is gone. */
  readonly onMint: (mint: Address, isNamed: boolean) => void;
  /** Whether orders of the program are filled by this keeper. */
  readonly isFilled: (program: OrderProgram) => boolean;
}

interface Pair {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly ladder: PriceLadder;
}

/** What became of an order that was worked on. */
export type WorkEnd =
  /** It is tried again at a time, in local milliseconds. */
  | {
      readonly kind: 'waits';
      readonly reason: OrderWait;
      readonly until: number;
      readonly hasFailed: boolean;
    }
  /** It was filled, or does not exist any more. What the chain reports of it says what comes next. */
  | { readonly kind: 'done' };

/** The open orders of both programs in the memory of one keeper, as the chain reports them. */
export class OpenProgramOrders {
  readonly #options: OpenProgramOrdersOptions;
  readonly #orders = new Map<Address, FollowedOrder>();
  readonly #pairs = new Map<string, Pair>();
  readonly #pairsOf = new Map<Address, Set<Pair>>();
  readonly #named = new Map<Address, number>();
  /** By the seconds of the network. */
  readonly #due = new DueTimes();
  /** By local milliseconds. */
  readonly #putOff = new DueTimes();
  /** Pairs whose prices may reach orders. */
  readonly #moved = new Set<Pair>();

  constructor(options: OpenProgramOrdersOptions) {
    this.#options = options;
  }

  countByProgram(): ReadonlyMap<OrderProgram, number> {
    const counts = new Map<OrderProgram, number>(ORDER_PROGRAMS.map((program) => [program, 0]));
    for (const { known } of this.#orders.values()) {
      counts.set(known.program, (counts.get(known.program) ?? 0) + 1);
    }
    return counts;
  }

  countByReason(): ReadonlyMap<OrderWait, number> {
    const counts = new Map<OrderWait, number>();
    for (const { reason } of this.#orders.values()) {
      if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    return counts;
  }

  /** Takes note of accounts of the programs. */
  apply(updates: readonly AccountUpdate[], now: number): void {
    for (const { address, slot, account, isRollback } of updates) {
      const followed = this.#orders.get(address);
      if (followed !== undefined && followed.slot > slot && isRollback !== true) continue;
      const failures = followed?.known.failures ?? 0;
      const known = account === null ? null : decodeKnownOrder(address, account, failures);
      if (known === null) this.#forget(address);
      else if (followed === undefined) this.#add(known, slot, now);
      else this.#change(followed, { known, slot, now });
    }
  }

  /** Queues the orders whose time has come. */
  wake(times: { readonly now: number; readonly chainSecond: bigint }): void {
    for (const address of this.#putOff.takeDue(times.now, MAX_WOKEN)) {
      const followed = this.#orders.get(address);
      if (followed?.place === 'put-off') this.#settle(followed, times.now);
    }
    for (const address of this.#due.takeDue(Number(times.chainSecond), MAX_WOKEN)) {
      const followed = this.#orders.get(address);
      if (followed?.place === 'idle') this.#queue(followed, times.now);
    }
  }

  /** Takes note that the price of a token may have moved. */
  noteMoved(mint: Address): void {
    for (const pair of this.#pairsOf.get(mint) ?? []) this.#moved.add(pair);
  }

  /** Takes note that any price may have moved. */
  noteAllMoved(): void {
    for (const pair of this.#pairs.values()) this.#moved.add(pair);
  }

  /** Queues orders whose price the estimates of now reach. */
  look(now: number, maxPairs: number): void {
    let left = maxPairs;
    const unfinished: Pair[] = [];
    for (const pair of this.#moved) {
      if (left-- === 0) break;
      this.#moved.delete(pair);
      const estimate = this.#estimate(pair);
      if (estimate === null) continue;
      const reached = pair.ladder.listReached(estimate * MARGIN, MAX_REACHED);
      for (const address of reached) {
        const followed = this.#orders.get(address);
        if (followed !== undefined) this.#queue(followed, now);
      }
      if (reached.length === MAX_REACHED) unfinished.push(pair);
    }
    for (const pair of unfinished) this.#moved.add(pair);
  }

  /** Marks a queued order as worked on. Returns null if it is no longer queued. */
  begin(address: Address): FollowedOrder | null {
    const followed = this.#orders.get(address);
    if (followed?.place !== 'queued') return null;
    followed.place = 'worked';
    followed.hasChanged = false;
    return followed;
  }

  /** Gives back an order that was worked on. */
  release(address: Address, end: WorkEnd, now: number): void {
    const followed = this.#orders.get(address);
    if (followed?.place !== 'worked') return;
    const { known } = followed;
    if (end.kind === 'waits') {
      followed.reason = end.reason;
      followed.times++;
      followed.known = { ...known, failures: known.failures + (end.hasFailed ? 1 : 0) };
      followed.place = 'put-off';
      this.#putOff.set(address, end.until);
      return;
    }
    this.#recover(followed);
    if (followed.hasChanged) {
      this.#settle(followed, now);
      return;
    }
    // The change is about to be reported. Until then, the order would seem to be open as it was.
    followed.place = 'put-off';
    this.#putOff.set(address, now + REPORTED_MS);
  }

  /** Looks at all orders of a program again, after it has become known whether this keeper fills them. */
  settleAll(program: OrderProgram, now: number): void {
    for (const followed of this.#orders.values()) {
      if (followed.known.program === program && followed.place === 'idle') this.#settle(followed, now);
    }
  }

  /**
   * Forgets an order that was worked on and does not exist any more. If another one has come to its address, that one is reported,
   * or was so already.
   */
  drop({ hasChanged, known: { address } }: FollowedOrder, now: number): void {
    if (hasChanged) this.release(address, { kind: 'done' }, now);
    else this.#forget(address);
  }

  #add(known: KnownOrder, slot: bigint, now: number): void {
    const followed: FollowedOrder = {
      known,
      slot,
      place: 'idle',
      reason: null,
      times: 0,
      readySince: now,
      hasChanged: false,
    };
    this.#orders.set(known.address, followed);
    for (const mint of listMints(known)) this.#name(mint, 1);
    if (!this.#options.isFilled(known.program)) return;
    if (known.program === 'limit-order') this.#queue(followed, now);
    else this.#settle(followed, now);
  }

  /** An order that has changed is looked at again at once, unless it was put off: its owner could change it as often. */
  #change(
    followed: FollowedOrder,
    { known, slot, now }: { known: KnownOrder; slot: bigint; now: number },
  ): void {
    followed.slot = slot;
    this.#leaveIdle(followed);
    const before = followed.known;
    followed.known = known;
    if (
      before.order.inputMint !== known.order.inputMint ||
      before.order.outputMint !== known.order.outputMint
    ) {
      for (const mint of listMints(before)) this.#name(mint, -1);
      for (const mint of listMints(known)) this.#name(mint, 1);
    }
    if (followed.place === 'worked') followed.hasChanged = true;
    const isAwaited = followed.place === 'put-off' && followed.reason === null;
    if (isAwaited) this.#putOff.delete(known.address);
    if (isAwaited || followed.place === 'idle') this.#settle(followed, now);
  }

  #forget(address: Address): void {
    const followed = this.#orders.get(address);
    if (followed === undefined) return;
    this.#leaveIdle(followed);
    this.#putOff.delete(address);
    this.#orders.delete(address);
    for (const mint of listMints(followed.known)) this.#name(mint, -1);
  }

  #recover(followed: FollowedOrder): void {
    followed.reason = null;
    followed.times = 0;
    followed.known = { ...followed.known, failures: 0 };
  }

  /** Lets an order wait for its price and its time, or queues it if it need not wait. */
  #settle(followed: FollowedOrder, now: number): void {
    const { known } = followed;
    const { address } = known;
    followed.place = 'idle';
    if (!this.#options.isFilled(known.program)) return;
    const due = findDueSecond(known);
    if (due !== null) this.#due.set(address, Number(due));
    if (known.program !== 'limit-order') return;
    const pair = this.#openPair(known.order.inputMint, known.order.outputMint);
    const ratio = computeWantedRatio(known.order);
    const estimate = this.#estimate(pair);
    // Without an estimate, an order is tried whenever it is no longer put off.
    if (estimate === null || ratio <= estimate * MARGIN) this.#queue(followed, now);
    else {
      followed.reason = null;
      pair.ladder.add(address, ratio);
    }
  }

  #queue(followed: FollowedOrder, now: number): void {
    this.#leaveIdle(followed);
    followed.place = 'queued';
    followed.readySince = now;
    this.#options.onReady(followed);
  }

  /** Takes an order out of what idle orders wait in. */
  #leaveIdle({ known }: FollowedOrder): void {
    this.#due.delete(known.address);
    if (known.program !== 'limit-order') return;
    const { inputMint, outputMint } = known.order;
    this.#pairs
      .get(pairKey(inputMint, outputMint))
      ?.ladder.remove(known.address, computeWantedRatio(known.order));
  }

  #openPair(inputMint: Address, outputMint: Address): Pair {
    const key = pairKey(inputMint, outputMint);
    let pair = this.#pairs.get(key);
    if (pair === undefined) {
      pair = { inputMint, outputMint, ladder: new PriceLadder() };
      this.#pairs.set(key, pair);
      for (const mint of [inputMint, outputMint]) {
        const pairs = this.#pairsOf.get(mint) ?? new Set();
        this.#pairsOf.set(mint, pairs.add(pair));
      }
    }
    return pair;
  }

  #estimate({ inputMint, outputMint }: Pair): number | null {
    const [input, output] = [inputMint, outputMint].map((mint) => this.#options.dollarsPerAtom(mint));
    if (input === null || input === undefined || output === null || output === undefined) return null;
    return output > 0 ? input / output : null;
  }

  /** Counts the orders that name a mint, and forgets the pairs of one that none names. */
  #name(mint: Address, change: 1 | -1): void {
    const before = this.#named.get(mint) ?? 0;
    const after = before + change;
    if (after > 0) this.#named.set(mint, after);
    else {
      this.#named.delete(mint);
      for (const pair of this.#pairsOf.get(mint) ?? []) this.#removePair(pair);
    }
    if (before === 0 || after === 0) this.#options.onMint(mint, after > 0);
  }

  #removePair(pair: Pair): void {
    const { inputMint, outputMint } = pair;
    this.#pairs.delete(pairKey(inputMint, outputMint));
    this.#moved.delete(pair);
    for (const mint of [inputMint, outputMint]) {
      const pairs = this.#pairsOf.get(mint);
      pairs?.delete(pair);
      if (pairs?.size === 0) this.#pairsOf.delete(mint);
    }
  }
}

function pairKey(inputMint: Address, outputMint: Address): string {
  return `${inputMint} ${outputMint}`;
}

function listMints({ order: { inputMint, outputMint } }: KnownOrder): readonly Address[] {
  return [inputMint, outputMint];
}
