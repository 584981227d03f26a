import { OldestFirst } from '../../common/collections/oldest-first.ts';
import type { Bucket } from '../../platform/plans/plans.ts';
import { SlidingLog, type Verdict, WINDOW_MS } from './sliding-log.ts';

/**
 * Who is counted: an organisation with all its keys, a client without a key by its address, or those whom a firewall
 * rule of a team counts together: the rule's id with the address, key or team.
 */
export type Subject =
  | { readonly kind: 'organisation' | 'client'; readonly id: string }
  | { readonly kind: 'rule'; readonly id: string; readonly teamId: string };

/** A plan's buckets count 60 seconds; a firewall rule counts a second or a minute. */
export type Counted = Bucket | 'second' | 'minute';

/** Milliseconds that the window of `counted` is long. */
export function windowOf(counted: Counted): number {
  return counted === 'second' ? 1_000 : WINDOW_MS;
}

/** Counts requests; a shared one asks another process and answers later. */
export interface RateLimiter {
  /** @param now Unix milliseconds */
  readonly hit: (subject: Subject, bucket: Counted, limit: number, now: number) => Verdict | Promise<Verdict>;
  /** Requests in the window that ends now; null while it cannot be told. */
  readonly current: (
    subject: Subject,
    bucket: Counted,
    now: number,
  ) => number | null | Promise<number | null>;
}

/** Addresses are for the taking, so those of whom nobody has heard longest make room for new ones. */
const MAX_CLIENTS = 100_000;

/** The logs of one bucket, of those who compete for the same room; whoever was quiet for a whole window has none. */
class Logs {
  readonly #most: number;
  readonly #windowMs: number;
  readonly #logs = new OldestFirst<string, SlidingLog>();

  constructor(most: number, windowMs: number) {
    this.#most = most;
    this.#windowMs = windowMs;
  }

  get size(): number {
    return this.#logs.size;
  }

  get(id: string): SlidingLog | undefined {
    return this.#logs.get(id);
  }

  add(id: string): SlidingLog {
    const oldest = this.#logs.size < this.#most ? null : this.#logs.oldest();
    if (oldest !== null) this.#logs.delete(oldest[0]);
    const log = new SlidingLog(this.#windowMs);
    this.#logs.set(id, log);
    return log;
  }

  forgetQuiet(now: number): void {
    for (const [id, log] of this.#logs.entries()) if (log.current(now) === 0) this.#logs.delete(id);
  }
}

/**
 * The logs of one bucket by whom they belong to. Each owner has room of its own, so that the clients of one team take
 * none from another's; all owners together hold no more than what came within the last two windows.
 */
class OwnedLogs {
  readonly #most: number;
  readonly #windowMs: number;
  readonly #owners = new Map<string, Logs>();
  #sweptAt = 0;

  constructor(most: number, windowMs: number) {
    this.#most = most;
    this.#windowMs = windowMs;
  }

  logOf(owner: string, id: string, now: number): SlidingLog {
    return this.#owners.get(owner)?.get(id) ?? this.#add(owner, id, now);
  }

  current(owner: string, id: string, now: number): number {
    return this.#owners.get(owner)?.get(id)?.current(now) ?? 0;
  }

  #add(owner: string, id: string, now: number): SlidingLog {
    if (now - this.#sweptAt >= WINDOW_MS) this.#sweep(now);
    let logs = this.#owners.get(owner);
    if (logs === undefined) {
      logs = new Logs(this.#most, this.#windowMs);
      this.#owners.set(owner, logs);
    }
    return logs.add(id);
  }

  /** Changes no answer: an empty log says what a new one does. */
  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [owner, logs] of this.#owners) {
      logs.forgetQuiet(now);
      if (logs.size === 0) this.#owners.delete(owner);
    }
  }
}

/** Organisations are as many as the operator makes; all clients without a key compete for the same room. */
function ownerOf(subject: Subject): string {
  return subject.kind === 'rule' ? subject.teamId : subject.kind;
}

type LogsByCounted = Readonly<Record<Counted, OwnedLogs>>;

/**
 * Counts in this process alone, and answers at once.
 * @param mostClients that are remembered without a key, and of each team by the windows of its firewall rules
 */
export function inProcessLimiter(mostClients = MAX_CLIENTS): RateLimiter {
  const atMost = (most: number): LogsByCounted => ({
    main: new OwnedLogs(most, windowOf('main')),
    execute: new OwnedLogs(most, windowOf('execute')),
    second: new OwnedLogs(most, windowOf('second')),
    minute: new OwnedLogs(most, windowOf('minute')),
  });
  const logs: Readonly<Record<Subject['kind'], LogsByCounted>> = {
    organisation: atMost(Number.POSITIVE_INFINITY),
    client: atMost(mostClients),
    rule: atMost(mostClients),
  };
  return {
    hit: (subject, bucket, limit, now) =>
      logs[subject.kind][bucket].logOf(ownerOf(subject), subject.id, now).hit(now, limit),
    current: (subject, bucket, now) => logs[subject.kind][bucket].current(ownerOf(subject), subject.id, now),
  };
}
