import { formatForError } from '../../common/format-for-error.ts';
import type { Address } from '../../solana/address.ts';
import { arrange, type Covered, cover } from './book-levels.ts';
import type { BookLevel, BookToken } from './live-book.ts';
import type { MintPair } from '../makers/maker.ts';
import type { MakerStatus } from '../makers/maker-state.ts';
import type { Refusal } from '../makers/snapshot-refusals.ts';
import type { Cluster, Snapshot, StreamedToken } from './snapshot.ts';

/** What there is to know of a mint: the token, or why it cannot be quoted. */
export type KnownMint = BookToken | { readonly unusable: string };

/** A token account of the maker: its balance, or why it cannot pay. */
export type KnownBalance = { readonly amount: bigint } | { readonly unusable: string };

/** Everything that a snapshot is judged by, besides itself. */
export interface SnapshotContext {
  readonly makerId: string;
  readonly makerAddress: Address;
  /** Null: every pair. */
  readonly pairs: readonly MintPair[] | null;
  readonly status: MakerStatus;
  /** Why the status is not `prod` though a swap stream is live; null otherwise. */
  readonly blockedBy: string | null;
  readonly cluster: Cluster;
  /** Of the last accepted snapshot; 0 when there was none. */
  readonly lastSequence: bigint;
  /** Unix milliseconds. */
  readonly now: number;
  readonly base: KnownMint;
  readonly quote: KnownMint;
  readonly baseBalance: KnownBalance;
  readonly quoteBalance: KnownBalance;
}

/** What of a snapshot goes into the market. */
export interface Accepted {
  readonly base: BookToken;
  readonly quote: BookToken;
  /** As they would be with all the inventory in the world. */
  readonly arranged: { readonly bids: readonly BookLevel[]; readonly asks: readonly BookLevel[] };
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
  /** What was changed of the levels; null when nothing was. */
  readonly note: string | null;
}

export interface Refused {
  readonly refusal: Refusal;
  /** Names the condition, the value that was sent and what would be right. */
  readonly message: string;
}

/** Seconds; a duration and not a time. */
const MIN_EXPIRY = 10n;
/** How far the maker's clock may be from ours, to either side. */
const CLOCK_TOLERANCE_MS = 60_000;
/** More levels a side are refused rather than sorted. */
const MAX_LEVELS = 100;
/** Longer symbols are refused, because they are kept and shown. */
const MAX_SYMBOL_LENGTH = 32;

/** Judges a snapshot: the first condition that does not hold refuses it. Pure. */
export function checkSnapshot(snapshot: Snapshot, context: SnapshotContext): Accepted | Refused {
  const refused =
    refuse('maker-id', foreignId(snapshot, context)) ??
    refuse('maker-address', foreignAddress(snapshot, context)) ??
    refuse('status', notInMarket(context)) ??
    refuse('swap-stream', noSwapStream(context)) ??
    refuse('cluster', otherCluster(snapshot, context)) ??
    refuse('pair', pairNotAllowed(snapshot, context));
  if (refused !== null) return refused;
  const { base, quote } = context;
  if ('unusable' in base) return { refusal: 'token', message: `base_token ${base.unusable}` };
  if ('unusable' in quote) return { refusal: 'token', message: `quote_token ${quote.unusable}` };
  return (
    refuse('token', otherToken('base_token', snapshot.base, base)) ??
    refuse('token', otherToken('quote_token', snapshot.quote, quote)) ??
    refuse('lot-size', otherLot(snapshot, base, quote)) ??
    refuse('expiry', tooShort(snapshot)) ??
    refuse('levels', badLevels(snapshot)) ??
    refuse('sequence', notRising(snapshot, context)) ??
    refuse('timestamp', otherTime(snapshot, context)) ??
    withInventory(snapshot, base, quote, context)
  );
}

/** `lot_size_base` of a pair: 10^(base decimals - quote decimals), and 1 where that would be a fraction. */
export function lotSizeOf(base: BookToken, quote: BookToken): bigint {
  return 10n ** BigInt(Math.max(base.decimals - quote.decimals, 0));
}

function refuse(refusal: Refusal, message: string | null): Refused | null {
  return message === null ? null : { refusal, message };
}

function foreignId({ makerId }: Snapshot, context: SnapshotContext): string | null {
  if (makerId === context.makerId) return null;
  return `maker_id must be that of the key, ${context.makerId}, got ${formatForError(makerId)}`;
}

function foreignAddress({ makerAddress }: Snapshot, context: SnapshotContext): string | null {
  if (makerAddress === context.makerAddress) return null;
  return `maker_address must be that of the maker, ${context.makerAddress}, got ${formatForError(makerAddress)}`;
}

function notInMarket({ blockedBy, status }: SnapshotContext): string | null {
  return blockedBy === null ? null : `the maker's status must be prod, but is ${status}: ${blockedBy}`;
}

function noSwapStream({ status }: SnapshotContext): string | null {
  if (status === 'prod') return null;
  return 'no swap stream is live: the status is offline until StreamSwap is open';
}

function otherCluster({ cluster }: Snapshot, context: SnapshotContext): string | null {
  return cluster === context.cluster ? null : `cluster must be ${context.cluster}, got ${cluster}`;
}

function pairNotAllowed({ base, quote }: Snapshot, { pairs }: SnapshotContext): string | null {
  if (base.mint === quote.mint)
    return `base_token and quote_token must differ, got ${formatForError(base.mint)} twice`;
  if (pairs === null || pairs.some((pair) => pair.base === base.mint && pair.quote === quote.mint))
    return null;
  const allowed = pairs.map((pair) => `${pair.base}/${pair.quote}`).join(', ');
  return `the pair must be one of the maker's, ${allowed}, got ${formatForError(`${base.mint}/${quote.mint}`, 120)}`;
}

function otherToken(field: string, streamed: StreamedToken, known: BookToken): string | null {
  if (streamed.decimals !== known.decimals) {
    return `${field}.decimals must be ${known.decimals}, as the mint says, got ${streamed.decimals}`;
  }
  if (streamed.tokenProgram !== known.tokenProgram) {
    return `${field}.owner must be the mint's token program, ${known.tokenProgram}, got ${formatForError(streamed.tokenProgram)}`;
  }
  if (streamed.symbol.length <= MAX_SYMBOL_LENGTH) return null;
  return `${field}.symbol must be at most ${MAX_SYMBOL_LENGTH} characters, got ${formatForError(streamed.symbol)}`;
}

function otherLot({ lotSizeBase }: Snapshot, base: BookToken, quote: BookToken): string | null {
  const lot = lotSizeOf(base, quote);
  if (lotSizeBase === lot) return null;
  const decimals = `${base.decimals} base and ${quote.decimals} quote decimals`;
  return `lot_size_base must be ${lot} for ${decimals}, got ${lotSizeBase}`;
}

function tooShort({ expirySeconds }: Snapshot): string | null {
  if (expirySeconds >= MIN_EXPIRY) return null;
  return `quote_expiry_time must be at least ${MIN_EXPIRY} seconds, got ${expirySeconds}`;
}

function badLevels({ bids, asks }: Snapshot): string | null {
  const most = Math.max(bids.length, asks.length);
  if (most > MAX_LEVELS) return `a side must have at most ${MAX_LEVELS} levels, got ${most}`;
  if ([bids, asks].some((side) => side.some(({ price, volume }) => price > 0n && volume > 0n))) return null;
  return `at least one level must have a price and a volume above zero, got ${bids.length} bids and ${asks.length} asks without`;
}

function notRising({ sequence }: Snapshot, { lastSequence }: SnapshotContext): string | null {
  if (sequence > lastSequence) return null;
  return `sequence_number must be above the last accepted one, ${lastSequence}, got ${sequence}`;
}

function otherTime({ timestamp }: Snapshot, { now }: SnapshotContext): string | null {
  const [micros, tolerance] = [BigInt(now) * 1_000n, BigInt(CLOCK_TOLERANCE_MS) * 1_000n];
  if (timestamp >= micros - tolerance && timestamp <= micros + tolerance) return null;
  return `timestamp must be within ${CLOCK_TOLERANCE_MS / 1_000} s of now, ${micros} in Unix microseconds, got ${timestamp}`;
}

function withInventory(
  snapshot: Snapshot,
  base: BookToken,
  quote: BookToken,
  { baseBalance, quoteBalance }: SnapshotContext,
): Accepted | Refused {
  if ('unusable' in baseBalance) return noInventory(`for base_token ${baseBalance.unusable}`);
  if ('unusable' in quoteBalance) return noInventory(`for quote_token ${quoteBalance.unusable}`);
  const arranged = arrange(snapshot);
  const [bids, asks] = coverBoth(arranged, base, baseBalance.amount, quoteBalance.amount);
  if (bids.levels.length + asks.levels.length === 0) {
    return noInventory(
      `the balances of ${baseBalance.amount} base and ${quoteBalance.amount} quote atoms cover no level`,
    );
  }
  const notes = [
    crossedNote(arranged.uncrossedAt),
    coverNote('bid', arranged.bids.length, bids, quoteBalance.amount, 'quote'),
    coverNote('ask', arranged.asks.length, asks, baseBalance.amount, 'base'),
  ].filter((note) => note !== null);
  const note = notes.length === 0 ? null : notes.join('; ');
  return { base, quote, arranged, bids: bids.levels, asks: asks.levels, note };
}

/** Bids are paid in quote atoms, asks in base atoms. */
export function coverBoth(
  arranged: Accepted['arranged'],
  base: BookToken,
  baseBalance: bigint,
  quoteBalance: bigint,
): readonly [Covered, Covered] {
  const baseUnit = 10n ** BigInt(base.decimals);
  return [cover(arranged.bids, quoteBalance, baseUnit), cover(arranged.asks, baseBalance, null)];
}

function noInventory(message: string): Refused {
  return { refusal: 'inventory', message };
}

function crossedNote(at: { readonly bid: bigint; readonly ask: bigint } | null): string | null {
  if (at === null) return null;
  return `the book is crossed: bids above ${at.bid} count as ${at.bid}, asks below ${at.ask} as ${at.ask}`;
}

function coverNote(
  side: 'bid' | 'ask',
  sent: number,
  { levels, cutTo }: Covered,
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
