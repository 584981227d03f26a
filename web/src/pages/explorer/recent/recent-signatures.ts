import { callRpc } from '../../../api/network.ts';

/** A confirmed transaction in a list. */
export interface RecentTransaction {
  readonly signature: string;
  readonly slot: number;
  /** Unix seconds; null if it is not known. */
  readonly time: number | null;
  readonly isFailed: boolean;
}

const LISTED = 20;

interface ListedSignature {
  readonly signature: string;
  readonly slot: number;
  readonly blockTime?: number | null;
  readonly err: unknown;
}

/** Reads the last transactions that name an address, the newest first. */
export async function fetchRecentOf(address: string): Promise<readonly RecentTransaction[]> {
  const listed = await callRpc<readonly ListedSignature[]>('getSignaturesForAddress', [
    address,
    { limit: LISTED, commitment: 'confirmed' },
  ]);
  return listed.map(({ signature, slot, blockTime, err }) => ({
    signature,
    slot,
    time: blockTime ?? null,
    isFailed: err !== null,
  }));
}
