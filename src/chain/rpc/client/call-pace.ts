import { isWithinFairShare } from '../../../common/collections/fair-shares.ts';
import { getCurrentWorker, getShareHolder } from '../../../common/party.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import { ChainUnavailable } from '../../chain.ts';
import { RecentCalls } from './recent-calls.ts';

export interface CallPaceOptions {
  /** The most calls that begin in any second. */
  readonly callsPerSecond: number;
  /** The most of them that read reported transactions. */
  readonly reportsPerSecond: number;
  readonly timers: Timers;
}

/** One organisation, all callers without a key together, or Sluice's own reads may make this part of the calls. */
const SHARE = 0.5;
/** A call that waits longer is refused. Sluice's own wait as long as they have to. */
const MAX_WAIT_MS = 2_000;
const MAX_WAITING = 4_000;
/** One holder may have as many waiting calls as it leaves room for. */
const WAITING_FACTOR = 1;
/** Holders without a call in the last second are forgotten when there are more than these. */
const MAX_HOLDERS = 1_000;

const OWN = 'own';
const REPORTS = 'reports';
/** Own calls that go ahead of all others: Sluice has to know where the network is. They are a few in a second. */
const URGENT = 'urgent';

interface WaitingCall {
  readonly go: () => void;
  readonly cancelTimer: () => void;
}

interface PaceHolder {
  readonly name: string;
  readonly recent: RecentCalls;
  /** In the order in which they arrived, because sets keep it. */
  readonly waiting: Set<WaitingCall>;
}

/**
 * The pace of all calls to one node. At most `callsPerSecond` of them begin in a second, and at most half of these belong
 * to one holder: see `getShareHolder`. Where more is asked for, Sluice's own calls come first, and then one of each holder in
 * turn. Calls of others wait for two seconds at most; one that would have to wait longer is refused at once.
 *
 * @example
 * ```ts
 * import { SYSTEM_TIMERS } from '../../../common/ports/timers.ts';
 * import { CallPace } from './call-pace.ts';
 *
 * const pace = new CallPace({ callsPerSecond: 100, reportsPerSecond: 3, timers: SYSTEM_TIMERS });
 * await pace.turn(false);
 * // The call is made here.
 * ```
 */
export class CallPace {
  readonly #options: CallPaceOptions;
  readonly #share: number;
  readonly #all: RecentCalls;
  readonly #holders = new Map<string, PaceHolder>();
  /** Holders with waiting calls, whose turn is next first. */
  readonly #turns = new Set<PaceHolder>();
  #waits = 0;
  #cancelTimer: (() => void) | null = null;

  constructor(options: CallPaceOptions) {
    this.#options = options;
    this.#share = computeShareOfCalls(options.callsPerSecond);
    this.#all = new RecentCalls(options.callsPerSecond);
  }

  /**
   * Resolves when a call may begin. It counts towards the share of the current worker's holder.
   *
   * @param isUrgent - Whether it goes ahead of all others.
   * @throws ChainUnavailable when it would have to wait for too long.
   */
  async turn(isUrgent: boolean): Promise<void> {
    const worker = getCurrentWorker();
    const holder = this.#holder(isUrgent && worker !== REPORTS ? URGENT : getShareHolder(worker));
    if (this.#turns.size === 0 && this.#take(holder)) return;
    const isOwn = holder.name === URGENT || holder.name === OWN || holder.name === REPORTS;
    if (!this.#mayWait(holder, isOwn)) throw tooMany();
    await new Promise<void>((resolve, reject) => {
      const waiting: WaitingCall = {
        go: resolve,
        cancelTimer: isOwn
          ? () => undefined
          : this.#options.timers.after(MAX_WAIT_MS, () => {
              // Its turn may have come in this very millisecond.
              this.#admit();
              this.#stopWaiting(holder, waiting);
              reject(tooMany());
            }),
      };
      holder.waiting.add(waiting);
      this.#turns.add(holder);
      this.#waits++;
      this.#admit();
    });
  }

  #mayWait({ waiting }: PaceHolder, isOwn: boolean): boolean {
    if (isOwn) return waiting.size < MAX_WAITING;
    const isSoon = waiting.size < (this.#share * MAX_WAIT_MS) / 1_000;
    return isSoon && isWithinFairShare(waiting.size, 1, MAX_WAITING - this.#waits, WAITING_FACTOR);
  }

  #holder(name: string): PaceHolder {
    const known = this.#holders.get(name);
    if (known !== undefined) return known;
    if (this.#holders.size >= MAX_HOLDERS) {
      const now = this.#options.timers.now();
      for (const [other, { recent, waiting }] of this.#holders) {
        if (waiting.size === 0 && recent.isQuiet(now)) this.#holders.delete(other);
      }
    }
    const holder = { name, recent: new RecentCalls(this.#limitOf(name)), waiting: new Set<WaitingCall>() };
    this.#holders.set(name, holder);
    return holder;
  }

  #limitOf(name: string): number {
    if (name === URGENT) return this.#options.callsPerSecond;
    return name === REPORTS ? this.#options.reportsPerSecond : this.#share;
  }

  #take({ recent }: PaceHolder): boolean {
    const now = this.#options.timers.now();
    if (!this.#all.mayCall(now) || !recent.mayCall(now)) return false;
    this.#all.note(now);
    recent.note(now);
    return true;
  }

  #stopWaiting(holder: PaceHolder, waiting: WaitingCall): void {
    if (!holder.waiting.delete(waiting)) return;
    this.#waits--;
    if (holder.waiting.size === 0) this.#turns.delete(holder);
  }

  /** Lets calls begin, one of each holder in turn, until none may, and comes back when one may. */
  #admit(): void {
    for (let holder = this.#next(); holder !== null; holder = this.#next()) {
      const [first] = holder.waiting;
      if (first === undefined) continue;
      this.#stopWaiting(holder, first);
      // Its next turn comes after those of all others.
      if (this.#turns.delete(holder)) this.#turns.add(holder);
      first.cancelTimer();
      first.go();
    }
    this.#admitLater();
  }

  /** Returns a holder whose call was counted and has to be let go; null if none may call now. */
  #next(): PaceHolder | null {
    for (const name of [URGENT, OWN]) {
      const first = this.#holders.get(name);
      if (first !== undefined && first.waiting.size > 0 && this.#take(first)) return first;
    }
    for (const holder of this.#turns) if (this.#take(holder)) return holder;
    return null;
  }

  #admitLater(): void {
    if (this.#cancelTimer !== null || this.#turns.size === 0) return;
    const { timers } = this.#options;
    const now = timers.now();
    const soonest = Math.min(...[...this.#turns].map(({ recent }) => recent.waitMs(now)));
    this.#cancelTimer = timers.after(Math.max(soonest, this.#all.waitMs(now), 1), () => {
      this.#cancelTimer = null;
      this.#admit();
    });
  }
}

/** Returns how many calls in a second one caller can make. */
export function computeShareOfCalls(callsPerSecond: number): number {
  return Math.max(1, Math.floor(callsPerSecond * SHARE));
}

function tooMany(): ChainUnavailable {
  return new ChainUnavailable('more calls to the RPC wait than it may be asked in two seconds');
}
