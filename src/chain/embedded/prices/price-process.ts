import type { Address } from '../../../solana/address.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { formatDecimalAmount, parseDecimalAmount } from '../../../solana/codec/decimal-amount.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import { compileMessage } from '../../../solana/messages/compile-message.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import { signTransaction } from '../../../solana/messages/transaction.ts';
import { setDistinctUnitLimit } from '../../../solana/programs/compute-budget.ts';
import { decodePriceFeed, type PriceFeed } from '../../../solana/programs/price-feed/feed.ts';
import {
  type PriceUpdate,
  writePrices,
  writePriceWalk,
} from '../../../solana/programs/price-feed/instructions.ts';
import {
  decodePriceWalk,
  type PriceWalk,
  derivePriceWalkAddress,
} from '../../../solana/programs/price-feed/walk.ts';
import type { Account } from '../../accounts.ts';
import { MAX_BLOCKHASH_AGE } from '../../recent-blockhashes.ts';
import { NetworkRefused } from '../ledger/bank.ts';
import type { KeptFeed, NetworkPrice, WalkTerms } from '../ledger/network-prices.ts';
import { parseIncoming } from '../ledger/incoming-transaction.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type ProcessedTransaction, processTransaction } from '../runtime/process-transaction.ts';
import { findFeedsProblem } from './invalid-feeds.ts';
import { computeWalkedPrice } from './random-walk.ts';

/** The interval at which feeds are published. Readers accept prices of up to ten minutes. */
const REFRESH_SECONDS = 60n;
/** The maximum number of feeds in one transaction, which leaves some room. */
const FEEDS_AT_ONCE = 12;
/**
 * The maximum number of steps of a walk in one slot, which take a third of a second: two weeks of steps of 15 seconds. After a
 * longer jump of the clock, later slots catch up. Until they have, every slot changes the price, so that rounds of forecasts open
 * at a price that is about to change, and the first price after their close is gone too soon.
 */
const MAX_STEPS_PER_SLOT = 100_000n;
const MAX_PRICE = 1n << 62n;
const CONFIDENCE_DIVISOR = 2_000n;
const MAX_DEVIATION = 1_000_000;
const MAX_DRIFT = 1_000_000;
const MAX_STEP_SECONDS = 86_400;
/** Enough for publishing the maximum number of feeds. */
const UNIT_LIMIT = 200_000;

/**
 * Publishes the price feeds of the network with transactions. All of its state is in the accounts and the clock of the
 * network, so it continues after a restart and after a snapshot was restored.
 */
export class PriceProcess {
  readonly #authority: Keypair;
  readonly #feeds: readonly KeptFeed[];
  #sent = 0;
  /** The Unix second before which nothing is sent, because a transaction failed. */
  #pausedUntil = 0n;

  constructor(authority: Keypair, feeds: readonly KeptFeed[]) {
    this.#authority = authority;
    this.#feeds = feeds;
  }

  /** Publishes the feeds that are due. Called when a slot opens, with the index of its first transaction. */
  serve(ledger: Ledger, index: number): readonly ProcessedTransaction[] {
    const { open } = ledger.blocks;
    if (open.time < this.#pausedUntil || !canLand(ledger)) return [];
    const updates = new Map<Address, PriceUpdate>();
    const walks: Instruction[] = [];
    for (const kept of this.#feeds) {
      const feed = findPriceFeed(ledger, kept.feed);
      if (feed === null || updates.has(kept.feed)) continue;
      const step = this.#step(ledger, kept, feed);
      if (step !== null) {
        walks.push(step.walk);
        for (const update of this.#moved(ledger, kept, step.price)) updates.set(update.feed, update);
      } else if (isStale(feed, open.time)) updates.set(kept.feed, { feed: kept.feed, value: null });
    }
    if (updates.size === 0 && walks.length === 0) return [];
    const landings = this.#publish(ledger, index, [...updates.values()], walks);
    const failed = landings.some((each) => each.kind === 'refused' || each.record.error !== null);
    if (failed) this.#pausedUntil = open.time + REFRESH_SECONDS;
    return landings;
  }

  /** See `findFeedsProblem`. */
  invalidIn(accountAt: (address: Address) => Account | null | undefined): string | null {
    return findFeedsProblem(this.#feeds, accountAt);
  }

  /** Returns the prices of all feeds that the network has. */
  prices(ledger: Ledger): readonly NetworkPrice[] {
    return this.#feeds.flatMap((kept) => {
      const feed = findPriceFeed(ledger, kept.feed);
      return feed === null ? [] : [networkPrice(kept, feed, findPriceWalk(ledger, kept.feed))];
    });
  }

  /**
   * Fixes a price, and the prices of the tokens that follow it.
   *
   * @param text - US dollars per whole token, as a decimal.
   * @throws NetworkRefused when there is no such feed, it follows another, or the price is out of range.
   */
  set(ledger: Ledger, index: number, symbol: string, text: string): readonly ProcessedTransaction[] {
    const { kept, feed } = this.#movable(ledger, symbol);
    const price = parseFeedPrice(text, -feed.exponent);
    const stopped = this.#stopping(ledger, kept.feed);
    return this.#landed(this.#publish(ledger, index, this.#moved(ledger, kept, price), stopped));
  }

  /**
   * Lets a price move at random from its current value. Null stops it there.
   *
   * @throws NetworkRefused as `set`, and for terms out of range.
   */
  walk(
    ledger: Ledger,
    index: number,
    symbol: string,
    terms: WalkTerms | null,
  ): readonly ProcessedTransaction[] {
    const { kept } = this.#movable(ledger, symbol);
    if (terms === null) {
      return this.#landed(this.#publish(ledger, index, [], this.#stopping(ledger, kept.feed)));
    }
    checkTerms(terms);
    const start = { ...terms, startedAt: ledger.blocks.open.time, steps: 0n };
    const write = writePriceWalk(this.#authority.address, kept.feed, start);
    return this.#landed(this.#publish(ledger, index, [], [write]));
  }

  #movable(ledger: Ledger, symbol: string): { kept: KeptFeed; feed: PriceFeed } {
    const kept = this.#feeds.find((each) => each.symbol.toLowerCase() === symbol.toLowerCase());
    const feed = kept === undefined ? null : findPriceFeed(ledger, kept.feed);
    if (kept === undefined || feed === null) {
      const symbols = this.prices(ledger).map((each) => each.symbol);
      const known = symbols.length === 0 ? 'it has none' : `it has those of ${symbols.join(', ')}`;
      throw new NetworkRefused(
        'request',
        `the network has no price feed for ${formatForError(symbol)}: ${known}`,
      );
    }
    if (kept.follows !== null) {
      throw new NetworkRefused(
        'request',
        `the price of ${kept.symbol} follows ${kept.follows.symbol}: set that one`,
      );
    }
    if (!canLand(ledger))
      throw new NetworkRefused('request', 'the network has no blockhash yet: ask again in the next slot');
    return { kept, feed };
  }

  /** Returns the price after the steps of a feed's walk that are due, or null when none is. */
  #step(ledger: Ledger, kept: KeptFeed, feed: PriceFeed): { price: bigint; walk: Instruction } | null {
    const walk = findPriceWalk(ledger, kept.feed);
    if (walk === null) return null;
    const due = (ledger.blocks.open.time - walk.startedAt) / BigInt(walk.seconds) - walk.steps;
    if (due <= 0n || (due === 1n && isLate(feed, walk))) return null;
    const count = due < MAX_STEPS_PER_SLOT ? due : MAX_STEPS_PER_SLOT;
    const price = computeWalkedPrice(feed.price, walk, Number(count));
    const next = { ...walk, steps: walk.steps + count };
    return {
      price: price < MAX_PRICE ? price : MAX_PRICE,
      walk: writePriceWalk(this.#authority.address, kept.feed, next),
    };
  }

  /** Returns the updates for a new price of a feed: of that feed, and of those that follow it. */
  #moved(ledger: Ledger, { symbol, feed }: KeptFeed, price: bigint): PriceUpdate[] {
    const base = findPriceFeed(ledger, feed);
    const followers = this.#feeds.flatMap((kept) => {
      const follower = kept.follows?.symbol === symbol ? findPriceFeed(ledger, kept.feed) : null;
      if (kept.follows === null || follower === null || base === null) return [];
      const worth = rescaled(price * kept.follows.millionths, base.exponent - 6, follower.exponent);
      return [toPriceUpdate(kept.feed, worth)];
    });
    return [toPriceUpdate(feed, price), ...followers];
  }

  #stopping(ledger: Ledger, feed: Address): readonly Instruction[] {
    const walk = findPriceWalk(ledger, feed);
    return walk === null ? [] : [writePriceWalk(this.#authority.address, feed, { ...walk, seconds: 0 })];
  }

  /** Lands the updates, with the other instructions in the first transaction. */
  #publish(
    ledger: Ledger,
    index: number,
    updates: readonly PriceUpdate[],
    others: readonly Instruction[],
  ): readonly ProcessedTransaction[] {
    const batches = [others];
    for (let at = 0; at < updates.length; at += FEEDS_AT_ONCE) {
      batches.push([writePrices(this.#authority.address, updates.slice(at, at + FEEDS_AT_ONCE))]);
    }
    return batches
      .filter((batch) => batch.length > 0)
      .map((batch, at) => this.#land(ledger, index + at, batch));
  }

  #land(ledger: Ledger, index: number, instructions: readonly Instruction[]): ProcessedTransaction {
    const limit = setDistinctUnitLimit(UNIT_LIMIT, this.#sent++);
    const message = compileMessage({
      feePayer: this.#authority.address,
      blockhash: ledger.blocks.tip.hash,
      instructions: [limit, ...instructions],
      version: 'legacy',
    });
    return processTransaction(ledger, parseIncoming(signTransaction(message, [this.#authority])), index);
  }

  #landed(landings: readonly ProcessedTransaction[]): readonly ProcessedTransaction[] {
    for (const landing of landings) {
      const error = landing.kind === 'refused' ? landing.error : landing.record.error;
      if (error !== null)
        throw new NetworkRefused('request', `the price was not written: ${JSON.stringify(error)}`);
    }
    return landings;
  }
}

/** Whether a transaction can land. After skipped slots, no blockhash is recent enough until the next slot. */
function canLand({ blocks: { open, tip } }: Ledger): boolean {
  return open.height - tip.height <= MAX_BLOCKHASH_AGE;
}

function findPriceFeed(ledger: Ledger, address: Address): PriceFeed | null {
  const account = ledger.accounts.get(address);
  return account === null ? null : decodePriceFeed(account.data);
}

/** Returns the walk of a feed, or null when it has none or it was stopped. */
function findPriceWalk(ledger: Ledger, feed: Address): PriceWalk | null {
  const account = ledger.accounts.get(derivePriceWalkAddress(feed));
  if (account === null) return null;
  const walk = decodePriceWalk(account.data);
  return walk.seconds === 0 ? null : walk;
}

/** Whether the feed was published too long ago, or after the current time of a clock that was set back. */
function isStale({ publishTime }: PriceFeed, now: bigint): boolean {
  return publishTime > now || now - publishTime >= REFRESH_SECONDS;
}

/**
 * Whether a price was published some seconds after the step that it is of, as when the network was stopped or its clock has
 * jumped. The next step then waits for the one after it: what is settled by the first price after a time finds that price, although
 * it begins to look later than the network. Slower walks are published between their steps too, and leave time enough.
 */
function isLate({ publishTime }: PriceFeed, { seconds, startedAt, steps }: PriceWalk): boolean {
  const step = BigInt(seconds);
  return steps > 0n && 2n * step <= REFRESH_SECONDS && (publishTime - startedAt) % step >= 2n;
}

function toPriceUpdate(feed: Address, price: bigint): PriceUpdate {
  // A price that follows another in a finer unit may be beyond what a feed can hold.
  const bounded = price < MAX_PRICE ? price : MAX_PRICE;
  const least = bounded > 0n ? bounded : 1n;
  const confidence = least / CONFIDENCE_DIVISOR;
  return { feed, value: { price: least, confidence: confidence > 1n ? confidence : 1n } };
}

function rescaled(value: bigint, from: number, to: number): bigint {
  return from >= to ? value * 10n ** BigInt(from - to) : value / 10n ** BigInt(to - from);
}

function parseFeedPrice(text: string, decimals: number): bigint {
  let price: bigint;
  try {
    price = parseDecimalAmount(text, decimals);
  } catch (error) {
    throw error instanceof RangeError ? new NetworkRefused('request', error.message) : error;
  }
  if (price > 0n && price < MAX_PRICE) return price;
  const most = formatDecimalAmount(MAX_PRICE, decimals);
  throw new NetworkRefused(
    'request',
    `the price is ${formatForError(text)}, but must be more than 0 and less than ${most}`,
  );
}

function checkTerms({ seed, deviation, drift, seconds }: WalkTerms): void {
  if (seed < 0n || seed >= 1n << 64n)
    throw new NetworkRefused('request', `the seed must be from 0 to 2^64 - 1, got ${seed}`);
  checkWhole('deviation', deviation, 0, MAX_DEVIATION);
  checkWhole('drift', drift, -MAX_DRIFT, MAX_DRIFT);
  checkWhole('seconds', seconds, 1, MAX_STEP_SECONDS);
}

function checkWhole(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new NetworkRefused(
    'request',
    `${name} must be a whole number from ${least} to ${most}, got ${value}`,
  );
}

function networkPrice(kept: KeptFeed, feed: PriceFeed, walk: PriceWalk | null): NetworkPrice {
  return {
    symbol: kept.symbol,
    feed: kept.feed,
    price: formatDecimalAmount(feed.price, -feed.exponent),
    confidence: formatDecimalAmount(feed.confidence, -feed.exponent),
    publishTime: feed.publishTime,
    slot: feed.postedSlot,
    follows: kept.follows?.symbol ?? null,
    walk,
  };
}
