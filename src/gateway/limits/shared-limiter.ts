import type { Metrics } from '../../common/ports/metrics.ts';
import { type SharedLogs, sharedLogs } from '../../store/shared/sliding-log.ts';
import { type Valkey, ValkeyLost } from '../../store/shared/valkey.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { type Counted, inProcessLimiter, type RateLimiter, type Subject, windowOf } from './rate-limiter.ts';
import type { Verdict } from './sliding-log.ts';

/** What to do with requests that cannot be counted together with those of the other instances. */
export type OnLoss = 'fail-open' | 'fail-closed';

export interface SharedLimiterParts {
  readonly logs: SharedLogs;
  /** Counts for this instance alone while the shared logs do not answer, when `onLoss` is `fail-open`. */
  readonly alone: RateLimiter;
  readonly onLoss: OnLoss;
  readonly metrics: Metrics;
}

/** Counts together with every other instance on the same Valkey, by its clock: exactly, in one round trip. */
export function sharedLimiter({ logs, alone, onLoss, metrics }: SharedLimiterParts): RateLimiter {
  const counted = metrics.counter(
    'sluice_limiter_uncounted_total',
    'Requests that could not be counted together with other instances, by what was done: counted alone, or refused.',
    ['outcome'],
  );
  const whenLost = async (
    ask: () => Promise<Verdict>,
    askAlone: () => Verdict | Promise<Verdict>,
  ): Promise<Verdict> => {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ValkeyLost)) throw error;
      counted.add({ outcome: onLoss === 'fail-open' ? 'alone' : 'refused' });
      if (onLoss === 'fail-open') return askAlone();
      throw new Unavailable('Requests cannot be counted at the moment; try again in a second');
    }
  };
  return {
    hit: (subject, bucket, limit, now) =>
      whenLost(
        async () => {
          const windowMs = windowOf(bucket);
          const { count, leaving } = await logs.hit(keyOf(subject, bucket), limit, windowMs);
          return { admitted: count <= limit, current: count, limit, freesAt: leaving + windowMs };
        },
        () => alone.hit(subject, bucket, limit, now),
      ),
    current: async (subject, bucket) => {
      try {
        return await logs.count(keyOf(subject, bucket), windowOf(bucket));
      } catch (error) {
        if (error instanceof ValkeyLost) return null;
        throw error;
      }
    },
  };
}

/** @param valkey null: this instance counts by itself */
export function limiterOver(
  valkey: Pick<Valkey, 'run'> | null,
  onLoss: OnLoss,
  metrics: Metrics,
): RateLimiter {
  const alone = inProcessLimiter();
  const limiter =
    valkey === null ? alone : sharedLimiter({ logs: sharedLogs(valkey), alone, onLoss, metrics });
  return measured(limiter, metrics);
}

function measured(limiter: RateLimiter, metrics: Metrics): RateLimiter {
  const decisions = metrics.counter(
    'sluice_limiter_decisions_total',
    'Requests that a limit was asked about, by what was counted: a bucket of the plan, or a firewall rule’s window.',
    ['counted', 'decision'],
  );
  const counters = (decision: 'admitted' | 'refused'): Readonly<Record<Counted, () => void>> => ({
    main: decisions.bind({ counted: 'main', decision }),
    execute: decisions.bind({ counted: 'execute', decision }),
    second: decisions.bind({ counted: 'second', decision }),
    minute: decisions.bind({ counted: 'minute', decision }),
  });
  const [admitted, refused] = [counters('admitted'), counters('refused')];
  const count = (counted: Counted, verdict: Verdict): Verdict => {
    (verdict.admitted ? admitted : refused)[counted]();
    return verdict;
  };
  return {
    current: limiter.current,
    hit: (subject, counted, limit, now) => {
      const verdict = limiter.hit(subject, counted, limit, now);
      if (verdict instanceof Promise) return verdict.then((later) => count(counted, later));
      return count(counted, verdict);
    },
  };
}

function keyOf({ kind, id }: Subject, bucket: Counted): string {
  return `limit:${kind}:${bucket}:${id}`;
}
