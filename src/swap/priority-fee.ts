import type { OrderRequest } from './order-request.ts';

const MICRO_LAMPORTS = 1_000_000n;
/** However much others pay: a fee that nobody asked for stays below 0.005 SOL. */
const MOST_AUTOMATIC = 5_000_000n;

export interface PriorityFee {
  /** Micro-lamports per compute unit. */
  readonly price: bigint;
  /** What that comes to, as the network rounds it. */
  readonly lamports: bigint;
}

/**
 * The price per compute unit for a transaction with that limit. `recent` is what others pay; a fee that the request
 * gives replaces it, or with `maxCap` only bounds it. Never more than given: the price is rounded down.
 */
export function priorityFee(asked: OrderRequest['priorityFee'], recent: bigint, limit: number): PriorityFee {
  const units = BigInt(limit);
  const priceOf = (lamports: bigint) => (lamports * MICRO_LAMPORTS) / units;
  const automatic = least(recent, priceOf(MOST_AUTOMATIC));
  const given = asked === null ? automatic : priceOf(asked.lamports);
  const price = asked?.kind === 'maxCap' ? least(automatic, given) : given;
  return { price, lamports: (price * units + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS };
}

export function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
