import type { Address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';

/** The amounts that one step took and paid. */
export interface SwapAmounts {
  readonly inputMint: Address;
  readonly inputAmount: bigint;
  readonly outputMint: Address;
  readonly outputAmount: bigint;
}

/** Emitted by v1 forms after each step; `amm` is the venue's program. */
export interface SwapEvent extends SwapAmounts {
  readonly kind: 'swap';
  readonly amm: Address;
}

/** Emitted by v1 forms when a platform fee was paid; `account` is the fee account. */
export interface FeeEvent {
  readonly kind: 'fee';
  readonly account: Address;
  readonly mint: Address;
  readonly amount: bigint;
}

/** Emitted by v2 forms once per route: its steps in order. */
export interface SwapsEvent {
  readonly kind: 'swaps';
  readonly swaps: readonly SwapAmounts[];
}

export type AggregatorEvent = SwapEvent | FeeEvent | SwapsEvent;

/** Sizes of the fields in Borsh. */
const SWAP_AMOUNTS_SIZE = 80;
const SWAP_EVENT_SIZE = 112;
const FEE_EVENT_SIZE = 72;

const SELF_CALL = 0x1d9acb512ea545e4n;
const SWAP_EVENT = 0xe2710826e8cdc640n;
const FEE_EVENT = 0xdc0dd5b87f4e4f49n;
const SWAPS_EVENT = 0x6a6e60c0eb4e2f98n;

/**
 * Decodes an event from the data of a call that the aggregator made to itself: the marker of such calls (8 bytes), the
 * event's discriminator (8), and its fields in Borsh.
 *
 * Returns null if the data is none of the three events or is cut short.
 *
 * @example
 * ```ts
 * import { decodeEvent } from './events.ts';
 *
 * decodeEvent(new Uint8Array(8)); // null
 * ```
 */
export function decodeEvent(data: Uint8Array): AggregatorEvent | null {
  const from = new ByteReader(data, 'event');
  if (from.remaining < 16 || from.u64() !== SELF_CALL) return null;
  switch (from.u64()) {
    case SWAP_EVENT:
      if (from.remaining < SWAP_EVENT_SIZE) return null;
      return { kind: 'swap', amm: from.address(), ...swapAmounts(from) };
    case FEE_EVENT:
      if (from.remaining < FEE_EVENT_SIZE) return null;
      return { kind: 'fee', account: from.address(), mint: from.address(), amount: from.u64() };
    case SWAPS_EVENT:
      return decodeSwapsEvent(from);
    default:
      return null;
  }
}

function decodeSwapsEvent(from: ByteReader): SwapsEvent | null {
  if (from.remaining < 4) return null;
  const count = from.u32();
  if (from.remaining < count * SWAP_AMOUNTS_SIZE) return null;
  return { kind: 'swaps', swaps: Array.from({ length: count }, () => swapAmounts(from)) };
}

function swapAmounts(from: ByteReader): SwapAmounts {
  return {
    inputMint: from.address(),
    inputAmount: from.u64(),
    outputMint: from.address(),
    outputAmount: from.u64(),
  };
}
