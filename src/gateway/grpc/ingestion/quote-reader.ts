import type { BookLevel } from '../../../rfq/books/live-book.ts';
import type { SnapshotCluster as ClusterName, Snapshot } from '../../../rfq/books/snapshot.ts';
import { createMessageDecoder } from '../wire/decode.ts';
import { Cluster, TokenPairSchema } from '../generated/market_maker_pb.js';
import { toClusterName, type StreamedPair, toStreamedPair } from './quote-messages.ts';
import { WireCursor } from './wire-cursor.ts';

/** Indexed by their numbers on the wire. */
const CLUSTERS: readonly ClusterName[] = [Cluster.UNSPECIFIED, Cluster.MAINNET, Cluster.DEVNET].map(
  toClusterName,
);
const VARINT = 0;
const RUN = 2;
/** One bit for each of the required fields 1 to 8. */
const REQUIRED = 0b1_1111_1110;
/** How many pairs are cached, and the largest size of one; together they bound the memory that makers can fill. */
const MAX_PAIRS = 256;
const MAX_PAIR_LENGTH = 512;
const NO_LEVEL: BookLevel = { price: 0n, volume: 0n };

/**
 * Reads snapshots as protobuf libraries encode them: each field of `MarketMakerQuote` once, no unknown fields, ids in
 * ASCII, and numbers that a double holds exactly. All other messages, valid or not, are left to the generic decoder,
 * which takes several times as long.
 */
export class QuoteReader {
  readonly #cursor = new WireCursor();
  /** By their bytes, because a maker sends the same pairs repeatedly. */
  readonly #pairs = new Map<string, StreamedPair>();
  readonly #decodePair = createMessageDecoder(TokenPairSchema, () => 0);

  /** Returns null when the message is left to the generic decoder. */
  read(bytes: Buffer): Snapshot | null {
    const cursor = this.#cursor;
    cursor.start(bytes);
    let [timestamp, sequence, expirySeconds, lotSizeBase, cluster] = [0, 0, 0, 0, 0];
    let [makerId, makerAddress] = ['', ''];
    let pair: StreamedPair | null = null;
    const bids: BookLevel[] = [];
    const asks: BookLevel[] = [];
    let seen = 0;
    while (cursor.isBefore(bytes.length)) {
      const tag = cursor.tag();
      if (tag === ((9 << 3) | RUN)) bids.push(this.#level());
      else if (tag === ((10 << 3) | RUN)) asks.push(this.#level());
      else {
        const field = 1 << (tag >> 3);
        if ((seen & field) !== 0) return null;
        seen |= field;
        if (tag === ((1 << 3) | VARINT)) timestamp = cursor.varint();
        else if (tag === ((2 << 3) | VARINT)) sequence = cursor.varint();
        else if (tag === ((3 << 3) | VARINT)) expirySeconds = cursor.varint();
        else if (tag === ((4 << 3) | RUN)) makerId = cursor.ascii();
        else if (tag === ((5 << 3) | RUN)) makerAddress = cursor.ascii();
        else if (tag === ((6 << 3) | VARINT)) lotSizeBase = cursor.varint();
        else if (tag === ((7 << 3) | VARINT)) cluster = cursor.varint();
        else if (tag === ((8 << 3) | RUN)) pair = this.#pair();
        else return null;
      }
    }
    const name = CLUSTERS[cluster];
    if (cursor.failed || seen !== REQUIRED || pair === null || name === undefined) return null;
    return {
      timestamp: BigInt(timestamp),
      sequence: BigInt(sequence),
      expirySeconds: BigInt(expirySeconds),
      makerId,
      makerAddress,
      lotSizeBase: BigInt(lotSizeBase),
      cluster: name,
      base: pair.base,
      quote: pair.quote,
      bids,
      asks,
    };
  }

  #level(): BookLevel {
    const cursor = this.#cursor;
    const end = cursor.end();
    let [volume, price] = [-1, -1];
    while (cursor.isBefore(end)) {
      const tag = cursor.tag();
      if (tag === ((1 << 3) | VARINT) && volume < 0) volume = cursor.varint();
      else if (tag === ((2 << 3) | VARINT) && price < 0) price = cursor.varint();
      else cursor.fail();
    }
    if (cursor.isAt(end) && volume >= 0 && price >= 0)
      return { price: BigInt(price), volume: BigInt(volume) };
    cursor.fail();
    return NO_LEVEL;
  }

  #pair(): StreamedPair | null {
    const bytes = this.#cursor.run();
    if (bytes.length > MAX_PAIR_LENGTH) return null;
    const key = bytes.toString('latin1');
    const known = this.#pairs.get(key);
    if (known !== undefined) return known;
    const decoded = this.#decodePair(bytes);
    if ('invalid' in decoded) return null;
    const pair = toStreamedPair(decoded.message);
    if (this.#pairs.size >= MAX_PAIRS) this.#pairs.clear();
    this.#pairs.set(key, pair);
    return pair;
  }
}
