import { AggregatorSide } from '../../protocol/venue/aggregator-step.ts';
import type { Liquidity, PoolHandle } from '../../market/pools/liquidity.ts';
import type { Address } from '../../solana/address.ts';
import { divideUp } from '../../solana/units.ts';
import type { ExtraCandidates, ExtraLiquidity, LiquidityRequest } from '../../swaps/extra-liquidity.ts';
import { estimateBestPool, estimatePoolPayout, type EstimateRequest } from './pool-estimates.ts';
import { PoolsWithBook } from './pools-with-book.ts';
import { selectBestCandidates, type BookCandidate } from './best-candidates.ts';
import { type BookState, createBookState, JUPITER_RFQ_V2, getBookOffer } from './book-venue.ts';
import { type BookStep, collectConsidered, MIN_GAIN } from './considered-makers.ts';
import { findFillTerms } from './fill-terms.ts';
import type { LiveBook, LiveBooks } from '../books/live-book.ts';
import { computeFreeAsks, computeFreeBids, type ReservedInventory } from '../books/reservations.ts';

interface CachedBook {
  readonly takenBase: bigint;
  readonly takenQuote: bigint;
  readonly handle: PoolHandle;
}

/** A book that takes less than this share of the amount is not worth its accounts. */
const MIN_SHARE = 1 / 256;
/**
 * The largest difference in milliseconds between the network's clock and this service's clock with which makers take part.
 * Makers decide by their own clocks whether a fill has expired, and those are taken to be like this service's.
 */
export const MAX_CLOCK_DIFFERENCE_MS = 30_000;
/**
 * After the fills of this many makers failed in simulation, only pools are used, so that an attempt is left for them.
 */
const MAX_AVOIDED_MAKERS = 3;
const PARTNERS_MS = 1_000;
const NONE: ReadonlySet<Address> = new Set();
const NO_CANDIDATES: ExtraCandidates = { liquidities: [], makerIds: [] };

/**
 * Makers' live books as liquidity for the router, without the reserved inventory. A transaction has only one maker, so
 * the router searches with one book at a time, together with the pools. A book can be the first or the last step of a
 * swap, if pools connect it to the other end.
 *
 * @example
 * ```ts
 * import { address } from '../../solana/address.ts';
 * import type { Pools } from '../../market/pools/pools.ts';
 * import type { BookLiquidity } from './book-liquidity.ts';
 *
 * // The makers whose books may win a swap of 0.1 SOL for USDC.
 * function makersFor(books: BookLiquidity, pools: Pools): readonly string[] {
 *   const request = {
 *     inputMint: address('So11111111111111111111111111111111111111112'),
 *     outputMint: address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
 *     amount: 100_000_000n,
 *     clock: { slot: 1n, epoch: 0n, unixTimestamp: 1_800_000_000n },
 *     taker: null,
 *   };
 *   return books.candidatesFor(pools, request).makerIds;
 * }
 * ```
 */
export class BookLiquidity implements ExtraLiquidity {
  readonly label = JUPITER_RFQ_V2.label;
  readonly fillTermsOf = findFillTerms;
  readonly #books: LiveBooks;
  readonly #reservations: ReservedInventory;
  readonly #now: () => number;
  readonly #chainTime: () => bigint;
  readonly #canRecord: () => boolean;
  readonly #handles = new WeakMap<LiveBook, CachedBook>();
  /** Mints by the mints that books trade them for. An entry may be out of date, so `between` checks it. */
  #partners = new Map<Address, Set<Address>>();
  #partnersAt = Number.NEGATIVE_INFINITY;
  #partnersStale = true;
  readonly #stop: () => void;

  /**
   * @param chainTime - Unix seconds by the chain's clock. Makers are not used while it differs from `now` by more than 30
   *   s.
   * @param canRecord - Makers are not used while fills cannot be recorded.
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
   * Selects the books that pay the taker most. The router searches with each, which is what an order costs in time: at
   * most three books of three makers, two of which are kept for the swap's own pair.
   * Returns no candidates while makers cannot be used.
   */
  candidatesFor(pools: Liquidity, wanted: LiquidityRequest): ExtraCandidates {
    if (this.#isApart() || !this.#canRecord()) return NO_CANDIDATES;
    const search: EstimateRequest = { ...wanted, pools, avoid: wanted.avoid ?? NONE };
    if (this.#avoided(search) >= MAX_AVOIDED_MAKERS) return NO_CANDIDATES;
    const { inputMint, outputMint, amount } = wanted;
    const direct = this.#between(search, inputMint, outputMint, amount);
    const own = direct.filter(({ gain }) => gain >= MIN_GAIN).map((step) => this.#directly(search, step));
    const candidates = [...own, ...this.#asFirstStep(search), ...this.#asLastStep(search)];
    const searched = selectBestCandidates(candidates);
    const considered = collectConsidered(direct, [...own, ...searched], amount);
    if (wanted.onConsidered !== undefined)
      for (const [makerId, estimated] of considered) wanted.onConsidered(makerId, estimated);
    return {
      liquidities: searched.map(({ handle }) => new PoolsWithBook(pools, handle)),
      makerIds: [...considered.keys()],
    };
  }

  /** Returns why no book of any maker is used now, as a sentence without a full stop; null if they are. */
  findObstacle(): string | null {
    if (this.#isApart())
      return `the network's clock differs from the clock of this service by more than ${MAX_CLOCK_DIFFERENCE_MS / 1_000} s`;
    return this.#canRecord() ? null : 'fills cannot be recorded now';
  }

  close(): void {
    this.#stop();
  }

  #isApart(): boolean {
    return Math.abs(Number(this.#chainTime()) * 1_000 - this.#now()) > MAX_CLOCK_DIFFERENCE_MS;
  }

  #avoided({ avoid }: EstimateRequest): number {
    if (avoid.size < MAX_AVOIDED_MAKERS) return 0;
    const makers = new Set<Address>();
    for (const { makerAddress } of this.#books.all(this.#now())) {
      if (avoid.has(makerAddress)) makers.add(makerAddress);
    }
    return makers.size;
  }

  #directly(search: EstimateRequest, { handle, book, taken, pays }: BookStep): BookCandidate {
    const { inputMint, outputMint, amount } = search;
    const beside = estimatePoolPayout(search, inputMint, outputMint, Number(amount - taken));
    return {
      handle,
      makerId: book.makerId,
      isDirect: true,
      estimated: pays + beside,
      exact: () => withExact(this.#exact(handle, inputMint, taken, false), (paid) => paid + beside),
    };
  }

  /** The books that trade the input for something that pools trade for the output. */
  #asFirstStep(search: EstimateRequest): BookCandidate[] {
    const { pools, inputMint, outputMint, amount } = search;
    const found: BookCandidate[] = [];
    for (const mint of this.#partnersOf(inputMint)) {
      if (mint === outputMint || pools.counterparts(mint).size === 0) continue;
      for (const { handle, book, gain, taken } of this.#between(search, inputMint, mint, amount)) {
        if (gain < MIN_GAIN) continue;
        const there = handle.venue.estimate(handle.pool, inputMint, Number(taken), search.clock);
        const onward = estimatePoolPayout(search, mint, outputMint, there);
        if (onward <= 0) continue;
        const beside = estimatePoolPayout(search, inputMint, outputMint, Number(amount - taken));
        const paid = (first: number) => estimatePoolPayout(search, mint, outputMint, first) + beside;
        found.push({
          handle,
          makerId: book.makerId,
          isDirect: false,
          estimated: onward + beside,
          exact: () => withExact(this.#exact(handle, inputMint, taken, false), paid),
        });
      }
    }
    return found;
  }

  /** The books that trade something into the output that pools trade the input for. */
  #asLastStep(search: EstimateRequest): BookCandidate[] {
    const { pools, inputMint, outputMint, amount } = search;
    const found: BookCandidate[] = [];
    for (const mint of this.#partnersOf(outputMint)) {
      if (mint === inputMint || pools.counterparts(mint).size === 0) continue;
      const arriving = estimatePoolPayout(search, inputMint, mint, Number(amount));
      if (arriving < 1) continue;
      const arrived = BigInt(Math.floor(arriving));
      for (const { handle, book, gain, taken } of this.#between(search, mint, outputMint, arrived)) {
        if (gain < MIN_GAIN) continue;
        const rest = Number(amount) * (1 - Number(taken) / Number(arrived));
        const beside = estimatePoolPayout(search, inputMint, outputMint, rest);
        found.push({
          handle,
          makerId: book.makerId,
          isDirect: false,
          estimated: handle.venue.estimate(handle.pool, mint, Number(taken), search.clock) + beside,
          exact: () => withExact(this.#exact(handle, mint, taken, true), (paid) => paid + beside),
        });
      }
    }
    return found;
  }

  /** Returns what the fill pays, rounded to lots; null if the fill cannot be encoded. */
  #exact({ venue, pool }: PoolHandle, from: Address, taken: bigint, amountMayDiffer: boolean): number | null {
    const clock = { slot: 0n, epoch: 0n, unixTimestamp: this.#chainTime() };
    const quote = venue.quoteExactIn(pool, from, taken, clock, amountMayDiffer);
    return quote === null ? null : Number(quote.outAmount);
  }

  /** The books that take enough of the amount, at any price. */
  #between(search: EstimateRequest, from: Address, to: Address, amount: bigint): BookStep[] {
    const found: BookStep[] = [];
    // The makers of other pairs are not told that a swap passed them.
    const onPassed = from === search.inputMint && to === search.outputMint ? search.onPassed : undefined;
    for (const book of this.#books.between(from, to, this.#now())) {
      if (book.makerAddress === search.taker || search.avoid.has(book.makerAddress)) {
        onPassed?.(book.makerId, 'unusable');
        continue;
      }
      const handle = this.#handleOf(book);
      const offered = taking(handle.pool as BookState, from);
      const taken = offered < amount ? offered : amount;
      if (taken <= 0n || Number(taken) < Number(amount) * MIN_SHARE) {
        onPassed?.(book.makerId, 'volume');
        continue;
      }
      const pays = handle.venue.estimate(handle.pool, from, Number(taken), search.clock);
      const against = estimateBestPool(search, from, to, Number(taken));
      found.push({
        handle,
        book,
        gain: against === 0 ? Number.POSITIVE_INFINITY : pays / against,
        taken,
        pays,
      });
    }
    return found;
  }

  /** Built again only when the reserved inventory has changed, because books never change. */
  #handleOf(book: LiveBook): PoolHandle {
    const takenBase = this.#reservations.reserved(book.makerId, book.base.mint);
    const takenQuote = this.#reservations.reserved(book.makerId, book.quote.mint);
    const known = this.#handles.get(book);
    if (known?.takenBase === takenBase && known.takenQuote === takenQuote) return known.handle;
    const pool = createBookState(book, computeFreeBids(book, takenQuote), computeFreeAsks(book, takenBase));
    const handle: PoolHandle = { venue: JUPITER_RFQ_V2, pool };
    this.#handles.set(book, { takenBase, takenQuote, handle });
    return handle;
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

/** Returns the atoms of the input that the book takes with all its levels. */
function taking(pool: BookState, inputMint: Address): bigint {
  const { side, levels, one } = getBookOffer(pool, inputMint);
  return levels.reduce(
    (sum, { price, volume }) => sum + (side === AggregatorSide.ASK ? volume : divideUp(price * volume, one)),
    0n,
  );
}
