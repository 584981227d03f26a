import { type OwnWork, type Party, toPartyKey } from '../party.ts';
import { isWithinFairShare } from './fair-share.ts';

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
 * import { PartyShares } from './party-shares.ts';
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
   * @returns a function that gives it back, to be called once; null if the party may take none
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
