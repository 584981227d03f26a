import { OldestFirst } from '../../oldest-first.ts';
import type { Bucket } from '../../platform/plans.ts';
import { SlidingLog, type Verdict, WINDOW_MS } from './sliding-log.ts';

/**
 * Who is counted: an organisation with all its keys, a client without a key by its address, or those whom a firewall
 * rule counts together: the rule's id with the address, key or team.
 */
export interface Subject {
  readonly kind: 'organisation' | 'client' | 'rule';
  readonly id: string;
}

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
  /** Requests in the window that ends now. */
  readonly current: (subject: Subject, bucket: Counted, now: number) => number | Promise<number>;
}

/** Addresses are for the taking, so those of whom nobody has heard longest make room for new ones. */
const MOST_CLIENTS = 100_000;

/** One bucket's logs; whoever was quiet for a whole window is forgotten, which changes no answer. */
class Logs {
  readonly #most: number;
  readonly #windowMs: number;
  readonly #logs = new OldestFirst<string, SlidingLog>();
  #sweptAt = 0;

  constructor(most: number, windowMs: number) {
    this.#most = most;
    this.#windowMs = windowMs;
  }

  logOf(id: string, now: number): SlidingLog {
    const known = this.#logs.get(id);
    if (known !== undefined) return known;
    if (now - this.#sweptAt >= WINDOW_MS) this.#sweep(now);
    const oldest = this.#logs.size < this.#most ? null : this.#logs.oldest();
    if (oldest !== null) this.#logs.delete(oldest[0]);
    const log = new SlidingLog(this.#windowMs);
    this.#logs.set(id, log);
    return log;
  }

  current(id: string, now: number): number {
    return this.#logs.get(id)?.current(now) ?? 0;
  }

  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [id, log] of this.#logs.entries()) if (log.current(now) === 0) this.#logs.delete(id);
  }
}

type LogsByCounted = Readonly<Record<Counted, Logs>>;

/** Counts in this process alone, and answers at once. */
export function inProcessLimiter(mostClients = MOST_CLIENTS): RateLimiter {
  const atMost = (most: number): LogsByCounted => ({
    main: new Logs(most, windowOf('main')),
    execute: new Logs(most, windowOf('execute')),
    second: new Logs(most, windowOf('second')),
    minute: new Logs(most, windowOf('minute')),
  });
  const logs: Readonly<Record<Subject['kind'], LogsByCounted>> = {
    organisation: atMost(Number.POSITIVE_INFINITY),
    client: atMost(mostClients),
    rule: atMost(mostClients),
  };
  return {
    hit: ({ kind, id }, bucket, limit, now) => logs[kind][bucket].logOf(id, now).hit(now, limit),
    current: ({ kind, id }, bucket, now) => logs[kind][bucket].current(id, now),
  };
}
