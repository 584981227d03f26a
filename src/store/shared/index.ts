import { createHmac } from 'node:crypto';
import { openValkey, type Valkey } from './valkey.ts';

export interface SharedOptions {
  /** Null: there is one instance, and each room keeps its own. */
  readonly url: string | null;
  /** The same for all instances that belong together; nothing tells it from what is made of it. */
  readonly secret: string;
  readonly random: () => number;
  /** Told when the connection is lost, with the reason, and with null when it is back. */
  readonly onChange: (lost: string | null) => void;
}

/** Only those who know the secret find each other, so that strangers may use one server. */
export function namespaceOf(secret: string): string {
  return `sluice:${createHmac('sha256', secret).update('namespace in Valkey').digest('hex').slice(0, 16)}`;
}

/** @throws OperatorError when the server does not let us in, or does not answer */
export async function openShared({ url, secret, random, onChange }: SharedOptions): Promise<Valkey | null> {
  if (url === null) return null;
  return openValkey({ url, namespace: namespaceOf(secret), random, onChange });
}
