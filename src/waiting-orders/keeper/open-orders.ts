import type { Address } from '../../solana/address.ts';
import { listTriggers, moveWatermark } from '../legs.ts';
import { LEASE_MS, MAX_DELAY_MS, MAX_LEASE_MS } from '../machine.ts';
import { isRoundMissed } from '../rounds.ts';
import type { HeldPrice, IndexedOrder, TrailedPrice, TriggerIndex } from '../triggers/trigger-index.ts';
import { isRecurring } from '../order-plan.ts';
import type { WaitingOrder, WaitReason } from '../waiting-order.ts';

/** Orders that are woken at once. */
const MAX_WOKEN = 10_000;
/** A clock that is only a little behind what it was is waited for. */
const MAX_CLOCK_STEP_MS = 2_000;

/** Returns the prices that a token has held for as long as a trigger has to; null if it has no price. */
export type FindHeldPrice = (mint: Address) => HeldPrice | null;

/** An order whose price is reached, or whose round is due. */
export interface TriggeredOrder {
  readonly id: string;
  readonly isRound: boolean;
  /** When its price came, in milliseconds of the local clock; null for a round, or one that was put off or has just been read. */
  readonly since: number | null;
}

/** Why an order is not filled although its price was reached, and how often it was put off in a row. */
interface Waiting {
  readonly reason: WaitReason;
  readonly times: number;
}

/**
 * The open orders in the memory of one keeper. The store has the truth: an order that is forgotten here is read again, and one
 * that is offered too often is refused there.
 */
export class OpenOrders {
  readonly #index: TriggerIndex;
  readonly #findPrice: FindHeldPrice;
  readonly #holder: string;
  /** Tokens whose prices may trigger orders that nobody has been offered yet. */
  readonly #reached = new Map<Address, number | null>();
  /** Orders that are worked on, each with what became known of it meanwhile; null if nothing has. */
  readonly #worked = new Map<string, WaitingOrder | null>();
  readonly #waiting = new Map<string, Waiting>();
  /** The latest look at what is due, by the store's clock. */
  #wokenAt = 0;

  /** @param holder - The name of this keeper in leases. */
  constructor(index: TriggerIndex, findPrice: FindHeldPrice, holder: string) {
    this.#index = index;
    this.#findPrice = findPrice;
    this.#holder = holder;
  }

  get size(): number {
    return this.#index.size;
  }

  /** Counts the orders that cannot be filled now, by the reason. */
  countByReason(): ReadonlyMap<WaitReason, number> {
    const counts = new Map<WaitReason, number>();
    for (const { reason } of this.#waiting.values()) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    return counts;
  }

  /** Returns how often in a row an order was put off. */
  timesPutOff(id: string): number {
    return this.#waiting.get(id)?.times ?? 0;
  }

  /**
   * Takes note of an order as it stands in the store. One that is worked on is left to `release`.
   * @param now - The store's time.
   */
  place(order: WaitingOrder, now: number): void {
    const { id, state, leaseHolder, leaseUntil, retryAt, waitsFor } = order;
    if (this.#worked.has(id)) {
      this.#worked.set(id, order);
      return;
    }
    if (state !== 'open') {
      this.#forget(id);
      return;
    }
    const isForeign = leaseHolder !== null && leaseHolder !== this.#holder;
    const until = Math.max(
      retryAt <= now + MAX_DELAY_MS ? retryAt : 0,
      isForeign && leaseUntil <= now + MAX_LEASE_MS ? leaseUntil : 0,
    );
    const indexed = toIndexed(order, { retryAt: until > now ? until : 0, now });
    this.#index.add(indexed);
    if (waitsFor === null) this.#waiting.delete(id);
    else if (!this.#waiting.has(id)) this.#waiting.set(id, { reason: waitsFor, times: 0 });
    if (until <= now) for (const { mint } of indexed.triggers) this.noteReached(mint, null);
  }

  /** The prices that triggers of these orders trail. */
  get trailed(): Iterable<TrailedPrice> {
    return this.#index.trailed;
  }

  /** Takes note that the price of a token may trigger orders. */
  noteReached(mint: Address, since: number | null): void {
    const earlier = this.#reached.get(mint);
    if (earlier === undefined || earlier === null) this.#reached.set(mint, since);
  }

  /** Offers orders again whose time has come, and all of them after the store's clock was put back. */
  wake(now: number): void {
    const isPutBack = now < this.#wokenAt - MAX_CLOCK_STEP_MS;
    this.#wokenAt = now;
    const mints = isPutBack ? this.#index.wakeAll() : this.#index.wake(now, MAX_WOKEN);
    for (const mint of mints) this.noteReached(mint, null);
  }

  /**
   * Takes orders whose price holds now, to work on them. Tokens take turns. Each order has to be given back with `release` or
   * `postpone`; until then nobody is offered it.
   */
  take(count: number, now: number): readonly TriggeredOrder[] {
    const taken: TriggeredOrder[] = [];
    for (const [mint, since] of [...this.#reached]) {
      this.#reached.delete(mint);
      const price = this.#findPrice(mint);
      if (price === null) continue;
      for (const id of this.#index.reached(mint, price)) {
        if (taken.length >= count) {
          this.#reached.set(mint, since);
          return taken;
        }
        this.#index.putOff(id, now + LEASE_MS);
        if (this.#worked.has(id)) continue;
        this.#worked.set(id, null);
        taken.push({ id, isRound: false, since });
      }
    }
    return taken;
  }

  /** Takes orders whose round is due, to work on them: those that have been due for longest. See `take`. */
  takeRounds(count: number, now: number): readonly TriggeredOrder[] {
    const taken: TriggeredOrder[] = [];
    while (taken.length < count) {
      const id = this.#index.dueRound;
      if (id === null) break;
      this.#index.putOff(id, now + LEASE_MS);
      if (this.#worked.has(id)) continue;
      this.#worked.set(id, null);
      taken.push({ id, isRound: true, since: null });
    }
    return taken;
  }

  /** Ends the work on an order, with the order as it stands in the store; null if it is not there any more. */
  release(id: string, order: WaitingOrder | null, now: number): void {
    const meanwhile = this.#worked.get(id) ?? null;
    this.#worked.delete(id);
    if (order === null) {
      this.#forget(id);
      return;
    }
    const { waitsFor } = order;
    const times = this.timesPutOff(id) + 1;
    if (waitsFor !== null && order.state === 'open') this.#waiting.set(id, { reason: waitsFor, times });
    this.place(meanwhile === null ? order : pickNewer(order, meanwhile), now);
  }

  /** Ends the work on an order of which nothing is known, and has it offered again later. */
  postpone(id: string, until: number): void {
    const meanwhile = this.#worked.get(id) ?? null;
    this.#worked.delete(id);
    if (meanwhile?.state === 'open') this.place(meanwhile, 0);
    this.#index.putOff(id, until);
  }

  #forget(id: string): void {
    this.#index.remove(id);
    this.#waiting.delete(id);
  }
}

/** Returns an order as the index keeps it. A round that was missed is offered at once, to be put off. */
function toIndexed(
  order: WaitingOrder,
  { retryAt, now }: { readonly retryAt: number; readonly now: number },
): IndexedOrder {
  const { id, inputMint, outputMint, plan, rounds } = order;
  const isTrailing = plan.kind === 'single' && plan.trailing !== null;
  const triggers = listTriggers(order).map(({ mint, condition, triggerPrice }) => ({
    mint,
    condition,
    triggerPrice,
    isTrailing,
  }));
  if (!isRecurring(plan) || rounds === null) {
    return { id, inputMint, outputMint, triggers, round: null, retryAt };
  }
  const dueAt = isRoundMissed(rounds, plan, now) ? Math.min(rounds.nextAt, now) : rounds.nextAt;
  const round = { dueAt, mint: plan.band?.triggerMint ?? null };
  return { id, inputMint, outputMint, triggers, round, retryAt };
}

/**
 * Returns the newer of two states of an order. A watermark moves without a new revision, and only ever in one direction, so the
 * better one is the newer one.
 */
function pickNewer(order: WaitingOrder, other: WaitingOrder): WaitingOrder {
  const [newer, older] = other.revision > order.revision ? [other, order] : [order, other];
  const [{ plan }, { plan: earlier }] = [newer, older];
  if (plan.kind !== 'single' || earlier.kind !== 'single' || earlier.trailing === null) return newer;
  return { ...newer, plan: moveWatermark(plan, earlier.trailing.watermark) ?? plan };
}
