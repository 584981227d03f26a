import { type Address, address } from '../../address.ts';
import { ByteReader } from '../../codec/byte-reader.ts';
import { ByteWriter } from '../../codec/byte-writer.ts';
import { findProgramAddress } from '../../pda.ts';

// Price feeds of the Pyth network, as `@pythnetwork/pyth-solana-receiver` reads them: accounts of the type
// `PriceUpdateV2`, owned by the receiver program, at addresses that the push oracle program derives.

/** The receiver program. It owns the feeds. */
export const PRICE_FEED_PROGRAM = address('rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ');
const PUSH_ORACLE_PROGRAM = address('pythWSnswVUd12oZpeFP8e9CVaEqJg25g1Vtc2biRsT');

/** Length of a feed in bytes. */
export const PRICE_FEED_LENGTH = 134;
const DISCRIMINATOR = Uint8Array.from([34, 241, 35, 99, 157, 126, 244, 205]);
/** The tag of an update of which all signatures were verified, not only some. */
const FULL = 1;

/** A price is `price` × 10^`exponent` US dollars for a whole token. */
export interface PriceFeed {
  /** The address that may write the feed. */
  readonly writeAuthority: Address;
  /** The 32-byte id of the price, such as that of SOL in US dollars. */
  readonly feedId: Uint8Array;
  readonly price: bigint;
  /** The confidence interval, plus or minus, in the unit of `price`. */
  readonly confidence: bigint;
  readonly exponent: number;
  /** Unix seconds. */
  readonly publishTime: bigint;
  readonly previousPublishTime: bigint;
  /** The moving average of about an hour. */
  readonly averagePrice: bigint;
  readonly averageConfidence: bigint;
  /** The slot in which the feed was written. */
  readonly postedSlot: bigint;
}

/**
 * Derives the address of the public feed of a price, which the push oracle keeps in its shard 0.
 *
 * @example
 * ```ts
 * import { derivePriceFeedAddress } from './feed.ts';
 *
 * const solUsd = Buffer.from('ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d', 'hex');
 * derivePriceFeedAddress(solUsd); // 7UVimffxr9ow1uXYxsr4LHAcV58mLzhmwaeKvJ1pjLiE
 * ```
 */
export function derivePriceFeedAddress(feedId: Uint8Array): Address {
  return findProgramAddress(PUSH_ORACLE_PROGRAM, [new Uint8Array(2), feedId]).address;
}

/** Encodes a feed as fully verified. A zero byte follows the fields. */
export function encodePriceFeed(feed: PriceFeed): Uint8Array {
  const writer = new ByteWriter(PRICE_FEED_LENGTH).bytes(DISCRIMINATOR).address(feed.writeAuthority).u8(FULL);
  writer.bytes(feed.feedId).i64(feed.price).u64(feed.confidence).i32(feed.exponent);
  writer.i64(feed.publishTime).i64(feed.previousPublishTime);
  writer.i64(feed.averagePrice).u64(feed.averageConfidence).u64(feed.postedSlot);
  return writer.zeros(PRICE_FEED_LENGTH - writer.length).finish();
}

/**
 * Decodes a feed.
 *
 * @throws LayoutInvalid when the bytes are not a feed, or not all signatures of the update were verified.
 */
export function decodePriceFeed(data: Uint8Array): PriceFeed {
  const reader = new ByteReader(data, 'price feed');
  reader.expect(DISCRIMINATOR, 'discriminator');
  const writeAuthority = reader.address();
  const level = reader.u8();
  if (level !== FULL) reader.fail(`the verification level must be ${FULL}, got ${level}`);
  return {
    writeAuthority,
    feedId: reader.bytes(32).slice(),
    price: reader.i64(),
    confidence: reader.u64(),
    exponent: reader.i32(),
    publishTime: reader.i64(),
    previousPublishTime: reader.i64(),
    averagePrice: reader.i64(),
    averageConfidence: reader.u64(),
    postedSlot: reader.u64(),
  };
}
