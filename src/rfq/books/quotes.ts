import type { Address } from '../../solana/address.ts';
import type { Timers } from '../../common/ports/timers.ts';
import type { Books, ListedBook } from './books.ts';
import {
  type AcceptedSnapshot,
  checkSnapshot,
  coverBothSides,
  type KnownMint,
  type RefusedSnapshot,
  type SnapshotContext,
} from './check-snapshot.ts';
import type { Inventory } from './inventory.ts';
import type { LiveBook } from './live-book.ts';
import type { MakerRecord } from '../makers/maker.ts';
import type { Maker, Makers } from '../makers/makers.ts';
import type { SnapshotCluster, Snapshot } from './snapshot.ts';

export interface QuotesOptions {
  readonly makers: Makers;
  readonly books: Books;
  readonly inventory: Inventory;
  readonly timers: Timers;
  /** The cluster that snapshots must name. */
  readonly cluster: SnapshotCluster;
  /** The price of an atom of the mint in US dollars, as market data has it; null if it has none. */
  readonly dollarsPerAtom: (mint: Address) => number | null;
}

/** The answer to a snapshot. `note` says what was changed of an accepted one. */
export type Ack = { readonly note: string | null } | RefusedSnapshot;

/** A stream to the wrong instance must not take the maker away from the instance with its swap stream. */
const AT_ANOTHER_INSTANCE: RefusedSnapshot = {
  refusal: 'swap-stream',
  message:
    'the swap stream must be live at the same instance, but is at another one; open both over one connection',
};

const UNCOVERED = 'its balance no longer covers any level of its book';
/** The maker was removed while its snapshot was on its way, and its stream ends. */
const REMOVED: RefusedSnapshot = { refusal: 'status', message: 'the operator removed the maker' };

/** Checks makers' snapshots and puts them into the market. */
export class MakerQuotes {
  readonly #options: QuotesOptions;
  readonly #stops: (() => void)[];

  constructor(options: QuotesOptions) {
    this.#options = options;
    const { makers, books, inventory } = options;
    this.#stops = [
      makers.onStatus((makerId, status) => {
        if (status !== 'prod') books.removeAll(makerId);
      }),
      inventory.onChange((makerId, mint) => {
        for (const book of books.ofMint(makerId, mint)) this.#coverAgain(book);
      }),
    ];
  }

  /**
   * Handles one snapshot.
   * @param makerId - The maker that the stream is authenticated as.
   * @returns the answer; a promise if mints or balances must be read, or the range of sequence numbers must be extended
   */
  receive(makerId: string, snapshot: Snapshot): Ack | Promise<Ack> {
    const { makers, inventory } = this.#options;
    const owning = makers.claim(makerId);
    if (owning !== null) return this.#receiveAfter(owning, makerId, snapshot);
    const maker = makers.get(makerId);
    if (maker === null) return REMOVED;
    const missing = mayQuote(maker, snapshot)
      ? inventory.missing(makerId, maker.record.address, [snapshot.base.mint, snapshot.quote.mint])
      : null;
    return missing === null ? this.#check(maker, snapshot) : this.#checkAfter(missing, makerId, snapshot);
  }

  /** Applies the operator's record: removes the books of pairs that the maker may not quote any more. */
  restrict({ id, pairs }: Pick<MakerRecord, 'id' | 'pairs'>): void {
    this.#options.books.keepOnly(id, pairs);
  }

  /** Removes all books of a maker that the operator removed. */
  remove(makerId: string): void {
    this.#options.books.removeAll(makerId);
  }

  close(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  async #receiveAfter(owning: Promise<string | null>, makerId: string, snapshot: Snapshot): Promise<Ack> {
    try {
      if ((await owning) !== null) return this.#refuse(makerId, AT_ANOTHER_INSTANCE);
    } catch (error) {
      const message = `the last accepted sequence_number cannot be read now: ${describeCheckError(error)}`;
      return this.#refuse(makerId, { refusal: 'sequence', message });
    }
    return this.receive(makerId, snapshot);
  }

  async #checkAfter(missing: Promise<void>, makerId: string, snapshot: Snapshot): Promise<Ack> {
    try {
      await missing;
    } catch (error) {
      const message = `the network does not answer, so the balances are not known: ${describeCheckError(error)}`;
      return this.#refuse(makerId, { refusal: 'inventory', message });
    }
    const maker = this.#options.makers.get(makerId);
    if (maker === null) return REMOVED;
    return this.#check(maker, snapshot);
  }

  #check(maker: Maker, snapshot: Snapshot): Ack | Promise<Ack> {
    const { id } = maker.record;
    const verdict = checkSnapshot(snapshot, this.#contextOf(maker, snapshot));
    if ('refusal' in verdict) return this.#refuse(id, verdict);
    const reserved = this.#options.makers.reserve(id, snapshot.sequence);
    return reserved === null
      ? this.#accept(maker, snapshot, verdict)
      : this.#acceptAfter(reserved, id, snapshot);
  }

  async #acceptAfter(reserved: Promise<void>, makerId: string, snapshot: Snapshot): Promise<Ack> {
    try {
      await reserved;
    } catch (error) {
      const message = `sequence_number ${snapshot.sequence} cannot be written down now: ${describeCheckError(error)}`;
      return this.#refuse(makerId, { refusal: 'sequence', message });
    }
    // The maker may have left the market in the meantime.
    return this.receive(makerId, snapshot);
  }

  #accept(
    maker: Maker,
    snapshot: Snapshot,
    { base, quote, bids, asks, arranged, note }: AcceptedSnapshot,
  ): Ack {
    const { makers, books, timers } = this.#options;
    const now = timers.now();
    makers.accepted(maker.record.id, snapshot.sequence);
    books.put(
      { snapshot, arranged, receivedAt: now },
      {
        makerId: maker.record.id,
        makerAddress: maker.record.address,
        base,
        quote,
        bids,
        asks,
        expiresAt: computeBookExpiry(snapshot, now),
      },
    );
    return { note };
  }

  #refuse(makerId: string, refused: RefusedSnapshot): RefusedSnapshot {
    const { makers } = this.#options;
    makers.rejected(makerId, refused.refusal);
    makers.noteQuoteProblem(makerId, `its last snapshot was refused: ${refused.message}`);
    return refused;
  }

  #contextOf({ record, status, blockedBy, lastSequence }: Maker, { base, quote }: Snapshot): SnapshotContext {
    const { inventory, cluster, timers } = this.#options;
    return {
      makerId: record.id,
      makerAddress: record.address,
      pairs: record.pairs,
      status,
      blockedBy,
      cluster,
      lastSequence,
      now: timers.now(),
      base: inventory.mint(record.id, base.mint),
      quote: inventory.mint(record.id, quote.mint),
      baseBalance: inventory.balance(record.id, base.mint),
      quoteBalance: inventory.balance(record.id, quote.mint),
      poolPrice: this.#poolPrice(inventory.mint(record.id, base.mint), inventory.mint(record.id, quote.mint)),
    };
  }

  #poolPrice(base: KnownMint, quote: KnownMint): number | null {
    if ('unusable' in base || 'unusable' in quote) return null;
    const { dollarsPerAtom } = this.#options;
    const [ofBase, ofQuote] = [dollarsPerAtom(base.mint), dollarsPerAtom(quote.mint)];
    return ofBase === null || ofQuote === null ? null : (ofBase / ofQuote) * 10 ** base.decimals;
  }

  /** Called when a balance or a mint changed: cuts the book's levels to the balance again. */
  #coverAgain(book: ListedBook): void {
    const { books, inventory, makers } = this.#options;
    const { version: _, ...live } = book.live;
    const remove = () => {
      books.remove(book);
      makers.noteQuoteProblem(live.makerId, UNCOVERED);
    };
    const baseBalance = inventory.balance(live.makerId, live.base.mint);
    const quoteBalance = inventory.balance(live.makerId, live.quote.mint);
    const mints = [live.base.mint, live.quote.mint].map((mint) => inventory.mint(live.makerId, mint));
    const cannotPay = mints.some((mint) => 'unusable' in mint);
    if (cannotPay || 'unusable' in baseBalance || 'unusable' in quoteBalance) {
      remove();
      return;
    }
    const [bids, asks] = coverBothSides(book.arranged, live.base, baseBalance.amount, quoteBalance.amount);
    if (bids.levels.length + asks.levels.length === 0) remove();
    else if (!isSame(live, bids.levels, asks.levels)) {
      books.put(book, { ...live, bids: bids.levels, asks: asks.levels });
    }
  }
}

/**
 * Returns false if the snapshot will be refused before balances matter, so that it must not cause a read of the network.
 */
function mayQuote({ record, status }: Maker, { base, quote, makerId, makerAddress }: Snapshot): boolean {
  if (status !== 'prod' || makerId !== record.id || makerAddress !== record.address) return false;
  if (base.mint === quote.mint) return false;
  return record.pairs?.some((pair) => pair.base === base.mint && pair.quote === quote.mint) ?? true;
}

/** Unix milliseconds, limited to the largest safe integer. */
function computeBookExpiry({ expirySeconds }: Snapshot, now: number): number {
  const at = BigInt(now) + expirySeconds * 1_000n;
  return at > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(at);
}

function isSame(
  { bids, asks }: Pick<LiveBook, 'bids' | 'asks'>,
  nextBids: LiveBook['bids'],
  nextAsks: LiveBook['asks'],
) {
  const equal = (one: LiveBook['bids'], other: LiveBook['bids']) =>
    one.length === other.length &&
    one.every(({ price, volume }, i) => price === other[i]?.price && volume === other[i]?.volume);
  return equal(bids, nextBids) && equal(asks, nextAsks);
}

function describeCheckError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
