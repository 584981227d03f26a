import { PartyShares } from '../../common/collections/fair-shares.ts';
import type { Party } from '../../common/party.ts';

/** The bounds of a gate. */
export interface GateSizes {
  /** Places: requests that may be inside at once. */
  readonly maxInside: number;
  /** Requests that may wait for a place. */
  readonly maxWaiting: number;
  /** Milliseconds that a request may wait. */
  readonly maxWaitMs: number;
}

interface QueuedEntry {
  readonly enter: () => void;
  readonly cancelTimer: () => void;
}

/** The places of a gate that one caller holds. */
export interface GateCaller {
  readonly kind: Party['kind'];
  /** Releases one place. Call it once for each place that was taken. */
  readonly leave: () => void;
  readonly inside: number;
}

interface CallerQueue extends GateCaller {
  inside: number;
  /** In the order in which they arrived, because sets keep it. */
  readonly waiting: Set<QueuedEntry>;
}

/** Calls `callback` once after `delay` milliseconds, and returns a function that cancels it. */
export type After = (delay: number, callback: () => void) => () => void;

/** Callers that hold nothing are forgotten once more than this many are remembered beyond those that can hold something. */
const MAX_SPARE_CALLERS = 1_000;

/**
 * Admits a number of requests at once, lets more of them wait, and refuses the rest immediately. Places and the queue are
 * shared fairly: an organisation gets at most four fifths of them, all callers without a key together half, and one address
 * without a key half of that half. The more callers there are, the less each gets. Waiting requests are admitted in turns,
 * one of each caller, and those of one caller in the order in which they arrived.
 *
 * @example
 * ```ts
 * import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
 * import { Gate } from './gate.ts';
 *
 * const gate = new Gate({ maxInside: 100, maxWaiting: 100, maxWaitMs: 2_000 }, SYSTEM_TIMERS.after);
 * const caller = gate.caller('organisation', 'acme');
 * if (gate.tryEnter(caller)) {
 *   // The request is processed here.
 *   caller.leave();
 * }
 * ```
 */
export class Gate {
  readonly #sizes: GateSizes;
  readonly #after: After;
  readonly #places: PartyShares;
  readonly #queue: PartyShares;
  readonly #maxCallers: number;
  readonly #callers: Readonly<Record<Party['kind'], Map<string, CallerQueue>>> = {
    organisation: new Map(),
    client: new Map(),
  };
  /** Callers with waiting requests, the next in turn first. */
  readonly #turns = new Set<CallerQueue>();
  #isAdmitting = false;
  #hasLeft = false;

  constructor(sizes: GateSizes, after: After) {
    this.#sizes = sizes;
    this.#after = after;
    this.#places = new PartyShares(sizes.maxInside);
    this.#queue = new PartyShares(sizes.maxWaiting);
    this.#maxCallers = sizes.maxInside + sizes.maxWaiting + MAX_SPARE_CALLERS;
  }

  /** Places that are taken. */
  get inside(): number {
    return this.#places.held;
  }

  /** Requests that wait for a place. */
  get waiting(): number {
    return this.#queue.held;
  }

  /**
   * Returns what a caller holds. Ask again for each request: a caller that holds nothing may be forgotten.
   * @param id - The id of the organisation, or the address or network of a client.
   */
  caller(kind: Party['kind'], id: string): GateCaller {
    return this.#callers[kind].get(id) ?? this.#addCaller(kind, id);
  }

  /**
   * Takes a place if one is free within the caller's share and none of its own requests waits.
   * Whether a place was taken; the caller's `leave` must then be called once.
   */
  tryEnter(asking: GateCaller): boolean {
    const caller = asking as CallerQueue;
    return caller.waiting.size === 0 && this.#take(caller);
  }

  /**
   * Takes a place, or waits for one within the caller's share of the queue, for at most `maxWaitMs`.
   * @param enter - Called once when a place was taken, now or later; the caller's `leave` must then be called once.
   * @param refuse - Called once instead if there is no place.
   * @returns a function that stops the waiting; it has no effect afterwards
   */
  ask(asking: GateCaller, enter: () => void, refuse: () => void): () => void {
    const caller = asking as CallerQueue;
    if (this.tryEnter(caller)) {
      enter();
      return () => undefined;
    }
    if (!this.#queue.mayTake(caller.kind, caller.waiting.size)) {
      refuse();
      return () => undefined;
    }
    const cancelTimer = this.#after(this.#sizes.maxWaitMs, () => {
      this.#stopWaiting(caller, waiting);
      refuse();
    });
    const waiting: QueuedEntry = { enter, cancelTimer };
    caller.waiting.add(waiting);
    this.#queue.add(caller.kind, 1);
    this.#turns.add(caller);
    return () => {
      if (this.#stopWaiting(caller, waiting)) cancelTimer();
    };
  }

  #addCaller(kind: Party['kind'], id: string): CallerQueue {
    const callers = this.#callers[kind];
    if (callers.size >= this.#maxCallers) {
      for (const [known, { inside, waiting }] of callers)
        if (inside === 0 && waiting.size === 0) callers.delete(known);
    }
    const caller: CallerQueue = { kind, inside: 0, waiting: new Set(), leave: () => this.#leave(caller) };
    callers.set(id, caller);
    return caller;
  }

  #take(caller: CallerQueue): boolean {
    if (!this.#places.mayTake(caller.kind, caller.inside)) return false;
    this.#places.add(caller.kind, 1);
    caller.inside++;
    return true;
  }

  #leave(caller: CallerQueue): void {
    caller.inside--;
    this.#places.add(caller.kind, -1);
    if (this.#turns.size > 0) this.#admit();
  }

  #stopWaiting(caller: CallerQueue, waiting: QueuedEntry): boolean {
    if (!caller.waiting.delete(waiting)) return false;
    this.#queue.add(caller.kind, -1);
    if (caller.waiting.size === 0) this.#turns.delete(caller);
    return true;
  }

  /** A request may leave as soon as it is admitted and free its place. The loop takes the place of recursion, which a long queue would overflow. */
  #admit(): void {
    this.#hasLeft = true;
    if (this.#isAdmitting) return;
    this.#isAdmitting = true;
    try {
      while (this.#hasLeft) {
        this.#hasLeft = false;
        this.#admitInTurns();
      }
    } finally {
      this.#isAdmitting = false;
    }
  }

  #admitInTurns(): void {
    // A caller whose turn is over moves to the end, where the loop would visit it again.
    let turns = this.#turns.size;
    for (const caller of this.#turns) {
      if (turns === 0 || this.#places.isFull) return;
      turns--;
      const [next] = caller.waiting;
      if (next === undefined || !this.#take(caller)) continue;
      this.#stopWaiting(caller, next);
      next.cancelTimer();
      if (this.#turns.delete(caller)) this.#turns.add(caller);
      next.enter();
    }
  }
}
