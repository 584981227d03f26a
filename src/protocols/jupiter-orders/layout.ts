import { type Address, address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';

/** The public program of limit orders, in its second version. */
export const LIMIT_ORDER_PROGRAM = address('j1o2qRpjcyUwEvwtcfhEQefh773ZgjxcVRry7LDqg5X');

/** The offset of the owner in the orders of both versions. */
export const OWNER_AT = 8;

const ORDER_TAG = Uint8Array.of(0x86, 0xad, 0xdf, 0xb9, 0x4d, 0x56, 0x1c, 0x33);

/** A limit order. Amounts are atoms. `making` is what the order sells, and `taking` what it buys. */
export interface LimitOrder {
  readonly maker: Address;
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly inputTokenProgram: Address;
  readonly outputTokenProgram: Address;
  /** The account that holds the input. */
  readonly inputReserve: Address;
  readonly originalMaking: bigint;
  readonly originalTaking: bigint;
  readonly making: bigint;
  readonly taking: bigint;
  /** The Unix second at which the order expires, or null. */
  readonly expiredAt: bigint | null;
  /** Unix second. */
  readonly createdAt: bigint;
  /** The amount that the order buys as a stop loss instead, or 0. */
  readonly stopLossTaking: bigint;
}

/**
 * Decodes `Order` of the program's public IDL.
 *
 * @throws LayoutInvalid when the data is not an order's.
 */
export function decodeLimitOrder(data: Uint8Array): LimitOrder {
  const from = new ByteReader(data, 'limit order');
  from.expect(ORDER_TAG, 'discriminator');
  const parties = {
    maker: from.address(),
    inputMint: from.address(),
    outputMint: from.address(),
    inputTokenProgram: from.address(),
    outputTokenProgram: from.address(),
    inputReserve: from.address(),
  };
  from.skip(8);
  const amounts = {
    originalMaking: from.u64(),
    originalTaking: from.u64(),
    making: from.u64(),
    taking: from.u64(),
  };
  from.skip(8);
  const expiredAt = from.bool() ? from.i64() : null;
  from.skip(34);
  const createdAt = from.i64();
  from.skip(11);
  return { ...parties, ...amounts, expiredAt, createdAt, stopLossTaking: from.u64() };
}

/** Encodes an order without fees, in an account with room for every option. */
export function encodeLimitOrder(order: LimitOrder): Uint8Array {
  const to = new ByteWriter(LIMIT_ORDER_SIZE).bytes(ORDER_TAG).address(order.maker).address(order.inputMint);
  to.address(order.outputMint).address(order.inputTokenProgram).address(order.outputTokenProgram);
  to.address(order.inputReserve).u64(0n).u64(order.originalMaking).u64(order.originalTaking);
  to.u64(order.making)
    .u64(order.taking)
    .u64(0n)
    .bool(order.expiredAt !== null);
  if (order.expiredAt !== null) to.i64(order.expiredAt);
  to.zeros(34).i64(order.createdAt).i64(order.createdAt).u8(255).u16(0).u64(order.stopLossTaking);
  return to.zeros(LIMIT_ORDER_SIZE - to.length).finish();
}

const LIMIT_ORDER_SIZE = 320;
