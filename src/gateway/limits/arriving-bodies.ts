import type { FastifyRequest } from 'fastify';
import { SharedBudget } from '../../common/collections/shared-budget.ts';
import type { CallerKind } from './gate.ts';

/** Bytes of all bodies that are arriving at once from callers of one kind. */
const MAX_ARRIVING_BYTES = 64 * 1024 * 1024;
/** A request takes memory of its own, however short its body is. */
const MIN_COUNTED_BYTES = 16 * 1024;
/** One caller may have as many bytes under way as it leaves to the others: half of them when it is alone. */
const CALLER_FACTOR = 1;

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
 * Bounds the bodies that are arriving, which hold no place in the gate yet: 64 MiB for all organisations together, as
 * much for all callers without a key, and of those half for one organisation or address. One person may have as many
 * addresses as it takes to fill what callers without a key share, so organisations have bytes of their own. Each body is
 * counted with the length that its request declares, or with the longest that is allowed. How long one may take is the
 * server's `requestTimeoutMs`.
 */
export class ArrivingBodies {
  readonly #budgets: Readonly<Record<CallerKind, SharedBudget>> = {
    organisation: new SharedBudget(MAX_ARRIVING_BYTES, CALLER_FACTOR),
    client: new SharedBudget(MAX_ARRIVING_BYTES, CALLER_FACTOR),
  };

  /**
   * Spends bytes of the caller's share, for as long as its body is arriving.
   * @param id of the organisation, or the address or network of a client
   * @param length in bytes; null when the request does not declare it
   * @returns the way to give back what was reserved, to be called once; null when there is no room for the body
   */
  reserve(kind: CallerKind, id: string, length: number | null, maxBodyBytes: number): (() => void) | null {
    const declared = Math.min(length ?? maxBodyBytes, maxBodyBytes);
    const bytes = Math.max(declared, MIN_COUNTED_BYTES);
    const budget = this.#budgets[kind];
    return budget.take(id, bytes) ? () => budget.giveBack(id, bytes) : null;
  }
}
