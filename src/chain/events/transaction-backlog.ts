import { type HistoryCursor, listSignaturesAfter, readListedTransactions } from '../address-history.ts';
import type { AddressSignature, Chain } from '../chain.ts';
import type { Address } from '../../solana/address.ts';

/** The most transactions that wait: their signatures take some 15 MB of memory. */
export const MAX_BACKLOG = 100_000;

export interface BacklogOptions {
  readonly chain: Pick<Chain, 'signaturesOf' | 'transaction' | 'slot'>;
  readonly address: Address;
  /** With more transactions, the oldest are dropped. */
  readonly maxLength: number;
}

/** A list whose end, at the cursor or at the newest transaction that waits, was not reached yet. */
interface OpenListing {
  readonly after: HistoryCursor;
  /** Newest first. */
  readonly signatures: AddressSignature[];
}

/**
 * The transactions that name an address, landed after a cursor, and wait to be read. A network lists the newest first, so a
 * list that is longer than what is listed in one round is continued in the next one, and the transactions of it wait until it
 * has reached what was known before.
 */
export class TransactionBacklog {
  readonly #options: BacklogOptions;
  #cursor: HistoryCursor | null = null;
  /** Those directly behind the cursor, oldest first. */
  #waiting: AddressSignature[] = [];
  #listing: OpenListing | null = null;

  constructor(options: BacklogOptions) {
    this.#options = options;
  }

  /** How many transactions are known to wait. There are more while a list is not at its end. */
  get length(): number {
    return this.#waiting.length + (this.#listing?.signatures.length ?? 0);
  }

  /** Whether all transactions were listed up to the newest one of the last list. */
  get isListed(): boolean {
    return this.#listing === null;
  }

  /** Drops what is not behind the cursor any more, because it was recorded. */
  moveTo(cursor: HistoryCursor): void {
    if (isSameCursor(this.#cursor, cursor)) return;
    const at = this.#waiting.findIndex(({ signature }) => signature === cursor.signature);
    this.#cursor = cursor;
    if (at >= 0) {
      this.#waiting.splice(0, at + 1);
      return;
    }
    // Another instance was faster than this one's list, or the network began again.
    this.#waiting = [];
    this.#listing = null;
  }

  /** Returns the next transactions, oldest first. */
  next(atMost: number): readonly AddressSignature[] {
    return this.#waiting.slice(0, atMost);
  }

  /**
   * Lists what is new, up to so many pages.
   *
   * @param asOf - The confirmed slot that a new list covers.
   * @returns The last transaction of those that were dropped, because too many wait. Null if none were.
   */
  async list(asOf: bigint, maxPages: number): Promise<AddressSignature | null> {
    const { chain, address } = this.#options;
    const newest = this.#waiting.at(-1);
    const listing: OpenListing = this.#listing ?? { after: newest ?? this.#requireCursor(), signatures: [] };
    const before = listing.signatures.at(-1)?.signature;
    const listed = await listSignaturesAfter(chain, address, listing.after, { before, asOf, maxPages });
    listing.signatures.push(...listed.signatures);
    this.#listing = listing;
    if (listed.isComplete) await this.#finish(listing);
    return this.#dropOldest();
  }

  async #finish({ after, signatures }: OpenListing): Promise<void> {
    const oldest = signatures.at(-1);
    const isDoubtful = oldest !== undefined && after.signature !== null && oldest.slot === after.slot;
    const isForgotten = isDoubtful && (await this.#hasForgotten(after));
    // Nobody knows which of that slot were before a transaction that the network has forgotten. All of them are as old.
    const fresh = isForgotten ? signatures.filter(({ slot }) => slot > after.slot) : signatures;
    this.#listing = null;
    for (let at = fresh.length - 1; at >= 0; at--) this.#waiting.push(fresh[at] as AddressSignature);
  }

  /** @throws ChainUnavailable when the node does not have the transaction, and is perhaps only behind. */
  async #hasForgotten({ signature, slot }: HistoryCursor): Promise<boolean> {
    const [found] = await readListedTransactions(this.#options.chain, [{ signature: signature ?? '', slot }]);
    return found === null;
  }

  #dropOldest(): AddressSignature | null {
    const { maxLength } = this.#options;
    const listing = this.#listing;
    if (listing !== null && listing.signatures.length > maxLength) {
      // Whatever is older is dropped, so that this list need not go on.
      this.#waiting = listing.signatures.reverse();
      this.#listing = null;
    }
    const excess = this.length - maxLength;
    return excess <= 0 ? null : (this.#waiting[excess - 1] ?? null);
  }

  #requireCursor(): HistoryCursor {
    if (this.#cursor === null) throw new Error('the backlog has no cursor yet');
    return this.#cursor;
  }
}

function isSameCursor(one: HistoryCursor | null, other: HistoryCursor): boolean {
  return one !== null && one.signature === other.signature && one.slot === other.slot;
}
