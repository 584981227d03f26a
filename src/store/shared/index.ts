import { createHmac } from 'node:crypto';
import { OperatorError } from '../../common/operator-error.ts';
import { openValkey, type Valkey } from './valkey.ts';

export interface SharedOptions {
  /** The URL of Valkey. Null when this is the only instance, and each room keeps its state in memory. */
  readonly url: string | null;
  /** The secret that all instances of one installation have. The namespace is derived from it and does not reveal it. */
  readonly secret: string;
  readonly random: () => number;
  /** Called with the reason when the connection is lost, and with null when it is back. */
  readonly onChange: (lost: string | null) => void;
  /** Whether to refuse a server that may evict keys. */
  readonly production: boolean;
  /** Called once with a sentence when the server may evict keys. */
  readonly onEvicting: (problem: string) => void;
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
 *   secret: 'the same for all instances',
 *   random: Math.random,
 *   onChange: (lost) => console.log(lost ?? 'connected again'),
 *   production: true,
 *   onEvicting: console.warn,
 * });
 * valkey?.close();
 * ```
 */
export async function openShared(options: SharedOptions): Promise<Valkey | null> {
  const { url, secret, random, onChange, production, onEvicting } = options;
  if (url === null) return null;
  const valkey = await openValkey({ url, namespace: deriveNamespace(secret), random, onChange });
  const policy = await valkey.evictionPolicy();
  if (policy === null) return valkey;
  const problem = `the server of valkey-url has the maxmemory-policy ${policy}, so it evicts limits, orders and leases when its memory is full; set it to noeviction`;
  if (production) {
    valkey.close();
    throw new OperatorError(problem);
  }
  onEvicting(problem);
  return valkey;
}
