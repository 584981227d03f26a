import { getCurrentWorker } from '../../common/party.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { PartyPlaces } from './party-places.ts';
import type { PreparedTransaction } from './store.ts';

/** How long a transaction waits for its signatures. Longer than the lifetime of any blockhash. */
export const PREPARED_LIFE_MS = 5 * 60_000;
const RETRY_AFTER_SECONDS = 5;

type Waits = Pick<PreparedTransaction, 'requestId' | 'lastValidBlockHeight'>;

export interface WaitingPlacesOptions {
  readonly capacity: number;
  /** What waits, in the plural, for refusals: `swaps`. */
  readonly what: string;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** The height of the network's newest confirmed block. */
  readonly height: () => bigint;
}

/**
 * The transactions that were handed out and wait for their signatures, a bounded number, of which each party has a share. New
 * ones must not displace those that can still land.
 */
export class WaitingPlaces<Waiting extends Waits> {
  readonly #options: WaitingPlacesOptions;
  readonly #places: PartyPlaces<{ readonly waiting: Waiting; readonly since: number }>;

  constructor(options: WaitingPlacesOptions) {
    this.#options = options;
    this.#places = new PartyPlaces({
      capacity: options.capacity,
      mayGo: ({ waiting }) => waiting.lastValidBlockHeight < options.height(),
    });
  }

  /** @throws Unavailable when transactions that can still land hold all places, or all that the current worker may have */
  put(waiting: Waiting): void {
    this.#forgetOld();
    const { requestId } = waiting;
    const known = this.#places.placeOf(requestId);
    const place = known ?? this.#places.take(getCurrentWorker());
    if (place === null) throw this.#refusal();
    this.#places.keep(requestId, { waiting, since: this.#options.now() }, place);
  }

  /** @returns undefined for one that does not wait, or has waited for too long */
  get(requestId: string): Waiting | undefined {
    this.#forgetOld();
    return this.#places.get(requestId)?.waiting;
  }

  delete(requestId: string): void {
    this.#places.delete(requestId);
  }

  #refusal(): Unavailable {
    const { capacity, what } = this.#options;
    const which = this.#places.isFull ? `${capacity} ${what}` : `as many ${what} of yours as may`;
    return new Unavailable(`${which} wait to be executed; execute some, or try again in a few seconds`, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }

  #forgetOld(): void {
    const now = this.#options.now();
    this.#places.deleteOldest(({ since }) => now - since >= PREPARED_LIFE_MS);
  }
}
