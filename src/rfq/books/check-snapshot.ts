import { formatForError } from '../../common/format-for-error.ts';
import type { Address } from '../../solana/address.ts';
import {
  arrangeLevels,
  type CoveredLevels,
  coverLevels,
  findCrossing,
  type BookSides,
} from './book-levels.ts';
import type { BookLevel, BookToken } from './live-book.ts';
import type { MintPair } from '../makers/maker.ts';
import type { MakerStatus } from '../makers/maker-state.ts';
import type { SnapshotRefusal } from '../makers/snapshot-refusals.ts';
import type { SnapshotCluster, Snapshot, StreamedToken } from './snapshot.ts';

/** A mint as the chain describes it: the token, or why it cannot be quoted. */
export type KnownMint = BookToken | { readonly unusable: string };

/** A token account of the maker: its balance, or why it cannot pay. */
export type KnownBalance = { readonly amount: bigint } | { readonly unusable: string };

/** Everything that a snapshot is checked against. */
export interface SnapshotContext {
  readonly makerId: string;
  readonly makerAddress: Address;
  /** Null allows every pair. */
  readonly pairs: readonly MintPair[] | null;
  readonly status: MakerStatus;
  /** Why the status is not `prod` even though a swap stream is live; null otherwise. */
  readonly blockedBy: string | null;
  readonly cluster: SnapshotCluster;
  /** The number of the last accepted snapshot; 0 before the first. */
  readonly lastSequence: bigint;
  /** Unix milliseconds. */
  readonly now: number;
  readonly base: KnownMint;
  readonly quote: KnownMint;
  readonly baseBalance: KnownBalance;
  readonly quoteBalance: KnownBalance;
  /** What the pools pay for a whole base token, in quote atoms, for display; null if they do not price both tokens. */
  readonly poolPrice: number | null;
}

/** The content of an accepted snapshot, as it enters the market. */
export interface AcceptedSnapshot {
  readonly base: BookToken;
  readonly quote: BookToken;
  /** The levels before they were cut to the maker's balance. */
  readonly arranged: { readonly bids: readonly BookLevel[]; readonly asks: readonly BookLevel[] };
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
  /** What was changed of the levels, and a warning if the book is crossed, for the ack; null if there is neither. */
  readonly note: string | null;
}

export interface RefusedSnapshot {
  readonly refusal: SnapshotRefusal;
  /** Names the condition, the value that was sent and a value that would be accepted. */
  readonly message: string;
}

/** The minimum duration of a quote, in seconds. */
const MIN_EXPIRY = 10n;
/** A longer duration, in seconds, is probably a date, or counts smaller units, and the ack warns of it: three years. */
const ODD_EXPIRY = 100_000_000n;
/** A price that differs from that of the pools by this factor is probably in another unit, and the ack warns of it. */
const ODD_PRICE_FACTOR = 2;
/** The maximum difference between the maker's clock and this one. */
const CLOCK_TOLERANCE_MS = 60_000;
/** The maximum number of levels per side in a snapshot. */
const MAX_LEVELS = 100;
/** The maximum length of a token's symbol, which is stored and shown to other makers. */
const MAX_SYMBOL_LENGTH = 32;

/**
 * Checks a snapshot. The first condition that does not hold refuses it. Pure.
 * Returns the book to add to the market, or the refusal for the ack.
 *
 * @example
 * ```ts
 * import { checkSnapshot, type SnapshotContext } from './check-snapshot.ts';
 * import type { Snapshot } from './snapshot.ts';
 *
 * // A sentence for the maker; null if there is nothing to say.
 * function noteFor(snapshot: Snapshot, context: SnapshotContext): string | null {
 *   const checked = checkSnapshot(snapshot, context);
 *   return 'refusal' in checked ? checked.message : checked.note;
 * }
 * ```
 */
export function checkSnapshot(
  snapshot: Snapshot,
  context: SnapshotContext,
): AcceptedSnapshot | RefusedSnapshot {
  const refused =
    checkMakerId(snapshot, context) ??
    checkMakerAddress(snapshot, context) ??
    checkStatus(context) ??
    checkSwapStream(context) ??
    checkCluster(snapshot, context) ??
    checkPair(snapshot, context);
  if (refused !== null) return refused;
  const { base, quote } = context;
  if ('unusable' in base) return refuse('token', `base_token ${base.unusable}`);
  if ('unusable' in quote) return refuse('token', `quote_token ${quote.unusable}`);
  return (
    checkToken('base_token', snapshot.base, base) ??
    checkToken('quote_token', snapshot.quote, quote) ??
    checkLotSize(snapshot, base, quote) ??
    checkExpiry(snapshot) ??
    checkLevels(snapshot) ??
    checkSequence(snapshot, context) ??
    checkTimestamp(snapshot, context) ??
    withInventory(snapshot, base, quote, context)
  );
}

/** Returns `lot_size_base` of a pair: 10^(base decimals - quote decimals), but at least 1. */
export function computeLotSize(base: BookToken, quote: BookToken): bigint {
  return 10n ** BigInt(Math.max(base.decimals - quote.decimals, 0));
}

function refuse(refusal: SnapshotRefusal, message: string): RefusedSnapshot {
  return { refusal, message };
}

function checkMakerId({ makerId }: Snapshot, context: SnapshotContext): RefusedSnapshot | null {
  if (makerId === context.makerId) return null;
  return refuse(
    'maker-id',
    `maker_id must be that of the key, ${context.makerId}, got ${formatForError(makerId)}`,
  );
}

function checkMakerAddress({ makerAddress }: Snapshot, context: SnapshotContext): RefusedSnapshot | null {
  if (makerAddress === context.makerAddress) return null;
  return refuse(
    'maker-address',
    `maker_address must be that of the maker, ${context.makerAddress}, got ${formatForError(makerAddress)}`,
  );
}

function checkStatus({ blockedBy, status }: SnapshotContext): RefusedSnapshot | null {
  return blockedBy === null
    ? null
    : refuse('status', `the maker's status must be prod, but is ${status}: ${blockedBy}`);
}

function checkSwapStream({ status }: SnapshotContext): RefusedSnapshot | null {
  if (status === 'prod') return null;
  return refuse('swap-stream', 'no swap stream is live: the status is offline until StreamSwap is open');
}

function checkCluster({ cluster }: Snapshot, context: SnapshotContext): RefusedSnapshot | null {
  return cluster === context.cluster
    ? null
    : refuse('cluster', `cluster must be ${context.cluster}, got ${cluster}`);
}

function checkPair({ base, quote }: Snapshot, { pairs }: SnapshotContext): RefusedSnapshot | null {
  if (base.mint === quote.mint)
    return refuse('pair', `base_token and quote_token must differ, got ${formatForError(base.mint)} twice`);
  if (pairs === null || pairs.some((pair) => pair.base === base.mint && pair.quote === quote.mint))
    return null;
  const allowed = pairs.map((pair) => `${pair.base}/${pair.quote}`).join(', ');
  return refuse(
    'pair',
    `the pair must be one of the maker's, ${allowed}, got ${formatForError(`${base.mint}/${quote.mint}`, 120)}`,
  );
}

function checkToken(field: string, streamed: StreamedToken, known: BookToken): RefusedSnapshot | null {
  if (streamed.decimals !== known.decimals) {
    return refuse(
      'token',
      `${field}.decimals must be ${known.decimals}, as the mint says, got ${streamed.decimals}`,
    );
  }
  if (streamed.tokenProgram !== known.tokenProgram) {
    return refuse(
      'token',
      `${field}.owner must be the mint's token program, ${known.tokenProgram}, got ${formatForError(streamed.tokenProgram)}`,
    );
  }
  if (streamed.symbol.length <= MAX_SYMBOL_LENGTH) return null;
  return refuse(
    'token',
    `${field}.symbol must be at most ${MAX_SYMBOL_LENGTH} characters, got ${formatForError(streamed.symbol)}`,
  );
}

function checkLotSize({ lotSizeBase }: Snapshot, base: BookToken, quote: BookToken): RefusedSnapshot | null {
  const lot = computeLotSize(base, quote);
  if (lotSizeBase === lot) return null;
  const decimals = `${base.decimals} base and ${quote.decimals} quote decimals`;
  return refuse('lot-size', `lot_size_base must be ${lot} for ${decimals}, got ${lotSizeBase}`);
}

function checkExpiry({ expirySeconds }: Snapshot): RefusedSnapshot | null {
  if (expirySeconds >= MIN_EXPIRY) return null;
  return refuse('expiry', `quote_expiry_time must be at least ${MIN_EXPIRY} seconds, got ${expirySeconds}`);
}

function checkLevels({ bids, asks }: Snapshot): RefusedSnapshot | null {
  const most = Math.max(bids.length, asks.length);
  if (most > MAX_LEVELS)
    return refuse('levels', `a side must have at most ${MAX_LEVELS} levels, got ${most}`);
  if ([bids, asks].some((side) => side.some(({ price, volume }) => price > 0n && volume > 0n))) return null;
  return refuse(
    'levels',
    `at least one level must have a price and a volume above zero, got ${bids.length} bids and ${asks.length} asks without`,
  );
}

function checkSequence({ sequence }: Snapshot, { lastSequence }: SnapshotContext): RefusedSnapshot | null {
  if (sequence > lastSequence) return null;
  return refuse(
    'sequence',
    `sequence_number must be above the last accepted one, ${lastSequence}, got ${sequence}`,
  );
}

function checkTimestamp({ timestamp }: Snapshot, { now }: SnapshotContext): RefusedSnapshot | null {
  const [micros, tolerance] = [BigInt(now) * 1_000n, BigInt(CLOCK_TOLERANCE_MS) * 1_000n];
  if (timestamp >= micros - tolerance && timestamp <= micros + tolerance) return null;
  return refuse(
    'timestamp',
    `timestamp must be within ${CLOCK_TOLERANCE_MS / 1_000} s of now, ${micros} in Unix microseconds, got ${timestamp}`,
  );
}

function withInventory(
  snapshot: Snapshot,
  base: BookToken,
  quote: BookToken,
  { baseBalance, quoteBalance, poolPrice }: SnapshotContext,
): AcceptedSnapshot | RefusedSnapshot {
  if ('unusable' in baseBalance) return refuse('inventory', `for base_token ${baseBalance.unusable}`);
  if ('unusable' in quoteBalance) return refuse('inventory', `for quote_token ${quoteBalance.unusable}`);
  const arranged = arrangeLevels(snapshot);
  const [bids, asks] = coverBothSides(arranged, base, baseBalance.amount, quoteBalance.amount);
  if (bids.levels.length + asks.levels.length === 0) {
    return refuse(
      'inventory',
      `the balances of ${baseBalance.amount} base and ${quoteBalance.amount} quote atoms cover no level`,
    );
  }
  const notes = [
    oddExpiryNote(snapshot),
    oddPriceNote({ bids: bids.levels, asks: asks.levels }, poolPrice),
    crossedNote({ bids: bids.levels, asks: asks.levels }),
    coverNote('bid', arranged.bids.length, bids, quoteBalance.amount, 'quote'),
    coverNote('ask', arranged.asks.length, asks, baseBalance.amount, 'base'),
  ].filter((note) => note !== null);
  const note = notes.length === 0 ? null : notes.join('; ');
  return { base, quote, arranged, bids: bids.levels, asks: asks.levels, note };
}

/** Returns the covered bids, which are paid in quote atoms, and the covered asks, which are paid in base atoms. */
export function coverBothSides(
  arranged: AcceptedSnapshot['arranged'],
  base: BookToken,
  baseBalance: bigint,
  quoteBalance: bigint,
): readonly [CoveredLevels, CoveredLevels] {
  const baseUnit = 10n ** BigInt(base.decimals);
  return [coverLevels(arranged.bids, quoteBalance, baseUnit), coverLevels(arranged.asks, baseBalance, null)];
}

/** A warning, because takers are paid what is streamed. */
function crossedNote(covered: BookSides): string | null {
  const at = findCrossing(covered);
  if (at === null) return null;
  return `the book is crossed: takers can buy at your ask of ${at.ask} and sell at your bid of ${at.bid}`;
}

/** A warning, because makers may have their quotes hold as long as they like. */
function oddExpiryNote({ expirySeconds }: Snapshot): string | null {
  if (expirySeconds <= ODD_EXPIRY) return null;
  return `quote_expiry_time of ${expirySeconds} is a number of seconds from now on and no date: the quote holds until it is replaced`;
}

/** A warning, because a maker may know better than the pools, and may price a token that they hardly trade. */
function oddPriceNote({ bids, asks }: BookSides, poolPrice: number | null): string | null {
  if (poolPrice === null || poolPrice <= 0) return null;
  for (const [side, best] of [
    ['bid', bids[0]],
    ['ask', asks[0]],
  ] as const) {
    if (best === undefined) continue;
    const ratio = Number(best.price) / poolPrice;
    if (ratio <= ODD_PRICE_FACTOR && ratio >= 1 / ODD_PRICE_FACTOR) continue;
    const times = ratio >= 10 ? ratio.toFixed(0) : ratio.toPrecision(2);
    return `the best ${side} of ${best.price} is ${times} times the price of the pools, ${Math.round(poolPrice)}; prices are quote atoms for one whole base token`;
  }
  return null;
}

function coverNote(
  side: 'bid' | 'ask',
  sent: number,
  { levels, cutTo }: CoveredLevels,
  balance: bigint,
  paidIn: 'base' | 'quote',
): string | null {
  const dropped = sent - levels.length;
  if (dropped === 0 && cutTo === null) return null;
  const cut = cutTo === null ? [] : [`${side} level ${levels.length} was cut to ${cutTo} base atoms`];
  const first = levels.length + 1;
  const range = dropped === 1 ? `level ${first} was` : `levels ${first} to ${sent} were`;
  const gone = dropped === 0 ? [] : [`${side} ${range} dropped`];
  return `${[...cut, ...gone].join(' and ')}: the balance is ${balance} ${paidIn} atoms`;
}
