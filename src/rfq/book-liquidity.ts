import type { Counterparts, Liquidity, Market } from '../market/pools.ts';
import type { Address } from '../solana/address.ts';
import { type BookState, bookState, JUPITER_RFQ_V2, offerOf } from './book-venue.ts';
import type { LiveBook, LiveBooks } from './live-book.ts';
import { freeAsks, freeBids, type Taken } from './reservations.ts';
import { Side } from '../market/aggregator/swap.ts';

export interface Wanted {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly amount: bigint;
  /** Null: nobody yet. Nobody trades with a book of its own. */
  readonly taker: Address | null;
  /** Of the venues' labels; every venue when absent. */
  readonly allows?: (label: string) => boolean;
}

export interface Beside {
  /** For each book that is worth a search, the pools with it. */
  readonly liquidities: readonly Liquidity[];
  /** Makers whose books are searched with, and those that quote the swap's own pair; each once. */
  readonly makerIds: readonly string[];
}

interface Known {
  readonly takenBase: bigint;
  readonly takenQuote: bigint;
  readonly market: Market;
}

/** Who wants to swap, and the pools that may be used in a book's place. */
interface Rivals {
  readonly pools: Liquidity;
  readonly taker: Wanted['taker'];
  readonly allows: Wanted['allows'];
}

interface Candidate {
  readonly market: Market;
  /** What it pays against the best pool of the pair, for as much of the amount as it takes. */
  readonly gain: number;
  readonly pays: number;
  readonly makerId: string;
}

/** Books that are searched with for one swap. */
const CANDIDATES = 3;
/** A book that pays less of what a pool does is no help, not even beside it. */
const LEAST_GAIN = 0.99;
/** A book that takes less of the amount is not worth its accounts. */
const LEAST_SHARE = 1 / 256;
const PARTNERS_MS = 1_000;
/** Makers look at a fill's end by their own clocks, of which this service's stands for all. */
const MOST_APART_MS = 30_000;
const NONE: ReadonlySet<Address> = new Set();
const NOBODY: Beside = { liquidities: [], makerIds: [] };

/**
 * Makers' live books as liquidity for the router, without what is promised already. A transaction has one maker, so
 * the router searches beside the pools with one book at a time: the few that promise most for the swap. A book takes
 * part as a swap's first or last step.
 */
export class BookLiquidity {
  readonly #books: LiveBooks;
  readonly #reservations: Taken;
  readonly #now: () => number;
  readonly #chainTime: () => bigint;
  readonly #canRecord: () => boolean;
  readonly #markets = new WeakMap<LiveBook, Known>();
  /** Mints by the mints that books trade them for; some may no longer, which `between` tells. */
  #partners = new Map<Address, Set<Address>>();
  #partnersAt = Number.NEGATIVE_INFINITY;
  #partnersStale = true;
  readonly #stop: () => void;

  /**
   * @param chainTime Unix seconds by the chain's clock, by which fills end; makers take no part while it is far from `now`
   * @param canRecord makers take no part while their swaps cannot be recorded
   */
  constructor(
    books: LiveBooks,
    reservations: Taken,
    now: () => number,
    chainTime: () => bigint,
    canRecord: () => boolean = () => true,
  ) {
    this.#chainTime = chainTime;
    this.#canRecord = canRecord;
    this.#books = books;
    this.#reservations = reservations;
    this.#now = now;
    this.#stop = books.watch((_makerId, book) => {
      if (book === null) this.#partnersStale = true;
      else this.#pair(book);
    });
  }

  beside(pools: Liquidity, wanted: Wanted): Beside {
    const apart = Math.abs(Number(this.#chainTime()) * 1_000 - this.#now());
    if (apart > MOST_APART_MS || !this.#canRecord()) return NOBODY;
    const { direct, onTheWay } = this.#candidates(pools, wanted);
    const searched = [...direct, ...onTheWay]
      .filter(({ gain }) => gain >= LEAST_GAIN)
      // Where no pool trades the pair, every gain is infinite.
      .sort((one, other) => (one.gain === other.gain ? other.pays - one.pays : other.gain - one.gain))
      .slice(0, CANDIDATES);
    return {
      liquidities: searched.map(({ market }) => new WithBook(pools, market)),
      makerIds: [...new Set([...direct, ...searched].map(({ makerId }) => makerId))],
    };
  }

  close(): void {
    this.#stop();
  }

  /** The books that take enough of the amount, at whatever price, by the step of the swap that they would be. */
  #candidates(pools: Liquidity, { inputMint, outputMint, amount, taker, allows }: Wanted) {
    const whole = Number(amount);
    const rivals = { pools, taker, allows };
    const direct = this.#between(rivals, inputMint, outputMint, whole);
    const onTheWay: Candidate[] = [];
    for (const mint of this.#partnersOf(inputMint)) {
      if (mint !== outputMint) onTheWay.push(...this.#between(rivals, inputMint, mint, whole));
    }
    for (const mint of this.#partnersOf(outputMint)) {
      if (mint === inputMint) continue;
      const arriving = mostPaid(rivals, inputMint, mint, whole);
      if (arriving > 0) onTheWay.push(...this.#between(rivals, mint, outputMint, arriving));
    }
    return { direct, onTheWay };
  }

  #between(rivals: Rivals, from: Address, to: Address, amount: number): Candidate[] {
    const found: Candidate[] = [];
    for (const book of this.#books.between(from, to, this.#now())) {
      if (book.makerAddress === rivals.taker) continue;
      const market = this.#marketOf(book);
      const taken = Math.min(amount, taking(market.pool as BookState, from));
      if (taken <= 0 || taken < amount * LEAST_SHARE) continue;
      const pays = market.venue.estimate(market.pool, from, taken);
      const against = mostPaid(rivals, from, to, taken);
      const gain = against === 0 ? Number.POSITIVE_INFINITY : pays / against;
      found.push({ market, gain, pays, makerId: book.makerId });
    }
    return found;
  }

  /** Made anew only when what is promised has changed: books themselves never change. */
  #marketOf(book: LiveBook): Market {
    const takenBase = this.#reservations.taken(book.makerId, book.base.mint);
    const takenQuote = this.#reservations.taken(book.makerId, book.quote.mint);
    const known = this.#markets.get(book);
    if (known?.takenBase === takenBase && known.takenQuote === takenQuote) return known.market;
    const pool = bookState(book, freeBids(book, takenQuote), freeAsks(book, takenBase));
    const market: Market = { venue: JUPITER_RFQ_V2, pool };
    this.#markets.set(book, { takenBase, takenQuote, market });
    return market;
  }

  #partnersOf(mint: Address): ReadonlySet<Address> {
    const now = this.#now();
    if (this.#partnersStale && now - this.#partnersAt >= PARTNERS_MS) {
      this.#partners = new Map();
      for (const book of this.#books.all(now)) this.#pair(book);
      this.#partnersStale = false;
      this.#partnersAt = now;
    }
    return this.#partners.get(mint) ?? NONE;
  }

  #pair({ base, quote }: LiveBook): void {
    for (const [one, other] of [
      [base.mint, quote.mint],
      [quote.mint, base.mint],
    ] as const) {
      const partners = this.#partners.get(one);
      if (partners === undefined) this.#partners.set(one, new Set([other]));
      else partners.add(other);
    }
  }
}

/** About how much of the input the book takes. */
function taking(pool: BookState, inputMint: Address): number {
  const { side, levels, one } = offerOf(pool, inputMint);
  return levels.reduce(
    (sum, { price, volume }) =>
      sum + (side === Side.ASK ? Number(volume) : (Number(price) / Number(one)) * Number(volume)),
    0,
  );
}

/** What the best pool of the pair is estimated to pay. */
function mostPaid({ pools, allows }: Rivals, from: Address, to: Address, amount: number): number {
  let most = 0;
  for (const { venue, pool } of pools.between(from, to)) {
    if (allows === undefined || allows(venue.label))
      most = Math.max(most, venue.estimate(pool, from, amount));
  }
  return most;
}

/** All pools and one book. */
class WithBook implements Liquidity {
  readonly #pools: Liquidity;
  readonly #market: Market;

  constructor(pools: Liquidity, market: Market) {
    this.#pools = pools;
    this.#market = market;
  }

  counterparts(mint: Address): Counterparts {
    const counterparts = this.#pools.counterparts(mint);
    const [base, quote] = this.#market.pool.mints;
    const other = mint === base ? quote : mint === quote ? base : null;
    if (other === null || counterparts.has(other)) return counterparts;
    return {
      size: counterparts.size + 1,
      has: (each) => each === other || counterparts.has(each),
      *keys() {
        yield other;
        yield* counterparts.keys();
      },
    };
  }

  between(one: Address, other: Address): readonly Market[] {
    const pools = this.#pools.between(one, other);
    const { mints } = this.#market.pool;
    return one !== other && mints.includes(one) && mints.includes(other) ? [...pools, this.#market] : pools;
  }

  hubs(): ReadonlySet<Address> {
    return this.#pools.hubs();
  }
}
