const MICRO_LAMPORTS = 1_000_000n;
/** However much others pay: a fee that nobody asked for stays below 0.005 SOL. */
const MAX_AUTOMATIC = 5_000_000n;

/**
 * Lamports that a sponsor bids for priority at most, whatever others pay or the taker asks for. A sponsored swap that
 * fails on chain costs this and two signatures, and brings no fee.
 */
export const MAX_SPONSORED_PRIORITY_FEE = 100_000n;

/** A priority fee that a request gives. */
export interface AskedPriorityFee {
  readonly lamports: bigint;
  /** Whether it is what is paid, or the most that may be. */
  readonly kind: 'exactFee' | 'maxCap';
}

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
export function priorityFee(asked: AskedPriorityFee | null, recent: bigint, limit: number): PriorityFee {
  const units = BigInt(limit);
  const priceOf = (lamports: bigint) => (lamports * MICRO_LAMPORTS) / units;
  const automatic = least(recent, priceOf(MAX_AUTOMATIC));
  const given = asked === null ? automatic : priceOf(asked.lamports);
  const price = asked?.kind === 'maxCap' ? least(automatic, given) : given;
  return { price, lamports: (price * units + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS };
}

/** What a sponsor bids: no more than others, than the taker allows, and than its own bound. */
export function sponsoredPriorityFee(
  asked: AskedPriorityFee | null,
  recent: bigint,
  limit: number,
): PriorityFee {
  const most =
    asked === null ? MAX_SPONSORED_PRIORITY_FEE : least(asked.lamports, MAX_SPONSORED_PRIORITY_FEE);
  return priorityFee({ kind: 'maxCap', lamports: most }, recent, limit);
}

export function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
