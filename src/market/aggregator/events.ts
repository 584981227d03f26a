import type { Address } from '../../solana/address.ts';
import type { ByteReader } from '../../solana/codec/byte-reader.ts';
import { readSelfCalledEvent } from '../../solana/programs/self-called-event.ts';

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

const SWAP_EVENT = '40c6cde8260871e2';
const FEE_EVENT = '494f4e7fb8d50ddc';
const SWAPS_EVENT = '982f4eebc0606e6a';

/**
 * Decodes an event from the data of a call that the aggregator made to itself. Its fields are in Borsh.
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
  const event = readSelfCalledEvent(data, 'event');
  if (event === null) return null;
  const { tag, fields: from } = event;
  switch (tag) {
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
