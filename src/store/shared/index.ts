import { createHmac } from 'node:crypto';
import { OperatorError } from '../../common/operator-error.ts';
import { openValkey, type Valkey } from './valkey.ts';

export interface SharedOptions {
  /** Null: there is one instance, and each room keeps its own. */
  readonly url: string | null;
  /** The same for all instances that belong together; nothing tells it from what is made of it. */
  readonly secret: string;
  readonly random: () => number;
  /** Told when the connection is lost, with the reason, and with null when it is back. */
  readonly onChange: (lost: string | null) => void;
  /** Whether a server that may forget what it was given is refused. */
  readonly production: boolean;
  /** Called at the start, with a sentence, when the server may forget what it was given. */
  readonly onEvicting: (problem: string) => void;
}

/** Only those who know the secret find each other, so that strangers may use one server. */
export function namespaceOf(secret: string): string {
  return `sluice:${createHmac('sha256', secret).update('namespace in Valkey').digest('hex').slice(0, 16)}`;
}

/**
 * A server that evicts keys forgets counted requests, so that limits are exceeded, orders, so that takers are told that
 * there are none, and leases, so that two instances take themselves for the owner of one maker or execution.
 * @throws OperatorError when the server does not let us in, or does not answer, or may evict keys in production
 */
export async function openShared(options: SharedOptions): Promise<Valkey | null> {
  const { url, secret, random, onChange, production, onEvicting } = options;
  if (url === null) return null;
  const valkey = await openValkey({ url, namespace: namespaceOf(secret), random, onChange });
  const policy = await valkey.evictionPolicy();
  if (policy === null) return valkey;
  const problem = `the server of valkey-url has the maxmemory-policy ${policy}, by which it forgets limits, orders and leases when its memory is full; set it to noeviction`;
  if (production) {
    valkey.close();
    throw new OperatorError(problem);
  }
  onEvicting(problem);
  return valkey;
}
