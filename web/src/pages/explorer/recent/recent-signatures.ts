import { UnreadableError } from '../../../api/call.ts';
import { callRpc } from '../../../api/network.ts';
import { shape } from '../../../base/json-shape.ts';

/** A confirmed transaction in a list. */
export interface RecentTransaction {
  readonly signature: string;
  readonly slot: number;
  /** Unix seconds; null if it is not known. */
  readonly time: number | null;
  readonly isFailed: boolean;
}

const LISTED = 20;

const readListed = shape.list(
  shape.object({
    signature: shape.text,
    slot: shape.number,
    blockTime: shape.nullable(shape.number),
    err: (value: unknown) => value ?? null,
  }),
);

/**
 * Reads the last transactions that name an address, the newest first.
 *
 * @throws ApiError if the network refuses, in its words
 * @throws UnreadableError if the answer is no list of transactions
 */
export async function fetchRecentOf(address: string): Promise<readonly RecentTransaction[]> {
  return toRecentTransactions(
    await callRpc('getSignaturesForAddress', [address, { limit: LISTED, commitment: 'confirmed' }]),
  );
}

/** Converts the answer of `getSignaturesForAddress`. @throws UnreadableError if it is none */
export function toRecentTransactions(answer: unknown): readonly RecentTransaction[] {
  try {
    // An RPC need not keep to the limit that it was given.
    return readListed(answer)
      .slice(0, LISTED)
      .map(({ signature, slot, blockTime, err }) => ({
        signature,
        slot,
        time: blockTime,
        isFailed: err !== null,
      }));
  } catch {
    throw new UnreadableError('a list of transactions');
  }
}
