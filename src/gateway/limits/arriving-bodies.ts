import type { FastifyRequest } from 'fastify';
import { SharedBudget } from '../../common/collections/fair-shares.ts';
import type { Party } from '../../common/party.ts';

/** Bytes that all bodies of one kind of callers may have while they are arriving. */
const MAX_ARRIVING_BYTES = 64 * 1024 * 1024;
/** A request takes memory even if its body is short, so each body counts as this many bytes at least. */
const MIN_COUNTED_BYTES = 16 * 1024;
/** A caller may have as many bytes as it leaves to the others: half of them if it is alone. */
const CALLER_FACTOR = 1;

/** Whether the request has a body that Fastify has yet to read. */
export function hasBodyToCome({ raw, method }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  const { headers } = raw;
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = headers['content-length'];
  if (length !== undefined) return length !== '0';
  // Over HTTP/2 a body needs no length.
  return raw.httpVersionMajor === 2 && !raw.readableEnded;
}

/**
 * Bounds the memory of bodies that are arriving and hold no place in the gate yet. All organisations together have 64 MiB,
 * and all callers without a key another 64 MiB. One organisation or one address may have half of that. Organisations have
 * bytes of their own because one person may have enough addresses to fill what callers without a key share.
 * A body counts with the length that its request declares, or with the longest that is allowed if it declares none. The
 * server's `requestTimeoutMs` bounds how long a body may take.
 */
export class ArrivingBodies {
  readonly #budgets: Readonly<Record<Party['kind'], SharedBudget>> = {
    organisation: new SharedBudget(MAX_ARRIVING_BYTES, CALLER_FACTOR),
    client: new SharedBudget(MAX_ARRIVING_BYTES, CALLER_FACTOR),
  };

  /**
   * Reserves bytes of the caller's share while its body is arriving.
   * @param id - The id of the organisation, or the address or network of a client.
   * @param length - In bytes; null if the request does not declare it.
   * @param maxBodyBytes - The longest body that the route allows.
   * @returns a function that releases the bytes, to be called once; null if there is no room for the body
   */
  reserve(kind: Party['kind'], id: string, length: number | null, maxBodyBytes: number): (() => void) | null {
    const declared = Math.min(length ?? maxBodyBytes, maxBodyBytes);
    const bytes = Math.max(declared, MIN_COUNTED_BYTES);
    const budget = this.#budgets[kind];
    return budget.take(id, bytes) ? () => budget.giveBack(id, bytes) : null;
  }
}
