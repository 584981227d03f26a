import { create } from '@bufbuild/protobuf';
import type { ShownBook } from '../../../rfq/books/books.ts';
import { computeLotSize } from '../../../rfq/books/check-snapshot.ts';
import type { BookLevel } from '../../../rfq/books/live-book.ts';
import type { Ack } from '../../../rfq/books/quotes.ts';
import type { SnapshotCluster as ClusterName, Snapshot, StreamedToken } from '../../../rfq/books/snapshot.ts';
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

export function toClusterName(cluster: Cluster): ClusterName {
  return CLUSTER_NAMES[cluster];
}

/** @throws Error when a required field is missing, which the decoder excludes */
export function toSnapshot(quote: MarketMakerQuote): Snapshot {
  const { base, quote: quoted } = toStreamedPair(quote.tokenPair);
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
    bids: quote.bidLevels.map(toBookLevel),
    asks: quote.askLevels.map(toBookLevel),
  };
}

/** The tokens of a pair as a maker sent them. */
export interface StreamedPair {
  readonly base: StreamedToken;
  readonly quote: StreamedToken;
}

export function toStreamedPair(pair: TokenPair | undefined): StreamedPair {
  return { base: toStreamedToken(pair?.baseToken), quote: toStreamedToken(pair?.quoteToken) };
}

export function toQuoteUpdate(ack: Ack): QuoteUpdate {
  if ('refusal' in ack) {
    return create(QuoteUpdateSchema, { updateType: UpdateType.REJECTED, statusMessage: ack.message });
  }
  if (ack.note === null) return ACCEPTED;
  return create(QuoteUpdateSchema, { updateType: UpdateType.UPDATED, statusMessage: ack.note });
}

export function toOrderbook({ live, snapshot, receivedAt }: ShownBook): Orderbook {
  return create(OrderbookSchema, {
    tokenPair: toPairMessage(snapshot),
    bidLevels: live.bids.map(toLevelMessage),
    askLevels: live.asks.map(toLevelMessage),
    lastUpdated: BigInt(receivedAt) * MICROS,
    makerAddress: live.makerAddress,
    expiryTime: toMicros(live.expiresAt),
    lotSizeBase: computeLotSize(live.base, live.quote),
  });
}

/** Maps a book to a quote with its live levels: sorted, and covered by inventory. */
export function toQuoteMessage({ live, snapshot }: ShownBook): MarketMakerQuote {
  return create(MarketMakerQuoteSchema, {
    timestamp: snapshot.timestamp,
    sequenceNumber: snapshot.sequence,
    quoteExpiryTime: snapshot.expirySeconds,
    makerId: live.makerId,
    makerAddress: live.makerAddress,
    lotSizeBase: snapshot.lotSizeBase,
    cluster: CLUSTERS[snapshot.cluster],
    tokenPair: toPairMessage(snapshot),
    bidLevels: live.bids.map(toLevelMessage),
    askLevels: live.asks.map(toLevelMessage),
  });
}

function toBookLevel({ price, volume }: BookLevel): BookLevel {
  return { price, volume };
}

function toLevelMessage({ price, volume }: BookLevel) {
  return create(PriceLevelSchema, { price, volume });
}

function toStreamedToken(token: Token | undefined): StreamedToken {
  if (token === undefined) throw new Error('a token is missing that the decoder demands');
  const { address, decimals, symbol, owner } = token;
  return { mint: address, decimals, symbol, tokenProgram: owner };
}

function toPairMessage({ base, quote }: Pick<Snapshot, 'base' | 'quote'>): TokenPair {
  return create(TokenPairSchema, { baseToken: toTokenMessage(base), quoteToken: toTokenMessage(quote) });
}

function toTokenMessage({ mint, decimals, symbol, tokenProgram }: StreamedToken): Token {
  return create(TokenSchema, { address: mint, decimals, symbol, owner: tokenProgram });
}

function toMicros(milliseconds: number): bigint {
  const micros = BigInt(milliseconds) * MICROS;
  return micros > LAST_TIME ? LAST_TIME : micros;
}
