import type { Metrics } from '../../common/ports/metrics.ts';
import { type SharedLogs, createSharedLogs } from '../../store/shared/sliding-log.ts';
import { type Valkey, ValkeyLost } from '../../store/shared/valkey.ts';
import { Unavailable } from '../../common/unavailable.ts';
import {
  type CountedBucket,
  createInProcessLimiter,
  type RateLimiter,
  type RateLimitSubject,
  getWindowMs,
} from './rate-limiter.ts';
import type { RateLimitVerdict } from './sliding-log.ts';

/** What happens to requests while they cannot be counted together with those of the other instances. */
export type OnLoss = 'fail-open' | 'fail-closed';

export interface SharedLimiterOptions {
  readonly logs: SharedLogs;
  /** Counts for this instance alone while the shared logs do not answer and `onLoss` is `fail-open`. */
  readonly alone: RateLimiter;
  readonly onLoss: OnLoss;
  readonly metrics: Metrics;
}

/**
 * Creates a limiter that counts together with all instances on the same Valkey, exactly, by Valkey's clock, and with one
 * round trip for each request.
 * Returns a limiter whose `hit` throws `Unavailable` if Valkey does not answer and `onLoss` is `fail-closed`.
 */
export function createSharedLimiter({ logs, alone, onLoss, metrics }: SharedLimiterOptions): RateLimiter {
  const counted = metrics.counter(
    'sluice_limiter_uncounted_total',
    'Requests that could not be counted together with other instances, by outcome: counted alone, or refused.',
    ['outcome'],
  );
  const withFallback = async (
    ask: () => Promise<RateLimitVerdict>,
    askAlone: () => RateLimitVerdict | Promise<RateLimitVerdict>,
  ): Promise<RateLimitVerdict> => {
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
      withFallback(
        async () => {
          const windowMs = getWindowMs(subject);
          const { count, leaving } = await logs.hit(toLimitKey(subject, bucket), limit, windowMs);
          return { admitted: count <= limit, current: count, limit, freesAt: leaving + windowMs };
        },
        () => alone.hit(subject, bucket, limit, now),
      ),
    takeBack: (subject, bucket) => {
      // Without Valkey, the request was counted here, or stays counted there for its window.
      logs.takeBack(toLimitKey(subject, bucket)).catch(() => alone.takeBack(subject, bucket));
    },
    current: async (subject, bucket) => {
      try {
        return await logs.count(toLimitKey(subject, bucket), getWindowMs(subject));
      } catch (error) {
        if (error instanceof ValkeyLost) return null;
        throw error;
      }
    },
  };
}

/**
 * Creates the limiter of an instance, with its metrics.
 * @param valkey - Null: this instance counts by itself.
 */
export function createLimiter(
  valkey: Pick<Valkey, 'run'> | null,
  onLoss: OnLoss,
  metrics: Metrics,
): RateLimiter {
  const alone = createInProcessLimiter();
  const limiter =
    valkey === null ? alone : createSharedLimiter({ logs: createSharedLogs(valkey), alone, onLoss, metrics });
  return measureLimiter(limiter, metrics);
}

function measureLimiter(limiter: RateLimiter, metrics: Metrics): RateLimiter {
  const decisions = metrics.counter(
    'sluice_limiter_decisions_total',
    'Requests checked against a limit, by what was counted: a bucket of the plan, or the limit of a firewall rule.',
    ['counted', 'decision'],
  );
  const counters = (decision: 'admitted' | 'refused'): Readonly<Record<CountedBucket, () => void>> => ({
    main: decisions.bind({ counted: 'main', decision }),
    execute: decisions.bind({ counted: 'execute', decision }),
    submit: decisions.bind({ counted: 'submit', decision }),
    rule: decisions.bind({ counted: 'rule', decision }),
  });
  const [admitted, refused] = [counters('admitted'), counters('refused')];
  const count = (counted: CountedBucket, verdict: RateLimitVerdict): RateLimitVerdict => {
    (verdict.admitted ? admitted : refused)[counted]();
    return verdict;
  };
  return {
    current: limiter.current,
    takeBack: limiter.takeBack,
    hit: (subject, counted, limit, now) => {
      const verdict = limiter.hit(subject, counted, limit, now);
      if (verdict instanceof Promise) return verdict.then((later) => count(counted, later));
      return count(counted, verdict);
    },
  };
}

function toLimitKey({ kind, id }: RateLimitSubject, bucket: CountedBucket): string {
  return `limit:${kind}:${bucket}:${id}`;
}
