import type { Gate, GateCaller } from './gate.ts';

/** A client that waited in vain repeats its request once or twice; more than this many at once are refused. */
const MAX_REPEATS = 4;

/** `full`: there is no place for the caller; `repeated`: the same request is under way often enough. */
export type RefusalReason = 'full' | 'repeated';

interface Member {
  readonly enter: () => void;
  readonly refuse: (reason: RefusalReason) => void;
}

/** One place, or one wait for a place, of a request and its repeats. */
interface SharedPlace {
  readonly members: Set<Member>;
  isInside: boolean;
  stopWaiting: () => void;
}

/** What one request has of a place that it shares with its repeats. */
export interface PlaceShare {
  /** Leaves the place, or stops waiting for it; it may be called more than once. */
  readonly leave: () => void;
  /** Whether nobody else would hold the place if this request left it. */
  readonly isLast: () => boolean;
}

/** Lets the repeats of one request into a gate with one place for all of them. */
export class SharedPlaces {
  readonly #gate: Gate;
  readonly #places = new Map<GateCaller, Map<string, SharedPlace>>();

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  /**
   * Calls one of the two, now or later: `enter` or `refuse`. What it spends is one place of the caller in the gate for
   * all requests with the same key, of which at most `MAX_REPEATS` are let in at once.
   * @param key what the caller's repeats of one request have in common
   */
  join(caller: GateCaller, key: string, enter: () => void, refuse: Member['refuse']): PlaceShare {
    const member: Member = { enter, refuse };
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

  #open(caller: GateCaller, key: string, member: Member): PlaceShare {
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

  #shareOf(caller: GateCaller, key: string, place: SharedPlace, member: Member): PlaceShare {
    return {
      leave: () => this.#leave(caller, key, place, member),
      isLast: () => place.members.size === 1 && place.members.has(member),
    };
  }

  #leave(caller: GateCaller, key: string, place: SharedPlace, member: Member): void {
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
