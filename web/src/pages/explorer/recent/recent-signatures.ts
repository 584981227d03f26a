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
/** The blocks that a list of everything reads at once. */
const BLOCKS = 6;

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

interface ListedBlock {
  readonly blockTime?: number | null;
  readonly transactions?: readonly {
    readonly transaction: { readonly signatures: readonly string[] };
    readonly meta: { readonly err: unknown } | null;
  }[];
}

/** Reads the transactions of the last blocks, the newest first. */
export async function fetchRecentBlocks(): Promise<readonly RecentTransaction[]> {
  const slot = await callRpc<number>('getSlot', [{ commitment: 'confirmed' }]);
  const slots = Array.from({ length: BLOCKS }, (_, index) => slot - index).filter((each) => each >= 0);
  const blocks = await Promise.all(slots.map(fetchBlock));
  return blocks.flat().slice(0, LISTED);
}

/** A slot without a block has no transactions. */
async function fetchBlock(slot: number): Promise<readonly RecentTransaction[]> {
  const block = await callRpc<ListedBlock | null>('getBlock', [
    slot,
    {
      commitment: 'confirmed',
      encoding: 'base64',
      transactionDetails: 'accounts',
      rewards: false,
      maxSupportedTransactionVersion: 0,
    },
  ]).catch(() => null);
  return (block?.transactions ?? [])
    .map(({ transaction, meta }) => ({
      signature: transaction.signatures[0] ?? '',
      slot,
      time: block?.blockTime ?? null,
      isFailed: meta?.err != null,
    }))
    .toReversed();
}
