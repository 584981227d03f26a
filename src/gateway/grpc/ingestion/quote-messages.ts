import { create } from '@bufbuild/protobuf';
import type { ShownBook } from '../../../rfq/books/books.ts';
import { lotSizeOf } from '../../../rfq/books/check-snapshot.ts';
import type { BookLevel } from '../../../rfq/books/live-book.ts';
import type { Ack } from '../../../rfq/books/quotes.ts';
import type { Cluster as ClusterName, Snapshot, StreamedToken } from '../../../rfq/books/snapshot.ts';
import {
  Cluster,
  type MarketMakerQuote,
  MarketMakerQuoteSchema,
  type Orderbook,
  OrderbookSchema,
  PriceLevelSchema,
  type QuoteUpdate,
  QuoteUpdateSchema,
  type Token,
  type TokenPair,
  TokenPairSchema,
  TokenSchema,
  UpdateType,
} from '../generated/market_maker_pb.js';

const CLUSTER_NAMES: Readonly<Record<Cluster, ClusterName>> = {
  [Cluster.UNSPECIFIED]: 'unspecified',
  [Cluster.MAINNET]: 'mainnet',
  [Cluster.DEVNET]: 'devnet',
};
const CLUSTERS: Readonly<Record<ClusterName, Cluster>> = {
  unspecified: Cluster.UNSPECIFIED,
  mainnet: Cluster.MAINNET,
  devnet: Cluster.DEVNET,
};
/** Nearly every ack is this message. */
export const ACCEPTED: QuoteUpdate = create(QuoteUpdateSchema, { updateType: UpdateType.UPDATED });
const MICROS = 1_000n;
const LAST_TIME = (1n << 64n) - 1n;

export function clusterName(cluster: Cluster): ClusterName {
  return CLUSTER_NAMES[cluster];
}

/** @throws Error when a required field is missing, which the decoder excludes */
export function snapshotOf(quote: MarketMakerQuote): Snapshot {
  const { base, quote: quoted } = streamedPair(quote.tokenPair);
  return {
    timestamp: quote.timestamp,
    sequence: quote.sequenceNumber,
    expirySeconds: quote.quoteExpiryTime,
    makerId: quote.makerId,
    makerAddress: quote.makerAddress,
    lotSizeBase: quote.lotSizeBase,
    cluster: CLUSTER_NAMES[quote.cluster],
    base,
    quote: quoted,
    bids: quote.bidLevels.map(levelOf),
    asks: quote.askLevels.map(levelOf),
  };
}

/** The tokens of a pair as a maker sent them. */
export interface StreamedPair {
  readonly base: StreamedToken;
  readonly quote: StreamedToken;
}

export function streamedPair(pair: TokenPair | undefined): StreamedPair {
  return { base: tokenOf(pair?.baseToken), quote: tokenOf(pair?.quoteToken) };
}

export function updateOf(ack: Ack): QuoteUpdate {
  if ('refusal' in ack) {
    return create(QuoteUpdateSchema, { updateType: UpdateType.REJECTED, statusMessage: ack.message });
  }
  if (ack.note === null) return ACCEPTED;
  return create(QuoteUpdateSchema, { updateType: UpdateType.UPDATED, statusMessage: ack.note });
}

export function orderbookOf({ live, snapshot, receivedAt }: ShownBook): Orderbook {
  return create(OrderbookSchema, {
    tokenPair: pairMessage(snapshot),
    bidLevels: live.bids.map(levelMessage),
    askLevels: live.asks.map(levelMessage),
    lastUpdated: BigInt(receivedAt) * MICROS,
    makerAddress: live.makerAddress,
    expiryTime: microsOf(live.expiresAt),
    lotSizeBase: lotSizeOf(live.base, live.quote),
  });
}

/** Maps a book to a quote with its live levels: sorted, and covered by inventory. */
export function quoteMessage({ live, snapshot }: ShownBook): MarketMakerQuote {
  return create(MarketMakerQuoteSchema, {
    timestamp: snapshot.timestamp,
    sequenceNumber: snapshot.sequence,
    quoteExpiryTime: snapshot.expirySeconds,
    makerId: live.makerId,
    makerAddress: live.makerAddress,
    lotSizeBase: snapshot.lotSizeBase,
    cluster: CLUSTERS[snapshot.cluster],
    tokenPair: pairMessage(snapshot),
    bidLevels: live.bids.map(levelMessage),
    askLevels: live.asks.map(levelMessage),
  });
}

function levelOf({ price, volume }: BookLevel): BookLevel {
  return { price, volume };
}

function levelMessage({ price, volume }: BookLevel) {
  return create(PriceLevelSchema, { price, volume });
}

function tokenOf(token: Token | undefined): StreamedToken {
  if (token === undefined) throw new Error('a token is missing that the decoder demands');
  const { address, decimals, symbol, owner } = token;
  return { mint: address, decimals, symbol, tokenProgram: owner };
}

function pairMessage({ base, quote }: Pick<Snapshot, 'base' | 'quote'>): TokenPair {
  return create(TokenPairSchema, { baseToken: tokenMessage(base), quoteToken: tokenMessage(quote) });
}

function tokenMessage({ mint, decimals, symbol, tokenProgram }: StreamedToken): Token {
  return create(TokenSchema, { address: mint, decimals, symbol, owner: tokenProgram });
}

function microsOf(milliseconds: number): bigint {
  const micros = BigInt(milliseconds) * MICROS;
  return micros > LAST_TIME ? LAST_TIME : micros;
}
