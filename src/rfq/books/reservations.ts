import type { Address } from '../../solana/address.ts';
import type { BookLevel, LiveBook, LiveBooks } from './live-book.ts';

/** What a swap under last look takes of a maker's inventory. */
export interface Claim {
  readonly swapUuid: string;
  readonly makerId: string;
  /** The pair of the book that it was quoted from. */
  readonly base: Address;
  readonly quote: Address;
  /** Which of the two the maker pays. */
  readonly mint: Address;
  readonly amount: bigint;
}

/** What makers have promised of their inventory. */
export interface ReservedInventory {
  /** Atoms of the mint that the maker has promised. */
  taken(makerId: string, mint: Address): bigint;
}

/** The claim of a fill that its maker has signed, for whoever watches whether the taker can still pay for it. */
export interface SignedClaim {
  readonly makerId: string;
  /** What the maker pays. */
  readonly mint: Address;
  readonly amount: bigint;
  /** Says whether the account that pays for the fill covers it now. */
  setCovered(isCovered: boolean): void;
  /** @returns whether the maker's inventory was promised to others too, because uncovered claims were not added up */
  wasOverbooked(): boolean;
}

interface Held {
  readonly claim: Claim;
  /** Unix milliseconds from which on it no longer counts. */
  until: number;
  /** False while the fill is signed and its taker no longer has what it pays. */
  isCovered: boolean;
  /** Whether more was promised at some time than the book offered. */
  isOverbooked: boolean;
}

/** After a fill has landed, the balance that it left is known this much later at most: books are cut down to it then. */
const BALANCE_LAG_MS = 5_000;
const NOTHING: ReadonlyMap<string, Held> = new Map();

/**
 * What makers have promised: the amounts of swaps that wait for a maker's signature or for the chain. It is the only
 * owner of these. Quotes promise nothing, so that nobody can lock a maker's inventory by asking for prices.
 */
export class Reservations implements ReservedInventory {
  readonly #books: LiveBooks;
  readonly #now: () => number;
  readonly #makers = new Map<string, Map<string, Held>>();

  constructor(books: LiveBooks, now: () => number) {
    this.#books = books;
    this.#now = now;
  }

  /**
   * Takes what the claim says, if the maker's live book of the pair shows that much beyond all that is promised; the
   * reason, as a sentence, when it does not.
   */
  reserve(claim: Claim): { readonly refused: 'expired' | 'promised'; readonly reason: string } | null {
    const { makerId, base, quote, mint, amount } = claim;
    const book = this.#books
      .between(base, quote, this.#now())
      .find((each) => each.makerId === makerId && each.base.mint === base);
    if (book === undefined) {
      return { refused: 'expired', reason: `the maker no longer quotes ${base} against ${quote}` };
    }
    const left = offered(book, mint) - this.taken(makerId, mint);
    if (left < amount) {
      const reason = `the swap takes ${amount} atoms of ${mint} of the maker, of which ${left < 0n ? 0n : left} are neither sold nor promised to other swaps`;
      return { refused: 'promised', reason };
    }
    this.hold(claim);
    this.#noteOverbooked(makerId, mint, offered(book, mint));
    return null;
  }

  /** Takes it whatever the book says: the maker has signed for it. */
  hold(claim: Claim): void {
    const held = this.#makers.get(claim.makerId) ?? new Map<string, Held>();
    this.#makers.set(claim.makerId, held.set(claim.swapUuid, newHeld(claim, Number.POSITIVE_INFINITY)));
  }

  /**
   * Takes what another process has promised, which ends it without telling this one.
   * @param leftMs until the fill can no longer land
   */
  recall(claim: Claim, leftMs: number): void {
    const { makerId, swapUuid } = claim;
    const held = this.#makers.get(makerId) ?? new Map<string, Held>();
    if (leftMs <= 0 || held.has(swapUuid)) return;
    const until = this.#now() + leftMs + BALANCE_LAG_MS;
    this.#makers.set(makerId, held.set(swapUuid, newHeld(claim, until)));
  }

  /** The swap will not be made. */
  release(makerId: string, swapUuid: string): void {
    const held = this.#makers.get(makerId);
    held?.delete(swapUuid);
    if (held?.size === 0) this.#makers.delete(makerId);
  }

  /** The swap was made: its amount counts until the maker's new balance is known. */
  settle(makerId: string, swapUuid: string): void {
    const held = this.#makers.get(makerId)?.get(swapUuid);
    if (held === undefined) return;
    held.until = this.#now() + BALANCE_LAG_MS;
    held.isCovered = true;
  }

  /** The claim of a fill that its maker has signed. */
  signed({ makerId, swapUuid, mint, amount }: Claim): SignedClaim {
    const find = () => this.#makers.get(makerId)?.get(swapUuid);
    return {
      makerId,
      mint,
      amount,
      setCovered: (isCovered) => {
        const held = find();
        // What has landed counts until the maker's new balance is known, whatever the taker has left.
        if (held !== undefined && held.until === Number.POSITIVE_INFINITY) held.isCovered = isCovered;
      },
      wasOverbooked: () => find()?.isOverbooked ?? false,
    };
  }

  /**
   * Of claims whose takers no longer have the tokens, only the largest counts: the same tokens, passed on from wallet to
   * wallet, could otherwise reserve the inventory many times over.
   */
  taken(makerId: string, mint: Address): bigint {
    let sum = 0n;
    let largestUncovered = 0n;
    for (const { claim, isCovered } of this.#heldOf(makerId, mint)) {
      if (isCovered) sum += claim.amount;
      else if (claim.amount > largestUncovered) largestUncovered = claim.amount;
    }
    return sum + largestUncovered;
  }

  #heldOf(makerId: string, mint: Address): readonly Held[] {
    const now = this.#now();
    const found: Held[] = [];
    for (const [swapUuid, held] of this.#makers.get(makerId) ?? NOTHING) {
      if (held.until <= now) this.release(makerId, swapUuid);
      else if (held.claim.mint === mint) found.push(held);
    }
    return found;
  }

  /** If all claims landed after all, the inventory would be short for any of them, not only for the newest. */
  #noteOverbooked(makerId: string, mint: Address, offers: bigint): void {
    const all = this.#heldOf(makerId, mint);
    const promised = all.reduce((sum, { claim }) => sum + claim.amount, 0n);
    if (promised <= offers) return;
    for (const held of all) held.isOverbooked = true;
  }
}

function newHeld(claim: Claim, until: number): Held {
  return { claim, until, isCovered: true, isOverbooked: false };
}

/** Atoms of the mint that the book offers to pay. */
function offered({ base, bids, asks }: LiveBook, mint: Address): bigint {
  const one = 10n ** BigInt(base.decimals);
  return mint === base.mint
    ? asks.reduce((sum, { volume }) => sum + volume, 0n)
    : bids.reduce((sum, { price, volume }) => sum + (price * volume) / one, 0n);
}

/** The levels without what is taken of what they pay, the best first: those are gone when others meet the book. */
export function freeBids({ base, bids }: LiveBook, taken: bigint): readonly BookLevel[] {
  const one = 10n ** BigInt(base.decimals);
  return without(bids, taken, {
    pays: ({ price, volume }) => (price * volume) / one,
    volumeFor: (amount, price) => (amount * one + price - 1n) / price,
  });
}

export function freeAsks({ asks }: LiveBook, taken: bigint): readonly BookLevel[] {
  return without(asks, taken, { pays: ({ volume }) => volume, volumeFor: (amount) => amount });
}

interface Payment {
  /** What the whole level pays. */
  readonly pays: (level: BookLevel) => bigint;
  /** The volume at a price that pays an amount, rounded up. */
  readonly volumeFor: (amount: bigint, price: bigint) => bigint;
}

function without(levels: readonly BookLevel[], taken: bigint, { pays, volumeFor }: Payment) {
  if (taken === 0n) return levels;
  const left: BookLevel[] = [];
  let still = taken;
  for (const level of levels) {
    const all = pays(level);
    const gone = still < all ? volumeFor(still, level.price) : level.volume;
    still = still < all ? 0n : still - all;
    if (gone < level.volume) left.push({ ...level, volume: level.volume - gone });
  }
  return left;
}
