import type { Bucket } from '../../platform/plans.ts';
import { SlidingLog, type Verdict, WINDOW_MS } from './sliding-log.ts';

/** Who is counted: an organisation with all its keys, or a client without a key, by its address. */
export interface Subject {
  readonly kind: 'organisation' | 'client';
  readonly id: string;
}

/** Counts requests; a shared one asks another process and answers later. */
export interface RateLimiter {
  /** @param now Unix milliseconds */
  readonly hit: (subject: Subject, bucket: Bucket, limit: number, now: number) => Verdict | Promise<Verdict>;
  /** Requests in the window that ends now. */
  readonly current: (subject: Subject, bucket: Bucket, now: number) => number | Promise<number>;
}

/** Addresses are for the taking, so those of whom nobody has heard longest make room for new ones. */
const MOST_CLIENTS = 100_000;

/** One bucket's logs; whoever was quiet for a whole window is forgotten, which changes no answer. */
class Logs {
  readonly #most: number;
  readonly #logs = new Map<string, SlidingLog>();
  #sweptAt = 0;

  constructor(most: number) {
    this.#most = most;
  }

  logOf(id: string, now: number): SlidingLog {
    const known = this.#logs.get(id);
    if (known !== undefined) return known;
    if (now - this.#sweptAt >= WINDOW_MS) this.#sweep(now);
    if (this.#logs.size >= this.#most) {
      for (const oldest of this.#logs.keys()) {
        this.#logs.delete(oldest);
        break;
      }
    }
    const log = new SlidingLog();
    this.#logs.set(id, log);
    return log;
  }

  current(id: string, now: number): number {
    return this.#logs.get(id)?.current(now) ?? 0;
  }

  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [id, log] of this.#logs) if (log.current(now) === 0) this.#logs.delete(id);
  }
}

type LogsByBucket = Readonly<Record<Bucket, Logs>>;

/** Counts in this process alone, and answers at once. */
export function inProcessLimiter(mostClients = MOST_CLIENTS): RateLimiter {
  const logs: Readonly<Record<Subject['kind'], LogsByBucket>> = {
    organisation: {
      main: new Logs(Number.POSITIVE_INFINITY),
      execute: new Logs(Number.POSITIVE_INFINITY),
    },
    client: { main: new Logs(mostClients), execute: new Logs(mostClients) },
  };
  return {
    hit: ({ kind, id }, bucket, limit, now) => logs[kind][bucket].logOf(id, now).hit(now, limit),
    current: ({ kind, id }, bucket, now) => logs[kind][bucket].current(id, now),
  };
}
