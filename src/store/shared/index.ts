import { createHmac } from 'node:crypto';
import { OperatorError } from '../../common/operator-error.ts';
import { openValkey, type Valkey } from './valkey.ts';

export interface SharedOptions {
  /** The URL of Valkey. Null when this is the only instance, and each room keeps its state in memory. */
  readonly url: string | null;
  /** The URLs of the sentinels that know the master, whose name is then the host of `url`. None: `url` names the server. */
  readonly sentinels: readonly string[];
  /** The secret that all instances of one installation have. The namespace is derived from it and does not reveal it. */
  readonly secret: string;
  readonly random: () => number;
  /** Called with the reason when the connection is lost, and with null when it is back. */
  readonly onChange: (lost: string | null) => void;
  /** Whether to refuse a server that may evict keys. */
  readonly production: boolean;
  /** Called with a sentence when the server is set up so that it may lose data: it may evict keys, for example. */
  readonly onUnsafe: (problem: string) => void;
}

/**
 * Returns the prefix of keys and channels. It depends on the secret, so that several installations can share a server.
 */
export function deriveNamespace(secret: string): string {
  return `sluice:${createHmac('sha256', secret).update('namespace in Valkey').digest('hex').slice(0, 16)}`;
}

/**
 * Connects to Valkey. A server that evicts keys could lose counted requests, so that limits are exceeded; orders, so that
 * takers cannot execute them; and leases, so that two instances own the same maker or execution.
 *
 * Returns null when `url` is null.
 * @throws OperatorError when the server refuses the connection or does not answer, or in production, when it may evict
 *   keys.
 *
 * @example
 * ```ts
 * import { openShared } from './index.ts';
 *
 * const valkey = await openShared({
 *   url: 'redis://127.0.0.1:6379',
 *   sentinels: [],
 *   secret: 'the same for all instances',
 *   random: Math.random,
 *   onChange: (lost) => console.log(lost ?? 'connected again'),
 *   production: true,
 *   onUnsafe: console.warn,
 * });
 * valkey?.close();
 * ```
 */
export async function openShared(options: SharedOptions): Promise<Valkey | null> {
  const { url, sentinels, secret, random, onChange, production, onUnsafe } = options;
  if (url === null) return null;
  const valkey = await openValkey({ url, sentinels, namespace: deriveNamespace(secret), random, onChange });
  const policy = await valkey.evictionPolicy();
  if (policy !== null) {
    const problem = describeEviction(policy);
    if (production) {
      valkey.close();
      throw new OperatorError(problem);
    }
    onUnsafe(problem);
  }
  if (sentinels.length > 0 && !(await valkey.needsReplicas())) onUnsafe(WITHOUT_REPLICAS);
  return valkey;
}

/** Returns the problem of a server that evicts keys, for the operator. */
export function describeEviction(policy: string): string {
  return `the server of valkey-url has the maxmemory-policy ${policy}, so it evicts limits, orders and leases when its memory is full; set it to noeviction`;
}

/** The problem of a master that sentinels can fail over from while it goes on, for the operator. */
export const WITHOUT_REPLICAS =
  'the master of valkey-url has no min-replicas-to-write, so one that is cut off goes on beside the one that is promoted, and two instances may hold the same lease; with two replicas or more, set it to 1';
