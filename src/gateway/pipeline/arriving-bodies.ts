import type { FastifyRequest } from 'fastify';
import { SharedBudget } from '../../collections/shared-budget.ts';

/** Bytes of all bodies that are arriving at once. */
const MAX_ARRIVING_BYTES = 64 * 1024 * 1024;
/** A request takes memory of its own, however short its body is. */
const MIN_COUNTED_BYTES = 16 * 1024;
/** One address may have as many bytes under way as it leaves to the others: half of them when it is alone. */
const ADDRESS_FACTOR = 1;

/** Whether a body is still to come that Fastify will read. */
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
 * Bounds the bodies that are arriving, which hold no place in the gate yet: 64 MiB together, and of those half for one
 * address. Each is counted with the length that its request declares, or with the longest that is allowed. How long one
 * may take is the server's `requestTimeoutMs`.
 */
export class ArrivingBodies {
  readonly #budget = new SharedBudget(MAX_ARRIVING_BYTES, ADDRESS_FACTOR);

  /**
   * @param network address or network of the client
   * @param length in bytes; null when the request does not declare it
   * @returns the way to give back what was reserved, to be called once; null when there is no room for the body
   */
  reserve(network: string, length: number | null, maxBodyBytes: number): (() => void) | null {
    const declared = Math.min(length ?? maxBodyBytes, maxBodyBytes);
    const bytes = Math.max(declared, MIN_COUNTED_BYTES);
    return this.#budget.take(network, bytes) ? () => this.#budget.giveBack(network, bytes) : null;
  }
}
