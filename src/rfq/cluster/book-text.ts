import { parseBoundedJson } from '../../common/bounded-json.ts';
import { address } from '../../solana/address.ts';
import type { ShownBook } from '../books/books.ts';
import type { BookLevel, BookToken } from '../books/live-book.ts';
import type { SnapshotCluster, StreamedToken } from '../books/snapshot.ts';

/** A book as another instance has published it. */
export interface PublishedBook extends Omit<ShownBook, 'live' | 'receivedAt'> {
  readonly live: Omit<ShownBook['live'], 'expiresAt'>;
  /**
   * Milliseconds from the publication until the book expires. `ageMs` is the time from its receipt to the publication.
   */
  readonly leftMs: number;
  readonly ageMs: number;
  /** Atoms of the maker's inventory that are reserved. */
  readonly taken: { readonly base: bigint; readonly quote: bigint };
}

/** Identifies a book. */
export interface BookName {
  readonly makerId: string;
  readonly base: string;
  readonly quote: string;
}

/** A publication of an instance: the books that are new, changed or due again, and those that left the market. */
export interface Publication {
  readonly from: string;
  readonly books: readonly PublishedBook[];
  readonly gone: readonly BookName[];
}

/** The version of the format. Publications in another version, as during an update, are ignored. */
const FORM = 1;

type Levels = readonly (readonly [price: string, volume: string])[];
type BookTokenJson = readonly [mint: string, decimals: number, tokenProgram: string, symbol: string];

interface BookJson {
  readonly version: number;
  readonly maker: readonly [id: string, address: string];
  readonly base: BookTokenJson;
  readonly quote: BookTokenJson;
  readonly bids: Levels;
  readonly asks: Levels;
  readonly leftMs: number;
  readonly ageMs: number;
  readonly taken: readonly [base: string, quote: string];
  readonly streamed: readonly [
    timestamp: string,
    sequence: string,
    expiry: string,
    lot: string,
    cluster: SnapshotCluster,
  ];
}

interface PublicationJson {
  readonly form: number;
  readonly from: string;
  readonly books: readonly BookJson[];
  readonly gone: readonly (readonly [makerId: string, base: string, quote: string])[];
}

export function formatPublication({ from, books, gone }: Publication): string {
  const names = gone.map(({ makerId, base, quote }) => [makerId, base, quote] as const);
  return JSON.stringify({
    form: FORM,
    from,
    books: books.map(toBookJson),
    gone: names,
  } satisfies PublicationJson);
}

/**
 * Returns null if the text has another version of the format.
 * @throws Error if the text was not made by `formatPublication`
 */
export function parsePublication(text: string): Publication | null {
  const { form, from, books, gone } = parseBoundedJson(text) as PublicationJson;
  if (form !== FORM) return null;
  const names = gone.map(([makerId, base, quote]) => ({ makerId, base, quote }));
  return { from, books: books.map(parseBookJson), gone: names };
}

function toBookJson({ live, snapshot, leftMs, ageMs, taken }: PublishedBook): BookJson {
  const { timestamp, sequence, expirySeconds, lotSizeBase, cluster } = snapshot;
  return {
    version: live.version,
    maker: [live.makerId, live.makerAddress],
    base: toBookTokenJson(live.base, snapshot.base),
    quote: toBookTokenJson(live.quote, snapshot.quote),
    bids: live.bids.map(levelJson),
    asks: live.asks.map(levelJson),
    leftMs,
    ageMs,
    taken: [String(taken.base), String(taken.quote)],
    streamed: [String(timestamp), String(sequence), String(expirySeconds), String(lotSizeBase), cluster],
  };
}

function parseBookJson({
  version,
  maker,
  base,
  quote,
  bids,
  asks,
  leftMs,
  ageMs,
  taken,
  streamed,
}: BookJson): PublishedBook {
  const [makerId, makerAddress] = maker;
  const [timestamp, sequence, expirySeconds, lotSizeBase, cluster] = streamed;
  const levels = { bids: bids.map(parseBookLevel), asks: asks.map(parseBookLevel) };
  return {
    live: {
      version,
      makerId,
      makerAddress: address(makerAddress),
      ...levels,
      base: parseBookToken(base),
      quote: parseBookToken(quote),
    },
    snapshot: {
      timestamp: BigInt(timestamp),
      sequence: BigInt(sequence),
      expirySeconds: BigInt(expirySeconds),
      lotSizeBase: BigInt(lotSizeBase),
      cluster,
      base: streamedToken(base),
      quote: streamedToken(quote),
    },
    leftMs,
    ageMs,
    taken: { base: BigInt(taken[0]), quote: BigInt(taken[1]) },
  };
}

function levelJson({ price, volume }: BookLevel): readonly [string, string] {
  return [String(price), String(volume)];
}

function parseBookLevel([price, volume]: readonly [string, string]): BookLevel {
  return { price: BigInt(price), volume: BigInt(volume) };
}

function toBookTokenJson(
  { mint, decimals, tokenProgram }: BookToken,
  { symbol }: StreamedToken,
): BookTokenJson {
  return [mint, decimals, tokenProgram, symbol];
}

function parseBookToken([mint, decimals, tokenProgram]: BookTokenJson): BookToken {
  return { mint: address(mint), decimals, tokenProgram: address(tokenProgram) };
}

function streamedToken([mint, decimals, tokenProgram, symbol]: BookTokenJson): StreamedToken {
  return { mint, decimals, tokenProgram, symbol };
}
