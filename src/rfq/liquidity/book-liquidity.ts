import { Side } from '../../market/aggregator/swap.ts';
import type { Counterparts, Liquidity, PoolHandle } from '../../market/pools/pools.ts';
import type { Address } from '../../solana/address.ts';
import { bestCandidates, type Candidate } from './book-candidates.ts';
import { type BookState, bookState, JUPITER_RFQ_V2, offerOf } from './book-venue.ts';
import type { LiveBook, LiveBooks } from '../books/live-book.ts';
import { freeAsks, freeBids, type ReservedInventory } from '../books/reservations.ts';

export interface Wanted {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly amount: bigint;
  /** Null: nobody yet. Nobody trades with a book of its own. */
  readonly taker: Address | null;
  /** Of the venues' labels; every venue when absent. */
  readonly allows?: (label: string) => boolean;
  /** Pools and makers that were found to refuse the swap; none when absent. */
  readonly avoid?: ReadonlySet<Address>;
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
  readonly market: PoolHandle;
}

/** Who wants to swap what, and the pools that may be used in a book's place. */
interface Search extends Wanted {
  readonly pools: Liquidity;
  readonly avoid: ReadonlySet<Address>;
}

/** A book that would take part, before what the route over it pays is known. */
interface Step {
  readonly market: PoolHandle;
  readonly book: LiveBook;
  /** What it pays against the best pool of the pair, for as much of the amount as it takes. */
  readonly gain: number;
  /** Atoms that it takes of what reaches it. */
  readonly taken: bigint;
}

/** A book that pays less of what a pool does is no help, not even beside it. */
const MIN_GAIN = 0.99;
/** A book that takes less of the amount is not worth its accounts. */
const MIN_SHARE = 1 / 256;
/** When the fills of so many makers would fail, makers take no further part: the pools need an attempt that is left. */
const MAX_AVOIDED_MAKERS = 3;
const PARTNERS_MS = 1_000;
/** Makers look at a fill's end by their own clocks, of which this service's stands for all. */
const MAX_APART_MS = 30_000;
const NONE: ReadonlySet<Address> = new Set();
const NOBODY: Beside = { liquidities: [], makerIds: [] };

/**
 * Makers' live books as liquidity for the router, without what is promised already. A transaction has one maker, so
 * the router searches beside the pools with one book at a time: the few that have the taker get most. A book takes part
 * as a swap's first or last step, and only where pools lead on to the output.
 */
export class BookLiquidity {
  readonly #books: LiveBooks;
  readonly #reservations: ReservedInventory;
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
    reservations: ReservedInventory,
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

  /**
   * The pools with each of the books that would have the taker get most. The router searches each, which is what an
   * order costs in time: at most three, of three makers, two of which are kept for books of the swap's own pair.
   */
  beside(pools: Liquidity, wanted: Wanted): Beside {
    const apart = Math.abs(Number(this.#chainTime()) * 1_000 - this.#now());
    if (apart > MAX_APART_MS || !this.#canRecord()) return NOBODY;
    const search: Search = { ...wanted, pools, avoid: wanted.avoid ?? NONE };
    if (this.#avoided(search) >= MAX_AVOIDED_MAKERS) return NOBODY;
    const { inputMint, outputMint, amount } = wanted;
    const direct = this.#between(search, inputMint, outputMint, amount);
    const candidates = [
      ...direct.filter(({ gain }) => gain >= MIN_GAIN).map((step) => this.#directly(search, step)),
      ...this.#asFirstStep(search),
      ...this.#asLastStep(search),
    ];
    const searched = bestCandidates(candidates);
    return {
      liquidities: searched.map(({ market }) => new WithBook(pools, market)),
      makerIds: [
        ...new Set([...direct.map(({ book }) => book.makerId), ...searched.map(({ makerId }) => makerId)]),
      ],
    };
  }

  close(): void {
    this.#stop();
  }

  #avoided({ avoid }: Search): number {
    if (avoid.size < MAX_AVOIDED_MAKERS) return 0;
    const makers = new Set<Address>();
    for (const { makerAddress } of this.#books.all(this.#now())) {
      if (avoid.has(makerAddress)) makers.add(makerAddress);
    }
    return makers.size;
  }

  #directly(search: Search, { market, book, taken }: Step): Candidate {
    const { inputMint, outputMint, amount } = search;
    const beside = paidByPools(search, inputMint, outputMint, Number(amount - taken));
    return {
      market,
      makerId: book.makerId,
      isDirect: true,
      estimated: market.venue.estimate(market.pool, inputMint, Number(taken)) + beside,
      exact: () => withExact(this.#exact(market, inputMint, taken, false), (paid) => paid + beside),
    };
  }

  /** The books that trade the input for something that pools trade for the output. */
  #asFirstStep(search: Search): Candidate[] {
    const { pools, inputMint, outputMint, amount } = search;
    const found: Candidate[] = [];
    for (const mint of this.#partnersOf(inputMint)) {
      if (mint === outputMint || pools.counterparts(mint).size === 0) continue;
      for (const { market, book, gain, taken } of this.#between(search, inputMint, mint, amount)) {
        if (gain < MIN_GAIN) continue;
        const there = market.venue.estimate(market.pool, inputMint, Number(taken));
        const onward = paidByPools(search, mint, outputMint, there);
        if (onward <= 0) continue;
        const beside = paidByPools(search, inputMint, outputMint, Number(amount - taken));
        const paid = (first: number) => paidByPools(search, mint, outputMint, first) + beside;
        found.push({
          market,
          makerId: book.makerId,
          isDirect: false,
          estimated: onward + beside,
          exact: () => withExact(this.#exact(market, inputMint, taken, false), paid),
        });
      }
    }
    return found;
  }

  /** The books that trade something that pools trade the input for. */
  #asLastStep(search: Search): Candidate[] {
    const { pools, inputMint, outputMint, amount } = search;
    const found: Candidate[] = [];
    for (const mint of this.#partnersOf(outputMint)) {
      if (mint === inputMint || pools.counterparts(mint).size === 0) continue;
      const arriving = paidByPools(search, inputMint, mint, Number(amount));
      if (arriving < 1) continue;
      const arrived = BigInt(Math.floor(arriving));
      for (const { market, book, gain, taken } of this.#between(search, mint, outputMint, arrived)) {
        if (gain < MIN_GAIN) continue;
        const rest = Number(amount) * (1 - Number(taken) / Number(arrived));
        const beside = paidByPools(search, inputMint, outputMint, rest);
        found.push({
          market,
          makerId: book.makerId,
          isDirect: false,
          estimated: market.venue.estimate(market.pool, mint, Number(taken)) + beside,
          exact: () => withExact(this.#exact(market, mint, taken, true), (paid) => paid + beside),
        });
      }
    }
    return found;
  }

  /** What the fill pays, which is at most what the book's own prices come to; null when no fill can be made of it. */
  #exact({ venue, pool }: PoolHandle, from: Address, taken: bigint, fed: boolean): number | null {
    const clock = { slot: 0n, epoch: 0n, unixTimestamp: this.#chainTime() };
    const quote = venue.quoteExactIn(pool, from, taken, clock, fed);
    return quote === null ? null : Number(quote.outAmount);
  }

  /** The books that take enough of the amount, at whatever price. */
  #between(search: Search, from: Address, to: Address, amount: bigint): Step[] {
    const found: Step[] = [];
    for (const book of this.#books.between(from, to, this.#now())) {
      if (book.makerAddress === search.taker || search.avoid.has(book.makerAddress)) continue;
      const market = this.#marketOf(book);
      const offered = taking(market.pool as BookState, from);
      const taken = offered < amount ? offered : amount;
      if (taken <= 0n || Number(taken) < Number(amount) * MIN_SHARE) continue;
      const pays = market.venue.estimate(market.pool, from, Number(taken));
      const against = mostPaid(search, from, to, Number(taken));
      found.push({ market, book, gain: against === 0 ? Number.POSITIVE_INFINITY : pays / against, taken });
    }
    return found;
  }

  /** Made anew only when what is promised has changed: books themselves never change. */
  #marketOf(book: LiveBook): PoolHandle {
    const takenBase = this.#reservations.taken(book.makerId, book.base.mint);
    const takenQuote = this.#reservations.taken(book.makerId, book.quote.mint);
    const known = this.#markets.get(book);
    if (known?.takenBase === takenBase && known.takenQuote === takenQuote) return known.market;
    const pool = bookState(book, freeBids(book, takenQuote), freeAsks(book, takenBase));
    const market: PoolHandle = { venue: JUPITER_RFQ_V2, pool };
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

function withExact(paid: number | null, worth: (paid: number) => number): number {
  return paid === null ? 0 : worth(paid);
}

/** Atoms of the input that the book takes, as a fill of all its levels has it. */
function taking(pool: BookState, inputMint: Address): bigint {
  const { side, levels, one } = offerOf(pool, inputMint);
  const ceil = (dividend: bigint) => (dividend + one - 1n) / one;
  return levels.reduce(
    (sum, { price, volume }) => sum + (side === Side.ASK ? volume : ceil(price * volume)),
    0n,
  );
}

/** What the pools are estimated to pay: the best of the pair, or over one of the mints that most others are traded for. */
function paidByPools(search: Search, from: Address, to: Address, amount: number): number {
  if (amount <= 0) return 0;
  const direct = mostPaid(search, from, to, amount);
  if (direct > 0) return direct;
  let most = 0;
  for (const hub of search.pools.hubs()) {
    const there = hub === from || hub === to ? 0 : mostPaid(search, from, hub, amount);
    if (there > 0) most = Math.max(most, mostPaid(search, hub, to, there));
  }
  return most;
}

/** What the best pool of the pair is estimated to pay. */
function mostPaid({ pools, allows, avoid }: Search, from: Address, to: Address, amount: number): number {
  let most = 0;
  for (const { venue, pool } of pools.between(from, to)) {
    if (allows?.(venue.label) === false || avoid.has(pool.address)) continue;
    most = Math.max(most, venue.estimate(pool, from, amount));
  }
  return most;
}

/** All pools and one book. */
class WithBook implements Liquidity {
  readonly #pools: Liquidity;
  readonly #market: PoolHandle;

  constructor(pools: Liquidity, market: PoolHandle) {
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

  between(one: Address, other: Address): readonly PoolHandle[] {
    const pools = this.#pools.between(one, other);
    const { mints } = this.#market.pool;
    return one !== other && mints.includes(one) && mints.includes(other) ? [...pools, this.#market] : pools;
  }

  hubs(): ReadonlySet<Address> {
    return this.#pools.hubs();
  }
}
