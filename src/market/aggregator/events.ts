import { getAddressDecoder } from '@solana/kit';
import type { Address } from '../../solana/address.ts';

/** What one step took and paid. */
export interface SwapAmounts {
  readonly inputMint: Address;
  readonly inputAmount: bigint;
  readonly outputMint: Address;
  readonly outputAmount: bigint;
}

/** v1 forms, after each step; `amm` is the venue's program. */
export interface SwapEvent extends SwapAmounts {
  readonly kind: 'swap';
  readonly amm: Address;
}

/** v1 forms, when a platform fee was paid; `account` is the fee account. */
export interface FeeEvent {
  readonly kind: 'fee';
  readonly account: Address;
  readonly mint: Address;
  readonly amount: bigint;
}

/** v2 forms, once per route: its steps in order. */
export interface SwapsEvent {
  readonly kind: 'swaps';
  readonly swaps: readonly SwapAmounts[];
}

export type AggregatorEvent = SwapEvent | FeeEvent | SwapsEvent;

/** Size of borsh `{input_mint, input_amount u64, output_mint, output_amount u64}`. */
const SWAP_AMOUNTS_SIZE = 80;

const SELF_CALL = 0x1d9acb512ea545e4n;
const SWAP_EVENT = 0xe2710826e8cdc640n;
const FEE_EVENT = 0xdc0dd5b87f4e4f49n;
const SWAPS_EVENT = 0x6a6e60c0eb4e2f98n;

/**
 * Reads an event out of the data of a call that the aggregator made to itself: the mark of such calls (8 bytes),
 * the event's discriminator (8), its fields in borsh. Null when the data is not one of the three, or is cut short.
 */
export function decodeEvent(data: Uint8Array): AggregatorEvent | null {
  if (data.length < 16) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  if (view.getBigUint64(0, true) !== SELF_CALL) return null;
  const fields = new DataView(data.buffer, data.byteOffset + 16, data.length - 16);
  switch (view.getBigUint64(8, true)) {
    case SWAP_EVENT:
      return decodeSwapEvent(fields);
    case FEE_EVENT:
      return decodeFeeEvent(fields);
    case SWAPS_EVENT:
      return decodeSwapsEvent(fields);
    default:
      return null;
  }
}

function decodeSwapEvent(fields: DataView): SwapEvent | null {
  if (fields.byteLength < 32 + SWAP_AMOUNTS_SIZE) return null;
  return { kind: 'swap', amm: addressAt(fields, 0), ...swapAmountsAt(fields, 32) };
}

function decodeFeeEvent(fields: DataView): FeeEvent | null {
  if (fields.byteLength < 72) return null;
  return {
    kind: 'fee',
    account: addressAt(fields, 0),
    mint: addressAt(fields, 32),
    amount: fields.getBigUint64(64, true),
  };
}

function decodeSwapsEvent(fields: DataView): SwapsEvent | null {
  if (fields.byteLength < 4) return null;
  const count = fields.getUint32(0, true);
  if (fields.byteLength < 4 + count * SWAP_AMOUNTS_SIZE) return null;
  const swaps: SwapAmounts[] = [];
  for (let index = 0; index < count; index++) {
    swaps.push(swapAmountsAt(fields, 4 + index * SWAP_AMOUNTS_SIZE));
  }
  return { kind: 'swaps', swaps };
}

function swapAmountsAt(fields: DataView, at: number): SwapAmounts {
  return {
    inputMint: addressAt(fields, at),
    inputAmount: fields.getBigUint64(at + 32, true),
    outputMint: addressAt(fields, at + 40),
    outputAmount: fields.getBigUint64(at + 72, true),
  };
}

const addressDecoder = getAddressDecoder();

function addressAt(fields: DataView, at: number): Address {
  return addressDecoder.decode(new Uint8Array(fields.buffer, fields.byteOffset + at, 32));
}
