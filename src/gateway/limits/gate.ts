import { isWithinFairShare } from '../../common/collections/fair-share.ts';

export interface GateSizes {
  /** Requests that may be inside at once. */
  readonly most: number;
  /** Requests that may also wait for a place. */
  readonly mostWaiting: number;
  /** Milliseconds that a request may wait. */
  readonly longestWait: number;
}

/** Organisations are known to the operator; clients without a key are addresses, of which one person may have many. */
export type CallerKind = 'organisation' | 'client';

interface Waiting {
  readonly enter: () => void;
  readonly cancelTimer: () => void;
}

/** What one caller holds. */
export interface GateCaller {
  readonly kind: CallerKind;
  /** Gives back one place. Call it once for each place that was taken. */
  readonly leave: () => void;
  readonly inside: number;
}

interface Caller extends GateCaller {
  inside: number;
  /** In the order in which they came, as sets keep it. */
  readonly waiting: Set<Waiting>;
}

/** Calls back once after `delay` milliseconds; returns the way to cancel. */
export type After = (delay: number, callback: () => void) => () => void;

/** An organisation may hold four times the places that it leaves free, so four fifths of all when it is alone. */
const ORGANISATION_FACTOR = 4;
/** An address without a key may hold as many places as it leaves to the other addresses. */
const CLIENT_FACTOR = 1;
/** All callers without a key together have this part of the places. */
const CLIENTS_PART = 0.5;
/** Callers that hold nothing are forgotten when there are more of them than could hold something, and this many. */
const MAX_SPARE_CALLERS = 1_000;

/** Units of which each caller, and all callers without a key together, may hold a share. */
class Shares {
  readonly #most: number;
  readonly #mostOfClients: number;
  #held = 0;
  #heldByClients = 0;

  constructor(most: number) {
    this.#most = most;
    this.#mostOfClients = most === 0 ? 0 : Math.max(1, Math.floor(most * CLIENTS_PART));
  }

  get held(): number {
    return this.#held;
  }

  get isFull(): boolean {
    return this.#held >= this.#most;
  }

  /** Whether a caller that holds `own` of them may take one more. */
  mayTake(kind: CallerKind, own: number): boolean {
    const free = this.#most - this.#held;
    if (kind === 'organisation') return isWithinFairShare(own, 1, free, ORGANISATION_FACTOR);
    const freeForClients = Math.min(free, this.#mostOfClients - this.#heldByClients);
    return isWithinFairShare(own, 1, freeForClients, CLIENT_FACTOR);
  }

  add(kind: CallerKind, amount: 1 | -1): void {
    this.#held += amount;
    if (kind === 'client') this.#heldByClients += amount;
  }
}

/**
 * Lets in so many at once and keeps so many waiting; refuses the others at once. Places inside and in the queue are
 * shared fairly: an organisation gets four fifths of them at most, all callers without a key together half of them, and
 * one address without a key half of that half. The more callers there are, the less each gets. Those who wait are let
 * in by turns, one of each caller, and those of one caller in the order in which they came.
 */
export class Gate {
  readonly #sizes: GateSizes;
  readonly #after: After;
  readonly #places: Shares;
  readonly #queue: Shares;
  readonly #maxCallers: number;
  readonly #callers: Readonly<Record<CallerKind, Map<string, Caller>>> = {
    organisation: new Map(),
    client: new Map(),
  };
  /** Callers of whom somebody waits; whose turn is next comes first. */
  readonly #turns = new Set<Caller>();
  #isLettingIn = false;
  #hasLeft = false;

  constructor(sizes: GateSizes, after: After) {
    this.#sizes = sizes;
    this.#after = after;
    this.#places = new Shares(sizes.most);
    this.#queue = new Shares(sizes.mostWaiting);
    this.#maxCallers = sizes.most + sizes.mostWaiting + MAX_SPARE_CALLERS;
  }

  get inside(): number {
    return this.#places.held;
  }

  get waiting(): number {
    return this.#queue.held;
  }

  /** @param id of the organisation, or the address or network of a client */
  caller(kind: CallerKind, id: string): GateCaller {
    return this.#callers[kind].get(id) ?? this.#addCaller(kind, id);
  }

  /** Takes a place if there is one within the caller's share and none of its own waits: then its `leave` must be called once. */
  tryEnter(asking: GateCaller): boolean {
    const caller = asking as Caller;
    return caller.waiting.size === 0 && this.#take(caller);
  }

  /**
   * Calls one of the two, now or later: `enter`, after which the caller's `leave` must be called once, or `refuse`. A
   * caller waits within its share of the queue, and for `longestWait` at most.
   * @returns the way to stop waiting; of no effect afterwards
   */
  ask(asking: GateCaller, enter: () => void, refuse: () => void): () => void {
    const caller = asking as Caller;
    if (this.tryEnter(caller)) {
      enter();
      return () => undefined;
    }
    if (!this.#queue.mayTake(caller.kind, caller.waiting.size)) {
      refuse();
      return () => undefined;
    }
    const cancelTimer = this.#after(this.#sizes.longestWait, () => {
      this.#stopWaiting(caller, waiting);
      refuse();
    });
    const waiting: Waiting = { enter, cancelTimer };
    caller.waiting.add(waiting);
    this.#queue.add(caller.kind, 1);
    this.#turns.add(caller);
    return () => {
      if (this.#stopWaiting(caller, waiting)) cancelTimer();
    };
  }

  #addCaller(kind: CallerKind, id: string): Caller {
    const callers = this.#callers[kind];
    if (callers.size >= this.#maxCallers) {
      for (const [known, { inside, waiting }] of callers)
        if (inside === 0 && waiting.size === 0) callers.delete(known);
    }
    const caller: Caller = { kind, inside: 0, waiting: new Set(), leave: () => this.#leave(caller) };
    callers.set(id, caller);
    return caller;
  }

  #take(caller: Caller): boolean {
    if (!this.#places.mayTake(caller.kind, caller.inside)) return false;
    this.#places.add(caller.kind, 1);
    caller.inside++;
    return true;
  }

  #leave(caller: Caller): void {
    caller.inside--;
    this.#places.add(caller.kind, -1);
    if (this.#turns.size > 0) this.#letIn();
  }

  #stopWaiting(caller: Caller, waiting: Waiting): boolean {
    if (!caller.waiting.delete(waiting)) return false;
    this.#queue.add(caller.kind, -1);
    if (caller.waiting.size === 0) this.#turns.delete(caller);
    return true;
  }

  /** Who is let in may leave at once, and so let in the next: by this loop, since a queue is longer than the stack is deep. */
  #letIn(): void {
    this.#hasLeft = true;
    if (this.#isLettingIn) return;
    this.#isLettingIn = true;
    try {
      while (this.#hasLeft) {
        this.#hasLeft = false;
        this.#letInByTurns();
      }
    } finally {
      this.#isLettingIn = false;
    }
  }

  #letInByTurns(): void {
    // Whose turn is over comes last and would be visited again.
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
