import { type OwnWork, type Party, toPartyKey } from '../party.ts';

/**
 * Whether a party that holds `held` units of a bounded resource may take `amount` more, of which `free` are left.
 *
 * A party that holds nothing gets its first units while there are any. After that it may hold at most `factor` times
 * what it leaves free for all others. A single party therefore gets `factor / (1 + factor)` of the resource, `n` greedy
 * parties get equal parts, and something stays free for the next one. No party has to give anything back for that, and
 * the parties need not be known in advance.
 *
 * @param factor - More than 0. With a larger factor, one party may hold more, and less stays free.
 *
 * @example
 * ```ts
 * import { isWithinFairShare } from './fair-shares.ts';
 *
 * isWithinFairShare(40, 1, 60, 1); // true: 41 held, 59 left
 * isWithinFairShare(50, 1, 50, 1); // false: 51 would be more than the 49 left
 * ```
 */
export function isWithinFairShare(held: number, amount: number, free: number, factor: number): boolean {
  if (amount > free) return false;
  return held === 0 || held + amount <= factor * (free - amount);
}

/** An organisation may hold four times what it leaves free, so four fifths of all when it is alone. */
const ORGANISATION_FACTOR = 4;
/** An address without a key may hold as much as it leaves to the other addresses. */
const CLIENT_FACTOR = 1;
/** All callers without a key together have this fraction. */
const CLIENTS_FRACTION = 0.5;

/**
 * A number of places, of which each party may hold a share: an organisation four fifths of them at most, all callers without
 * a key together half, because one person may have many addresses, and one address without a key half of that half. The more
 * parties there are, the less each gets. Whoever holds nothing gets its first place while one is free.
 *
 * The caller counts what a party holds, or leaves it to `take`.
 *
 * @example
 * ```ts
 * import { PartyShares } from './fair-shares.ts';
 *
 * const shares = new PartyShares(100);
 * const giveBack = shares.take({ kind: 'client', id: '203.0.113.7' });
 * giveBack?.();
 * ```
 */
export class PartyShares {
  readonly #max: number;
  readonly #maxOfClients: number;
  readonly #organisationFactor: number;
  readonly #heldBy = new Map<string, number>();
  #held = 0;
  #heldByClients = 0;

  /** @param organisationFactor - How many times what it leaves free an organisation may hold. */
  constructor(max: number, organisationFactor = ORGANISATION_FACTOR) {
    this.#max = max;
    this.#organisationFactor = organisationFactor;
    this.#maxOfClients = max === 0 ? 0 : Math.max(1, Math.floor(max * CLIENTS_FRACTION));
  }

  get held(): number {
    return this.#held;
  }

  get isFull(): boolean {
    return this.#held >= this.#max;
  }

  /** Whether a party that holds `own` places may take one more. */
  mayTake(kind: Party['kind'], own: number): boolean {
    const free = this.#max - this.#held;
    if (kind === 'organisation') return isWithinFairShare(own, 1, free, this.#organisationFactor);
    const freeForClients = Math.min(free, this.#maxOfClients - this.#heldByClients);
    return isWithinFairShare(own, 1, freeForClients, CLIENT_FACTOR);
  }

  add(kind: Party['kind'], amount: 1 | -1): void {
    this.#held += amount;
    if (kind === 'client') this.#heldByClients += amount;
  }

  /**
   * Takes a place for a party. Sluice's own work counts like that of an organisation.
   *
   * Returns a function that gives it back, to be called once; null if the party may take none.
   */
  take(worker: Party | OwnWork): (() => void) | null {
    const kind = typeof worker === 'string' ? 'organisation' : worker.kind;
    const key = toPartyKey(worker);
    const own = this.#heldBy.get(key) ?? 0;
    if (!this.mayTake(kind, own)) return null;
    this.#heldBy.set(key, own + 1);
    this.add(kind, 1);
    return () => {
      const left = (this.#heldBy.get(key) ?? 0) - 1;
      if (left > 0) this.#heldBy.set(key, left);
      else this.#heldBy.delete(key);
      this.add(kind, -1);
    };
  }
}

/** How much is allowed in each second. Each party may take a share of that, as `PartyShares` gives it. */
export class SharesOfSecond {
  readonly #max: number;
  readonly #organisationFactor: number;
  #second = 0;
  #shares: PartyShares;

  /** @param organisationFactor - How many times what it leaves free an organisation may take. */
  constructor(max: number, organisationFactor: number) {
    this.#max = max;
    this.#organisationFactor = organisationFactor;
    this.#shares = new PartyShares(max, organisationFactor);
  }

  /**
   * @param at - Unix milliseconds. Everything is free again when it is in another second than that of the previous call.
   * @returns whether the party may take one more, which then counts as taken
   */
  take(worker: Party | OwnWork, at: number): boolean {
    const second = Math.floor(at / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#shares = new PartyShares(this.#max, this.#organisationFactor);
    }
    return this.#shares.take(worker) !== null;
  }
}

/** A total that is shared between parties, none of which can take all of it: see `isWithinFairShare`. */
export class SharedBudget {
  readonly #total: number;
  readonly #factor: number;
  readonly #heldBy = new Map<string, number>();
  #held = 0;

  constructor(total: number, factor: number) {
    this.#total = total;
    this.#factor = factor;
  }

  get held(): number {
    return this.#held;
  }

  /**
   * Takes `amount` for `party` if that is within its share of what is left.
   *
   * Whether it was taken. The caller then has to give it back.
   */
  take(party: string, amount: number): boolean {
    const held = this.#heldBy.get(party) ?? 0;
    if (!isWithinFairShare(held, amount, this.#total - this.#held, this.#factor)) return false;
    this.#held += amount;
    this.#heldBy.set(party, held + amount);
    return true;
  }

  giveBack(party: string, amount: number): void {
    this.#held -= amount;
    const left = (this.#heldBy.get(party) ?? 0) - amount;
    if (left > 0) this.#heldBy.set(party, left);
    else this.#heldBy.delete(party);
  }
}
