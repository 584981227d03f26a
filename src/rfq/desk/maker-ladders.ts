import type { ShownBook } from '../books/books.ts';
import { type BookSides, findCrossing } from '../books/book-levels.ts';
import type { BookLevel, LiveBook } from '../books/live-book.ts';
import { computeFreeAsks, computeFreeBids, type ReservedInventory } from '../books/reservations.ts';
import type { BookListing } from '../cluster/shared-books.ts';

/** A level of a book, with the part of its volume that no swap reserves. */
export interface LadderLevel extends BookLevel {
  readonly free: bigint;
}

/** A token of a pair, with the symbol that the maker streams for it, which may be any text. */
export type LadderToken = LiveBook['base'] & { readonly symbol: string };

/** A live book of one pair as a ladder of prices. */
export interface BookLadder {
  readonly base: LadderToken;
  readonly quote: LadderToken;
  /** Highest price first. */
  readonly bids: readonly LadderLevel[];
  /** Lowest price first. */
  readonly asks: readonly LadderLevel[];
  /** Atoms of the maker's inventory that swaps under way reserve. */
  readonly reserved: { readonly base: bigint; readonly quote: bigint };
  readonly sequence: bigint;
  readonly lotSizeBase: bigint;
  /** Unix milliseconds. */
  readonly receivedAt: number;
  readonly expiresAt: number;
  /** Whether takers can buy at its best ask and sell at its higher best bid. */
  readonly isCrossed: boolean;
  /** Why it is not used for orders now, as a sentence without a full stop; null if it is. */
  readonly notUsed: string | null;
}

/** The books of a maker, the newest first. */
export interface MakerLadders {
  /** How many books it has in the market. */
  readonly total: number;
  readonly ladders: readonly BookLadder[];
}

/**
 * Lists the live books of a maker, the most recently received first.
 * @param most - The most books that are returned.
 * @param obstacle - Why no book of any maker is used now, as a sentence; null if they are.
 */
export function listBookLadders(
  books: BookListing,
  reserved: ReservedInventory,
  maker: { readonly id: string; readonly now: number },
  { most, obstacle }: { readonly most: number; readonly obstacle: string | null },
): MakerLadders {
  const shown = [...books.listedOf(maker.id, maker.now)];
  const newest = shown.sort((one, other) => other.receivedAt - one.receivedAt).slice(0, most);
  const ofMaker = rememberReserved(reserved);
  return { total: shown.length, ladders: newest.map((each) => toLadder(each, ofMaker, obstacle)) };
}

/** What is reserved of a mint is added up from all swaps of the maker under way, and many books can have the same mint. */
function rememberReserved(inventory: ReservedInventory): ReservedInventory {
  const known = new Map<string, bigint>();
  return {
    reserved: (makerId, mint) => {
      const amount = known.get(mint) ?? inventory.reserved(makerId, mint);
      known.set(mint, amount);
      return amount;
    },
  };
}

function toLadder(
  { live, snapshot, receivedAt }: ShownBook,
  inventory: ReservedInventory,
  obstacle: string | null,
): BookLadder {
  const { makerId, base, quote, expiresAt } = live;
  const reserved = {
    base: inventory.reserved(makerId, base.mint),
    quote: inventory.reserved(makerId, quote.mint),
  };
  const bids = joinFree(live.bids, computeFreeBids(live, reserved.quote));
  const asks = joinFree(live.asks, computeFreeAsks(live, reserved.base));
  const isTaken = [...bids, ...asks].every(({ free }) => free === 0n);
  return {
    base: { ...base, symbol: snapshot.base.symbol },
    quote: { ...quote, symbol: snapshot.quote.symbol },
    bids,
    asks,
    reserved,
    sequence: snapshot.sequence,
    lotSizeBase: snapshot.lotSizeBase,
    receivedAt,
    expiresAt,
    isCrossed: findCrossing(live satisfies BookSides) !== null,
    notUsed: obstacle ?? (isTaken ? 'swaps under way reserve all of it' : null),
  };
}

/** @param left - What is left of the levels: the best ones, which swaps take first, are missing or smaller. */
function joinFree(levels: readonly BookLevel[], left: readonly BookLevel[]): readonly LadderLevel[] {
  const missing = levels.length - left.length;
  return levels.map(({ price, volume }, place) => ({
    price,
    volume,
    free: left[place - missing]?.volume ?? 0n,
  }));
}
