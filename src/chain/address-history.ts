import type { Address } from '../solana/address.ts';
import { type AddressSignature, type Chain, ChainUnavailable, requireAvailable } from './chain.ts';
import type { LandedTransaction } from './landed-transactions.ts';

/**
 * About ten minutes of slots. If a node is further behind, it does not just lag: the network was started again. A
 * transaction that a node lists and does not return after this time is lost.
 */
export const MAX_LAG_SLOTS = 1_500n;
/** How much later than that of this machine the clock of a network can be that does not lag. */
const MAX_CLOCK_LAG_SECONDS = 60n;
/** The number of signatures that are listed at once. */
export const SIGNATURES_PER_PAGE = 1_000;
/** The number of transactions that are read at once. A caller of whom too many calls wait is refused. */
const READ_AT_ONCE = 5;

/** The place in the history of an address up to which it was read. */
export interface HistoryCursor {
  /** The last transaction that was read. Null if none was. */
  readonly signature: string | null;
  /** Its slot, or the first slot of the history. */
  readonly slot: bigint;
}

export interface HistoryListing {
  /** List only transactions before this one. Default: begin with the newest. */
  readonly before?: string | undefined;
  /** A confirmed slot that the list must cover: a node that is behind it does not answer. Default: any. */
  readonly asOf?: bigint | undefined;
  readonly maxPages: number;
}

/** The signatures that were listed. */
export interface ListedSignatures {
  /** Newest first. */
  readonly signatures: readonly AddressSignature[];
  /** False if there are more between the last of them and the cursor. */
  readonly isComplete: boolean;
}

/**
 * Lists the transactions that name an address and landed after the cursor. If the network has forgotten the cursor, those
 * of its slot are listed too.
 *
 * @throws ChainUnavailable when the network does not answer.
 */
export async function listSignaturesAfter(
  chain: Pick<Chain, 'signaturesOf'>,
  address: Address,
  cursor: HistoryCursor,
  { before, asOf, maxPages }: HistoryListing,
): Promise<ListedSignatures> {
  const signatures: AddressSignature[] = [];
  for (let page = 0; page < maxPages; page++) {
    const from = signatures.at(-1)?.signature ?? before;
    const listed = await chain.signaturesOf(address, {
      limit: SIGNATURES_PER_PAGE,
      ...(cursor.signature === null ? {} : { until: cursor.signature }),
      ...(from === undefined ? {} : { before: from }),
      ...(asOf === undefined ? {} : { asOf }),
    });
    // If the network has forgotten the cursor, the list goes back further than the cursor.
    const newer = listed.filter(({ slot }) => slot >= cursor.slot);
    signatures.push(...newer);
    if (newer.length < SIGNATURES_PER_PAGE) return { signatures, isComplete: true };
  }
  return { signatures, isComplete: false };
}

/**
 * Reads transactions that were listed, in their order. One that the network has lost is null.
 *
 * @throws ChainUnavailable when the network does not have one of them yet.
 */
export async function readListedTransactions(
  chain: Pick<Chain, 'transaction' | 'slot'>,
  signatures: readonly AddressSignature[],
): Promise<readonly (LandedTransaction | null)[]> {
  const landed: (LandedTransaction | null)[] = [];
  for (let at = 0; at < signatures.length; at += READ_AT_ONCE) {
    const some = signatures.slice(at, at + READ_AT_ONCE);
    landed.push(...(await Promise.all(some.map(({ signature }) => chain.transaction(signature)))));
  }
  for (const [index, { signature, slot }] of signatures.entries()) {
    if (landed[index] !== null || chain.slot('confirmed') - slot > MAX_LAG_SLOTS) continue;
    throw new ChainUnavailable(`the network lists transaction ${signature}, but does not have it yet`);
  }
  return landed;
}

/**
 * Returns whether the network was started again at slot 0 with the same genesis. A network of one's own is never behind what
 * it listed. A node of an outside RPC can be, or the other instance that moved the cursor was ahead. Nodes that catch up with
 * the network may call themselves healthy, but their clock is as old as their newest block. That of a new network is not.
 *
 * @param now - Unix milliseconds of this machine.
 * @throws ChainUnavailable when the chain says of itself that it cannot be relied on, or its clock says so.
 */
export function hasBegunAgain(
  chain: Pick<Chain, 'slot' | 'unhealthy' | 'clock'>,
  cursor: Pick<HistoryCursor, 'slot'>,
  isOwnNetwork: boolean,
  now: number,
): boolean {
  const slot = chain.slot('processed');
  const behind = cursor.slot - slot;
  if (behind <= 0n) return false;
  if (isOwnNetwork) return true;
  requireAvailable(chain);
  if (behind <= MAX_LAG_SLOTS) return false;
  const late = BigInt(Math.floor(now / 1_000)) - chain.clock().unixTimestamp;
  if (late <= MAX_CLOCK_LAG_SECONDS) return true;
  throw new ChainUnavailable(
    `the node is at slot ${slot}, ${behind} slots behind what was recorded, and its clock is ${late} seconds late`,
  );
}
