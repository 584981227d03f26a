import type { AccountUpdate } from '../../../chain/accounts.ts';
import type { Address } from '../../../solana/address.ts';
import { ORDER_PROGRAMS, type OrderProgram } from '../../program-order.ts';
import type { KnownOrder } from '../plan/order-planner.ts';
import type { OrderWait } from '../plan/order-put-off.ts';
import { DueTimes } from './due-times.ts';
import { decodeKnownOrder, type FollowedOrder, findDueSecond } from './followed-order.ts';
import { OrderPairs, type OrderPairsOptions } from './order-pairs.ts';

/** Orders that are woken at once. */
const MAX_WOKEN = 1_000;
/** How long it takes at most until the change by a landed transaction is reported. */
const REPORTED_MS = 2_000;

export interface KeeperOrdersOptions extends OrderPairsOptions {
  /** Called with an order that can be worked on now. */
  readonly onReady: (order: FollowedOrder) => void;
  /** Whether orders of the program are filled by this keeper. */
  readonly isFilled: (program: OrderProgram) => boolean;
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
export class KeeperOrders {
  readonly #options: KeeperOrdersOptions;
  readonly #orders = new Map<Address, FollowedOrder>();
  readonly #pairs: OrderPairs;
  /** By the seconds of the network. */
  readonly #due = new DueTimes();
  /** By local milliseconds. */
  readonly #putOff = new DueTimes();

  constructor(options: KeeperOrdersOptions) {
    this.#options = options;
    this.#pairs = new OrderPairs(options);
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
    this.#pairs.noteMoved(mint);
  }

  /** Takes note that any price may have moved. */
  noteAllMoved(): void {
    this.#pairs.noteAllMoved();
  }

  /** Queues orders whose price the estimates of now reach. */
  look(now: number, maxPairs: number): void {
    for (const address of this.#pairs.listReached(maxPairs)) {
      const followed = this.#orders.get(address);
      if (followed !== undefined) this.#queue(followed, now);
    }
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
    this.#pairs.name(known.order);
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
      this.#pairs.forget(before.order);
      this.#pairs.name(known.order);
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
    this.#pairs.forget(followed.known.order);
  }

  #recover(followed: FollowedOrder): void {
    followed.reason = null;
    followed.times = 0;
    followed.known = { ...followed.known, failures: 0 };
  }

  /** Lets an order wait for its price and its time, or queues it if it need not wait. */
  #settle(followed: FollowedOrder, now: number): void {
    const { known } = followed;
    followed.place = 'idle';
    if (!this.#options.isFilled(known.program)) return;
    const due = findDueSecond(known);
    if (due !== null) this.#due.set(known.address, Number(due));
    if (known.program !== 'limit-order') return;
    if (this.#pairs.add(known.address, known.order)) followed.reason = null;
    else this.#queue(followed, now);
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
    if (known.program === 'limit-order') this.#pairs.remove(known.address, known.order);
  }
}
