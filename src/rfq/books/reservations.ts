import type { Address } from '../../solana/address.ts';
import { divideUp } from '../../solana/units.ts';
import type { BookLevel, LiveBook, LiveBooks } from './live-book.ts';

/** The inventory that one swap reserves of its maker. */
export interface InventoryClaim {
  readonly swapUuid: string;
  readonly makerId: string;
  /** The pair of the book that the swap was quoted from. */
  readonly base: Address;
  readonly quote: Address;
  /** The mint that the maker pays: `base` or `quote`. */
  readonly mint: Address;
  readonly amount: bigint;
}

/** Why inventory is not reserved, with the reason as a sentence. */
export interface ReservationRefusal {
  readonly refused: 'expired' | 'promised';
  readonly reason: string;
}

/** The reserved inventory of makers. */
export interface ReservedInventory {
  /** Returns the reserved atoms of the mint. */
  reserved(makerId: string, mint: Address): bigint;
}

/**
 * The claim of a fill that its maker has signed. The caller watches whether the taker can still pay, and reports it
 * here.
 */
export interface SignedClaim {
  readonly makerId: string;
  /** The mint that the maker pays. */
  readonly mint: Address;
  readonly amount: bigint;
  /** Reports whether the account that pays for the fill covers it now. */
  setCovered(isCovered: boolean): void;
  /** Whether more than the maker's inventory was reserved, because uncovered claims are not added up. */
  wasOverbooked(): boolean;
}

interface HeldClaim {
  readonly claim: InventoryClaim;
  /** Unix milliseconds when the claim ends. */
  until: number;
  /** False if the fill is signed and its taker no longer has the tokens that it pays. */
  isCovered: boolean;
  /** Whether more was reserved at some time than the book offered. */
  isOverbooked: boolean;
}

/** The maximum delay until the maker's balance after a landed fill is known, and its books are cut to it. */
const BALANCE_LAG_MS = 5_000;
const NOTHING: ReadonlyMap<string, HeldClaim> = new Map();

/**
 * The inventory that is reserved for swaps under last look, and for signed swaps on their way to the chain. Only this
 * class changes reservations. Quotes reserve nothing, so nobody can block a maker's inventory by requesting prices.
 */
export class Reservations implements ReservedInventory {
  readonly #books: LiveBooks;
  readonly #now: () => number;
  readonly #makers = new Map<string, Map<string, HeldClaim>>();

  constructor(books: LiveBooks, now: () => number) {
    this.#books = books;
    this.#now = now;
  }

  /**
   * Reserves inventory if the maker's live book of the pair offers that much beyond what is reserved already.
   * Returns null if it is reserved; otherwise the reason, as a sentence.
   */
  reserve(claim: InventoryClaim): ReservationRefusal | null {
    const refusal = this.refusalOf(claim);
    if (refusal !== null) return refusal;
    this.hold(claim);
    const book = this.#bookOf(claim);
    if (book !== undefined) this.#noteOverbooked(claim.makerId, claim.mint, offered(book, claim.mint));
    return null;
  }

  /** Returns why `reserve` would refuse the claim now; null if it would not. */
  refusalOf(claim: InventoryClaim): ReservationRefusal | null {
    const { makerId, base, quote, mint, amount } = claim;
    const book = this.#bookOf(claim);
    if (book === undefined) {
      return { refused: 'expired', reason: `the maker no longer quotes ${base} against ${quote}` };
    }
    const left = offered(book, mint) - this.reserved(makerId, mint);
    if (left < amount) {
      const reason = `the swap takes ${amount} atoms of ${mint} of the maker, of which ${left < 0n ? 0n : left} are neither sold nor promised to other swaps`;
      return { refused: 'promised', reason };
    }
    return null;
  }

  /** Reserves inventory without a look at the book, because the maker has been offered the fill already. */
  hold(claim: InventoryClaim): void {
    const held = this.#makers.get(claim.makerId) ?? new Map<string, HeldClaim>();
    this.#makers.set(claim.makerId, held.set(claim.swapUuid, newHeldClaim(claim, Number.POSITIVE_INFINITY)));
  }

  /**
   * Reserves what another process has reserved. The claim ends by itself, because that process does not report its end
   * here.
   * @param leftMs - Milliseconds until the fill can no longer land.
   * @returns whether the claim was added; false if it is held already or can no longer land
   */
  recall(claim: InventoryClaim, leftMs: number): boolean {
    const { makerId, swapUuid } = claim;
    const held = this.#makers.get(makerId) ?? new Map<string, HeldClaim>();
    if (leftMs <= 0 || held.has(swapUuid)) return false;
    const until = this.#now() + leftMs + BALANCE_LAG_MS;
    this.#makers.set(makerId, held.set(swapUuid, newHeldClaim(claim, until)));
    return true;
  }

  /** Ends a claim whose swap was not executed. */
  release(makerId: string, swapUuid: string): void {
    const held = this.#makers.get(makerId);
    held?.delete(swapUuid);
    if (held?.size === 0) this.#makers.delete(makerId);
  }

  /** Called when the swap was executed. The claim counts until the maker's new balance is known. */
  settle(makerId: string, swapUuid: string): void {
    const held = this.#makers.get(makerId)?.get(swapUuid);
    if (held === undefined) return;
    held.until = this.#now() + BALANCE_LAG_MS;
    held.isCovered = true;
  }

  /** Returns the claim of a fill that its maker has signed. */
  signedClaim({ makerId, swapUuid, mint, amount }: InventoryClaim): SignedClaim {
    const find = () => this.#makers.get(makerId)?.get(swapUuid);
    return {
      makerId,
      mint,
      amount,
      setCovered: (isCovered) => {
        const held = find();
        // A landed fill counts until the maker's new balance is known, whatever the taker has left.
        if (held !== undefined && held.until === Number.POSITIVE_INFINITY) held.isCovered = isCovered;
      },
      wasOverbooked: () => find()?.isOverbooked ?? false,
    };
  }

  /**
   * Of the claims whose takers no longer have the tokens, only the largest counts. Otherwise the same tokens, passed on
   * from wallet to wallet, could reserve the inventory many times.
   */
  reserved(makerId: string, mint: Address): bigint {
    let sum = 0n;
    let largestUncovered = 0n;
    for (const { claim, isCovered } of this.#heldOf(makerId, mint)) {
      if (isCovered) sum += claim.amount;
      else if (claim.amount > largestUncovered) largestUncovered = claim.amount;
    }
    return sum + largestUncovered;
  }

  #bookOf({ makerId, base, quote }: InventoryClaim): LiveBook | undefined {
    return this.#books
      .between(base, quote, this.#now())
      .find((each) => each.makerId === makerId && each.base.mint === base);
  }

  #heldOf(makerId: string, mint: Address): readonly HeldClaim[] {
    const now = this.#now();
    const found: HeldClaim[] = [];
    for (const [swapUuid, held] of this.#makers.get(makerId) ?? NOTHING) {
      if (held.until <= now) this.release(makerId, swapUuid);
      else if (held.claim.mint === mint) found.push(held);
    }
    return found;
  }

  /** All claims are marked, because any of them may find too little inventory if all fills land. */
  #noteOverbooked(makerId: string, mint: Address, offers: bigint): void {
    const all = this.#heldOf(makerId, mint);
    const promised = all.reduce((sum, { claim }) => sum + claim.amount, 0n);
    if (promised <= offers) return;
    for (const held of all) held.isOverbooked = true;
  }
}

function newHeldClaim(claim: InventoryClaim, until: number): HeldClaim {
  return { claim, until, isCovered: true, isOverbooked: false };
}

/** Returns the atoms of the mint that the book offers to pay. */
function offered({ base, bids, asks }: LiveBook, mint: Address): bigint {
  const one = 10n ** BigInt(base.decimals);
  return mint === base.mint
    ? asks.reduce((sum, { volume }) => sum + volume, 0n)
    : bids.reduce((sum, { price, volume }) => sum + (price * volume) / one, 0n);
}

/**
 * @param taken - Atoms of quote that are reserved.
 * @returns the bids without the reserved part, which is taken from the best levels first
 */
export function computeFreeBids({ base, bids }: LiveBook, taken: bigint): readonly BookLevel[] {
  const one = 10n ** BigInt(base.decimals);
  return without(bids, taken, {
    pays: ({ price, volume }) => (price * volume) / one,
    volumeFor: (amount, price) => divideUp(amount * one, price),
  });
}

export function computeFreeAsks({ asks }: LiveBook, taken: bigint): readonly BookLevel[] {
  return without(asks, taken, { pays: ({ volume }) => volume, volumeFor: (amount) => amount });
}

interface LevelPayment {
  /** Returns the atoms that the whole level pays. */
  readonly pays: (level: BookLevel) => bigint;
  /** Returns the volume that pays an amount at a price, rounded up. */
  readonly volumeFor: (amount: bigint, price: bigint) => bigint;
}

function without(levels: readonly BookLevel[], taken: bigint, { pays, volumeFor }: LevelPayment) {
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
