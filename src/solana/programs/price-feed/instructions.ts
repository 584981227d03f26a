import type { Address } from '../../address.ts';
import { ByteWriter } from '../../codec/byte-writer.ts';
import {
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../messages/instruction.ts';
import { SYSTEM_PROGRAM } from '../../program-addresses.ts';
import { PRICE_FEED_PROGRAM } from './feed.ts';
import { type PriceWalk, derivePriceWalkAddress, writeWalkTerms } from './walk.ts';

// Instructions of the embedded network's own price program. Pyth's receiver program has none of them.

const WRITE_PRICES = new Uint8Array(Buffer.from('6e004aa481709b85', 'hex'));
const WRITE_WALK = new Uint8Array(Buffer.from('96690160ab3b0107', 'hex'));

/** A price to publish in a feed. */
export interface PriceUpdate {
  readonly feed: Address;
  /** In the feed's unit; null publishes the price and confidence that the feed has. */
  readonly value: { readonly price: bigint; readonly confidence: bigint } | null;
}

/** Publishes prices as of the slot in which it runs. The feeds' authority signs. */
export function writePrices(authority: Address, updates: readonly PriceUpdate[]): Instruction {
  const data = new ByteWriter(8 + 16 * updates.length).bytes(WRITE_PRICES);
  for (const { value } of updates) data.i64(value?.price ?? 0n).u64(value?.confidence ?? 0n);
  return {
    programAddress: PRICE_FEED_PROGRAM,
    accounts: [readonlySigner(authority), ...updates.map(({ feed }) => writable(feed))],
    data: data.finish(),
  };
}

/** Stores the random walk of a feed's price. The authority of the feed signs, and pays the rent of a new account. */
export function writePriceWalk(authority: Address, feed: Address, walk: PriceWalk): Instruction {
  return {
    programAddress: PRICE_FEED_PROGRAM,
    accounts: [
      writableSigner(authority),
      readonly(feed),
      writable(derivePriceWalkAddress(feed)),
      readonly(SYSTEM_PROGRAM),
    ],
    data: writeWalkTerms(new ByteWriter(44).bytes(WRITE_WALK), walk).finish(),
  };
}
