import { type Address, toAddressBytes } from '../../address.ts';
import { ByteReader } from '../../codec/byte-reader.ts';
import { ByteWriter } from '../../codec/byte-writer.ts';
import { findProgramAddress } from '../../pda.ts';
import { PRICE_FEED_PROGRAM } from './feed.ts';

/** How the embedded network moves a price at random. It is kept in an account beside the feed. */
export interface PriceWalk {
  /** The seed of the random numbers. The same seed and terms yield the same steps. */
  readonly seed: bigint;
  /** The standard deviation within an hour, in millionths of the price. */
  readonly deviation: number;
  /** The expected change of the price in an hour, in millionths. Negative when it falls. */
  readonly drift: number;
  /** The length of a step in seconds. A walk that was stopped has 0. */
  readonly seconds: number;
  /** Unix seconds. */
  readonly startedAt: bigint;
  /** The number of steps taken. */
  readonly steps: bigint;
}

/** Length of a walk in bytes. */
const PRICE_WALK_LENGTH = 76;
const DISCRIMINATOR = new Uint8Array(Buffer.from('bd74a6c2061e2add', 'hex'));

/** Derives the address of the account with the walk of a feed's price. */
export function derivePriceWalkAddress(feed: Address): Address {
  return findProgramAddress(PRICE_FEED_PROGRAM, [Buffer.from('walk'), toAddressBytes(feed)]).address;
}

/**
 * Decodes a walk.
 *
 * @throws LayoutInvalid when the data is not that of a walk.
 */
export function decodePriceWalk(data: Uint8Array): PriceWalk {
  const reader = new ByteReader(data, 'price walk');
  reader.expect(DISCRIMINATOR, 'discriminator');
  reader.address();
  return {
    seed: reader.u64(),
    deviation: reader.u32(),
    drift: reader.i32(),
    seconds: reader.u32(),
    startedAt: reader.i64(),
    steps: reader.u64(),
  };
}

/** Encodes the walk of a feed's price. */
export function encodePriceWalk(feed: Address, walk: PriceWalk): Uint8Array {
  const writer = new ByteWriter(PRICE_WALK_LENGTH).bytes(DISCRIMINATOR).address(feed);
  return writeWalkTerms(writer, walk).finish();
}

/** Writes the fields of a walk, which have the same layout in accounts and in instructions. */
export function writeWalkTerms(writer: ByteWriter, walk: PriceWalk): ByteWriter {
  const { seed, deviation, drift, seconds, startedAt, steps } = walk;
  return writer.u64(seed).u32(deviation).i32(drift).u32(seconds).i64(startedAt).u64(steps);
}
