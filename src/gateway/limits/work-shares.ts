import type { Party } from '../../common/party.ts';
import { isWithinFairShare } from '../../common/collections/fair-shares.ts';
import { TurnedWork, UNITS_PER_TURN, type Work, WorkRefused } from '../../common/work/work.ts';
import type { After } from './gate.ts';
import { UsedTime } from './used-time.ts';

export interface WorkSharesOptions {
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly after: After;
  /** Calls back once everything else that is ready has run, like `setImmediate`. */
  readonly afterOthers: (callback: () => void) => void;
  /** Calls back once the promises that are settled now have been followed. */
  readonly afterPromises: (callback: () => void) => void;
  /** Called for each request that is refused. */
  readonly onRefused: (kind: Party['kind']) => void;
}

/** The clock and the turns of this thread. */
export const SYSTEM_TURNS: Pick<WorkSharesOptions, 'now' | 'afterOthers' | 'afterPromises'> = {
  now: () => performance.now(),
  afterOthers: (callback) => setImmediate(callback),
  // A tick of a microtask comes when no microtask is left.
  afterPromises: (callback) => queueMicrotask(() => process.nextTick(callback)),
};

/** The part of the thread that an organisation may use: four times what it leaves free, so four fifths when it is alone. */
const ORGANISATION_FACTOR = 4;
/** All callers without a key together may use as much of the thread as they leave free. */
const CLIENTS_FACTOR = 1;
/** A request may wait this long for its turns in total. */
export const MAX_WORK_WAIT_MS = 5_000;
/** Used-up shares are looked at again this often. */
const LOOK_AGAIN_MS = 50;
const RETRY_AFTER_SECONDS = 2;

/** Whose work counts together, by the rule of `getShareHolder`: an organisation, or all callers without a key. */
interface ShareHolder {
  readonly kind: Party['kind'];
  readonly used: UsedTime;
  /** By caller, the next in turn first. An organisation is one caller; a client without a key is one by its network. */
  readonly waiting: Map<string, WaitingTurn[]>;
  /** Whether one of its requests has had its first turn since everything else that was ready ran. */
  hasBegun: boolean;
}

interface WaitingTurn {
  readonly begin: () => void;
  /** Null: it has been refused. */
  isWaiting: boolean;
}

/** The work of one request. */
export interface RequestWork extends Work {
  /** Refuses what the request would still do, because its client has its answer or has left. */
  readonly end: () => void;
}

/**
 * Shares the time of this thread between the parties whose requests have more to do than fits a turn. One turn runs after
 * another, and everything else that is ready runs in between, so that a request without long lists waits for one turn at
 * most. The next turn is of the party that has used the least time of the last second, and of its callers in turn. A party
 * that has used its share of that second waits; a request that has waited too long is refused.
 *
 * @example
 * ```ts
 * import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
 * import { SYSTEM_TURNS, WorkShares } from './work-shares.ts';
 *
 * const shares = new WorkShares({ ...SYSTEM_TURNS, after: SYSTEM_TIMERS.after, onRefused: () => undefined });
 * const work = shares.workOf('organisation', 'acme');
 * await work.take(1);
 * work.end();
 * ```
 */
export class WorkShares {
  readonly #options: WorkSharesOptions;
  readonly #clients: ShareHolder;
  readonly #organisations = new Map<string, ShareHolder>();
  readonly #all: UsedTime;
  #isScheduled = false;

  constructor(options: WorkSharesOptions) {
    this.#options = options;
    this.#clients = createHolder('client');
    this.#all = new UsedTime();
  }

  /** @param id - The id of the organisation, or the network of a client. */
  workOf(kind: Party['kind'], id: string): RequestWork {
    /** All turns that the request waits for. It may wait for several at once, and its time is counted once. */
    const waiting = new Set<(error: WorkRefused) => void>();
    let [waited, since] = [0, 0];
    let cancelTimer = () => {};
    let refusal: WorkRefused | null = null;
    const refuseAll = (error: WorkRefused) => {
      refusal = error;
      for (const refuse of [...waiting]) refuse(error);
    };
    const beginWaiting = () => {
      since = this.#options.now();
      cancelTimer = this.#options.after(MAX_WORK_WAIT_MS - waited, () => {
        this.#options.onRefused(kind);
        refuseAll(createWorkRefusal());
      });
    };
    const endWaiting = () => {
      waited = Math.min(MAX_WORK_WAIT_MS, waited + this.#options.now() - since);
      cancelTimer();
    };
    let work: TurnedWork | null = null;
    const nextTurn = () => {
      if (refusal !== null) return Promise.reject(refusal);
      if (waiting.size === 0) beginWaiting();
      return new Promise<void>((resolve, reject) => {
        const stop = () => {
          turn.isWaiting = false;
          waiting.delete(refuse);
          if (waiting.size === 0) endWaiting();
        };
        const turn: WaitingTurn = {
          isWaiting: true,
          begin: () => {
            stop();
            resolve();
          },
        };
        const refuse = (error: WorkRefused) => {
          stop();
          reject(error);
        };
        waiting.add(refuse);
        this.#wait(this.#holderOf(kind, id), id, turn);
      });
    };
    return {
      take: (units) => {
        work ??= new TurnedWork(nextTurn, this.#beginFirst(this.#holderOf(kind, id)) ? UNITS_PER_TURN : 0);
        return work.take(units);
      },
      end: () => refuseAll(refusal ?? new WorkRefused('Nobody waits for this request any more')),
    };
  }

  /**
   * Begins the first turn of a request at once, unless another request of the party has just begun: many small ones would take
   * as long together as a long one.
   *
   * Whether it has begun.
   */
  #beginFirst(holder: ShareHolder): boolean {
    if (holder.hasBegun) return false;
    holder.hasBegun = true;
    const { now, afterOthers, afterPromises } = this.#options;
    const start = now();
    afterPromises(() => this.#charge(holder, start));
    afterOthers(() => {
      holder.hasBegun = false;
    });
    return true;
  }

  #charge(holder: ShareHolder, start: number): void {
    const end = this.#options.now();
    holder.used.add(end - start, end);
    this.#all.add(end - start, end);
  }

  #holderOf(kind: Party['kind'], id: string): ShareHolder {
    if (kind === 'client') return this.#clients;
    const known = this.#organisations.get(id) ?? createHolder('organisation');
    this.#organisations.set(id, known);
    return known;
  }

  #wait(holder: ShareHolder, caller: string, turn: WaitingTurn): void {
    const waiting = holder.waiting.get(caller) ?? [];
    waiting.push(turn);
    holder.waiting.set(caller, waiting);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    let running: ShareHolder | null = null;
    let start = 0;
    this.#options.afterOthers(() => {
      start = this.#options.now();
      running = this.#beginNext(start);
    });
    // The turn is over by then: both are called one after the other, and promises are settled in between.
    this.#options.afterOthers(() => {
      if (running !== null) this.#charge(running, start);
      this.#isScheduled = false;
      if (!this.#isWaiting()) return;
      if (running !== null) this.#schedule();
      else this.#lookAgain();
    });
  }

  /** Returns whose turn has begun; null if nobody's. */
  #beginNext(now: number): ShareHolder | null {
    const holder = this.#nextHolder(now);
    const turn = holder === null ? null : takeNextTurn(holder);
    turn?.begin();
    return turn === null ? null : holder;
  }

  /** Forgets parties without work, and returns the one that has used the least; null if none may go on. */
  #nextHolder(now: number): ShareHolder | null {
    let least: ShareHolder | null = null;
    let leastUsed = Number.POSITIVE_INFINITY;
    const free = UsedTime.WINDOW_MS - this.#all.at(now);
    for (const holder of this.#holders()) {
      dropRefused(holder);
      const used = holder.used.at(now);
      if (holder.waiting.size === 0 || used >= leastUsed) continue;
      const factor = holder.kind === 'organisation' ? ORGANISATION_FACTOR : CLIENTS_FACTOR;
      if (!isWithinFairShare(used, 0, free, factor)) continue;
      least = holder;
      leastUsed = used;
    }
    for (const [id, holder] of this.#organisations) {
      if (holder.waiting.size === 0 && holder.used.at(now) === 0) this.#organisations.delete(id);
    }
    return least;
  }

  #lookAgain(): void {
    this.#isScheduled = true;
    this.#options.after(LOOK_AGAIN_MS, () => {
      this.#isScheduled = false;
      this.#schedule();
    });
  }

  #isWaiting(): boolean {
    for (const holder of this.#holders()) if (holder.waiting.size > 0) return true;
    return false;
  }

  *#holders(): Generator<ShareHolder> {
    yield this.#clients;
    yield* this.#organisations.values();
  }
}

function createWorkRefusal(): WorkRefused {
  return new WorkRefused(
    'The work of this request would take more than a fair share of the time of this instance; try again in a few seconds',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

function createHolder(kind: Party['kind']): ShareHolder {
  return { kind, used: new UsedTime(), waiting: new Map(), hasBegun: false };
}

function dropRefused({ waiting }: ShareHolder): void {
  for (const [caller, turns] of waiting) {
    const kept = turns.filter(({ isWaiting }) => isWaiting);
    if (kept.length === 0) waiting.delete(caller);
    else if (kept.length < turns.length) waiting.set(caller, kept);
  }
}

/** Takes the turn of the next caller, whose further turns come after those of the other callers. */
function takeNextTurn({ waiting }: ShareHolder): WaitingTurn | null {
  const [first] = waiting;
  if (first === undefined) return null;
  const [caller, [turn, ...others]] = first;
  waiting.delete(caller);
  if (others.length > 0) waiting.set(caller, others);
  return turn ?? null;
}
