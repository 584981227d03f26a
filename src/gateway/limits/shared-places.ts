import type { Gate, GateCaller } from './gate.ts';

/** Repeats that are let in at once. A client that waited in vain repeats its request once or twice. */
const MAX_REPEATS = 4;

/** `full`: there is no place for the caller. `repeated`: the same request is already in flight `MAX_REPEATS` times. */
export type RefusalReason = 'full' | 'repeated';

interface PlaceSharer {
  readonly enter: () => void;
  readonly refuse: (reason: RefusalReason) => void;
}

/** The place that a request and its repeats hold together, or wait for. */
interface SharedPlace {
  readonly members: Set<PlaceSharer>;
  isInside: boolean;
  stopWaiting: () => void;
}

/** One request's share of a place. */
export interface PlaceShare {
  /** Leaves the place, or stops waiting for it. It may be called more than once. */
  readonly leave: () => void;
  /** Returns whether the place would be free if this request left it. */
  readonly isLast: () => boolean;
}

/** Lets the repeats of one request share one place in a gate. */
export class SharedPlaces {
  readonly #gate: Gate;
  readonly #places = new Map<GateCaller, Map<string, SharedPlace>>();

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  /**
   * Takes one place of the caller for all its requests with the same key, of which `MAX_REPEATS` may be inside at once.
   * @param key - The text that the repeats of one request share.
   * @param enter - Called once when the place was taken, now or later.
   * @param refuse - Called once instead if there is no place.
   */
  join(caller: GateCaller, key: string, enter: () => void, refuse: PlaceSharer['refuse']): PlaceShare {
    const member: PlaceSharer = { enter, refuse };
    const known = this.#places.get(caller)?.get(key);
    if (known === undefined) return this.#open(caller, key, member);
    if (known.members.size >= MAX_REPEATS) {
      refuse('repeated');
      return { leave: () => undefined, isLast: () => false };
    }
    known.members.add(member);
    if (known.isInside) enter();
    return this.#shareOf(caller, key, known, member);
  }

  #open(caller: GateCaller, key: string, member: PlaceSharer): PlaceShare {
    const place: SharedPlace = { members: new Set([member]), isInside: false, stopWaiting: () => undefined };
    const ofCaller = this.#places.get(caller) ?? new Map<string, SharedPlace>();
    ofCaller.set(key, place);
    this.#places.set(caller, ofCaller);
    place.stopWaiting = this.#gate.ask(
      caller,
      () => {
        place.isInside = true;
        for (const { enter } of place.members) enter();
      },
      () => {
        this.#forget(caller, key);
        for (const { refuse } of place.members) refuse('full');
        place.members.clear();
      },
    );
    return this.#shareOf(caller, key, place, member);
  }

  #shareOf(caller: GateCaller, key: string, place: SharedPlace, member: PlaceSharer): PlaceShare {
    return {
      leave: () => this.#leave(caller, key, place, member),
      isLast: () => place.members.size === 1 && place.members.has(member),
    };
  }

  #leave(caller: GateCaller, key: string, place: SharedPlace, member: PlaceSharer): void {
    if (!place.members.delete(member) || place.members.size > 0) return;
    this.#forget(caller, key);
    if (place.isInside) caller.leave();
    else place.stopWaiting();
  }

  #forget(caller: GateCaller, key: string): void {
    const ofCaller = this.#places.get(caller);
    ofCaller?.delete(key);
    if (ofCaller?.size === 0) this.#places.delete(caller);
  }
}
