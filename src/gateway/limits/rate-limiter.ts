import type { Party } from '../../common/party.ts';
import { OldestFirst } from '../../common/collections/oldest-first.ts';
import type { Bucket } from '../../platform/plans/plans.ts';
import { SlidingLog, type RateLimitVerdict, WINDOW_MS } from './sliding-log.ts';

/**
 * Who is counted: an organisation with all its keys, a client without a key by its address, or what a firewall rule of a
 * team counts together. The id is then the rule's id and numbers, with the address or key if the rule counts by one. A
 * subject of the same id always has the same window.
 */
export type RateLimitSubject =
  | Party
  | { readonly kind: 'rule'; readonly id: string; readonly teamId: string; readonly windowMs: number };

/** What is counted: requests towards a bucket of a plan, or towards the limit of a firewall rule. */
export type CountedBucket = Bucket | 'rule';

/** Returns the length of the window of a subject in milliseconds. A plan counts 60 seconds; a firewall rule has its own. */
export function getWindowMs(subject: RateLimitSubject): number {
  return subject.kind === 'rule' ? subject.windowMs : WINDOW_MS;
}

/**
 * Counts requests against limits. The limiter of one process answers at once; one that is shared by instances asks Valkey
 * and returns promises.
 */
export interface RateLimiter {
  /**
   * Counts one request, and decides whether it is admitted. A refused request is not counted.
   * @param bucket - What the subject's requests count towards; `rule` for a subject of that kind.
   * @param limit - Requests in the window.
   * @param now - Unix milliseconds.
   */
  readonly hit: (
    subject: RateLimitSubject,
    bucket: CountedBucket,
    limit: number,
    now: number,
  ) => RateLimitVerdict | Promise<RateLimitVerdict>;
  /** Takes an admitted request out of its window again, because another limit has refused it since. */
  readonly takeBack: (subject: RateLimitSubject, bucket: CountedBucket) => void;
  /** Returns the requests in the window that ends at `now`; null while that is unknown. */
  readonly current: (
    subject: RateLimitSubject,
    bucket: CountedBucket,
    now: number,
  ) => number | null | Promise<number | null>;
}

/** Anybody can use many addresses, so the ones that were quiet longest make room for new ones. */
const MAX_CLIENTS = 100_000;

/** The logs of one bucket that compete for the same room. A subject that was quiet for a whole window has none. */
class Logs {
  readonly #max: number;
  /** The one that was quiet longest first, where there is a bound. */
  readonly #logs = new OldestFirst<string, SlidingLog>();

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#logs.size;
  }

  get(id: string): SlidingLog | undefined {
    return this.#logs.get(id);
  }

  /** Returns the log of a subject that sends a request now. */
  use(id: string): SlidingLog | undefined {
    const log = this.#logs.get(id);
    if (log === undefined || this.#max === Number.POSITIVE_INFINITY) return log;
    this.#logs.delete(id);
    this.#logs.set(id, log);
    return log;
  }

  add(id: string, windowMs: number): SlidingLog {
    const oldest = this.#logs.size < this.#max ? null : this.#logs.oldest();
    if (oldest !== null) this.#logs.delete(oldest[0]);
    const log = new SlidingLog(windowMs);
    this.#logs.set(id, log);
    return log;
  }

  removeEmpty(now: number): void {
    for (const [id, log] of this.#logs.entries()) if (log.current(now) === 0) this.#logs.delete(id);
  }
}

/**
 * The logs of one bucket by owner. Each owner has its own room, so that the clients of one team take none from those of
 * another. All owners together hold only what arrived within the last two windows.
 */
class OwnedLogs {
  readonly #max: number;
  readonly #owners = new Map<string, Logs>();
  #sweptAt = 0;

  constructor(max: number) {
    this.#max = max;
  }

  logOf(owner: string, subject: RateLimitSubject, now: number): SlidingLog {
    return this.#owners.get(owner)?.use(subject.id) ?? this.#add(owner, subject, now);
  }

  current(owner: string, id: string, now: number): number {
    return this.#owners.get(owner)?.get(id)?.current(now) ?? 0;
  }

  takeBack(owner: string, id: string): void {
    this.#owners.get(owner)?.get(id)?.takeBack();
  }

  #add(owner: string, subject: RateLimitSubject, now: number): SlidingLog {
    if (now - this.#sweptAt >= WINDOW_MS) this.#sweep(now);
    let logs = this.#owners.get(owner);
    if (logs === undefined) {
      logs = new Logs(this.#max);
      this.#owners.set(owner, logs);
    }
    return logs.add(subject.id, getWindowMs(subject));
  }

  /** Removes empty logs. It changes no answer, because an empty log answers like a new one. */
  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [owner, logs] of this.#owners) {
      logs.removeEmpty(now);
      if (logs.size === 0) this.#owners.delete(owner);
    }
  }
}

/** All organisations share one room, which the operator bounds, and all clients without a key another; each team has its own. */
function getLogOwner(subject: RateLimitSubject): string {
  return subject.kind === 'rule' ? subject.teamId : subject.kind;
}

type LogsByCounted = Readonly<Record<CountedBucket, OwnedLogs>>;

/**
 * Creates a limiter that counts in this process alone and answers at once.
 * @param maxClients - Clients without a key that are remembered, and clients of each team that its firewall rules count.
 *
 * @example
 * ```ts
 * import { createInProcessLimiter } from './rate-limiter.ts';
 *
 * const limiter = createInProcessLimiter();
 * const verdict = await limiter.hit({ kind: 'organisation', id: 'acme' }, 'main', 60, Date.now());
 * if (!verdict.admitted) throw new Error(`wait until ${new Date(verdict.freesAt).toISOString()}`);
 * ```
 */
export function createInProcessLimiter(maxClients = MAX_CLIENTS): RateLimiter {
  const logsOf = (max: number): LogsByCounted => ({
    main: new OwnedLogs(max),
    execute: new OwnedLogs(max),
    submit: new OwnedLogs(max),
    rule: new OwnedLogs(max),
  });
  const logs: Readonly<Record<RateLimitSubject['kind'], LogsByCounted>> = {
    organisation: logsOf(Number.POSITIVE_INFINITY),
    client: logsOf(maxClients),
    rule: logsOf(maxClients),
  };
  return {
    hit: (subject, bucket, limit, now) =>
      logs[subject.kind][bucket].logOf(getLogOwner(subject), subject, now).hit(now, limit),
    takeBack: (subject, bucket) => logs[subject.kind][bucket].takeBack(getLogOwner(subject), subject.id),
    current: (subject, bucket, now) =>
      logs[subject.kind][bucket].current(getLogOwner(subject), subject.id, now),
  };
}
