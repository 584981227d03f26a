import type { ExpiredInvite, ExpiredPlace } from './expired-invites.ts';
import { isDueAgain } from './retry-ages.ts';

/** `fresh` passes over every invite once, soon after its expiry. `again` passes over all that are left, again and again. */
export type SweepLane = 'fresh' | 'again';

/**
 * How far two lists of expired invites have been visited. Those that cannot be returned hold up only the second list, which waits
 * longer for each of them the longer it has been expired. So no invite that was refused has to be kept in memory, and the oldest
 * expiries do not stand before the newest. What an instance begins with, and what the record learns late, is found by both.
 */
export class ExpiredSweeps {
  readonly #places: Record<SweepLane, ExpiredPlace | null> = { fresh: null, again: null };
  #now: bigint | null = null;
  /** When the current sweep of `again` began, and when the one before it did. Unix seconds. */
  #began = 0n;
  #beganBefore = 0n;
  #isSweeping = false;

  /**
   * Begins a turn. A clock that is put back, as on a network that begins again, begins everything again.
   *
   * @param now - Unix second of the network's clock.
   */
  begin(now: bigint): void {
    if (this.#now === null || now < this.#now) {
      this.#places.fresh = null;
      this.#places.again = null;
      this.#isSweeping = false;
      this.#began = now;
    }
    this.#now = now;
    if (this.#isSweeping) return;
    this.#beganBefore = this.#began;
    this.#began = now;
    this.#isSweeping = true;
  }

  /** Returns the place after which a lane goes on. */
  getPlace(lane: SweepLane): ExpiredPlace | null {
    return this.#places[lane];
  }

  /** Whether an invite is to be tried now. An earlier look at it came at the earliest when the sweep before began. */
  isDue(lane: SweepLane, { expiresAt }: ExpiredInvite): boolean {
    return lane === 'fresh' || isDueAgain(this.#beganBefore - expiresAt, (this.#now ?? 0n) - expiresAt);
  }

  /** Notes that everything up to a place has been visited. */
  moveOn(lane: SweepLane, { expiresAt, invite }: ExpiredPlace): void {
    this.#places[lane] = { expiresAt, invite };
  }

  /** Notes that there is nothing after the place of a lane. */
  noteEnd(lane: SweepLane): void {
    // Invites expire later than all that have expired, so the first lane stays where it is.
    if (lane === 'fresh') return;
    this.#places.again = null;
    this.#isSweeping = false;
  }
}
