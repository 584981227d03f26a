import type { Address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';

/** The offset of the maker in an order. */
export const LIMIT_ORDER_MAKER_AT = 8;
/** The length of an order, in bytes. Those after the last field are kept for later. */
export const LIMIT_ORDER_SIZE = 372;

const ORDER_TAG = Uint8Array.of(0x86, 0xad, 0xdf, 0xb9, 0x4d, 0x56, 0x1c, 0x33);
const FEE_TAG = Uint8Array.of(0x18, 0x37, 0x96, 0xfa, 0xa8, 0x1b, 0x65, 0xb2);

/** A limit order. Amounts are atoms. `making` is what the order sells, and `taking` what it buys. */
export interface LimitOrder {
  readonly maker: Address;
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly inputTokenProgram: Address;
  readonly outputTokenProgram: Address;
  /** The account that holds the input. */
  readonly inputReserve: Address;
  readonly uniqueId: bigint;
  readonly originalMaking: bigint;
  readonly originalTaking: bigint;
  /** What is left. */
  readonly making: bigint;
  readonly taking: bigint;
  /** What a taker has borrowed: 0 except between the two instructions of a fill. */
  readonly borrowedMaking: bigint;
  /** The first Unix second in which the order has expired, or null. */
  readonly expiredAt: bigint | null;
  readonly feeBps: number;
  /** The token account of the output that fees are paid to. */
  readonly feeAccount: Address;
  /** Unix second. */
  readonly createdAt: bigint;
  /** Unix second. */
  readonly updatedAt: bigint;
  readonly bump: number;
  /** How much less than its price the order accepts. */
  readonly slippageBps: number;
  /** The amount that the order buys as a stop loss instead, or 0. The embedded network's program has no such orders. */
  readonly stopLossTaking: bigint;
}

/**
 * Decodes `Order` of the program's public IDL, and the two fields that later builds write after them.
 *
 * @throws LayoutInvalid when the data is not an order's.
 */
export function decodeLimitOrder(data: Uint8Array): LimitOrder {
  const from = new ByteReader(data, 'limit order');
  from.expect(ORDER_TAG, 'discriminator');
  return {
    maker: from.address(),
    inputMint: from.address(),
    outputMint: from.address(),
    inputTokenProgram: from.address(),
    outputTokenProgram: from.address(),
    inputReserve: from.address(),
    uniqueId: from.u64(),
    originalMaking: from.u64(),
    originalTaking: from.u64(),
    making: from.u64(),
    taking: from.u64(),
    borrowedMaking: from.u64(),
    expiredAt: from.bool() ? from.i64() : null,
    feeBps: from.u16(),
    feeAccount: from.address(),
    createdAt: from.i64(),
    updatedAt: from.i64(),
    bump: from.u8(),
    slippageBps: from.u16(),
    stopLossTaking: from.u64(),
  };
}

/** Encodes an order in an account with room for every option. */
export function encodeLimitOrder(order: LimitOrder): Uint8Array {
  const to = new ByteWriter(LIMIT_ORDER_SIZE).bytes(ORDER_TAG).address(order.maker).address(order.inputMint);
  to.address(order.outputMint).address(order.inputTokenProgram).address(order.outputTokenProgram);
  to.address(order.inputReserve)
    .u64(order.uniqueId)
    .u64(order.originalMaking)
    .u64(order.originalTaking)
    .u64(order.making)
    .u64(order.taking)
    .u64(order.borrowedMaking)
    .bool(order.expiredAt !== null);
  if (order.expiredAt !== null) to.i64(order.expiredAt);
  to.u16(order.feeBps).address(order.feeAccount).i64(order.createdAt).i64(order.updatedAt).u8(order.bump);
  to.u16(order.slippageBps).u64(order.stopLossTaking);
  return to.zeros(LIMIT_ORDER_SIZE - to.length).finish();
}

/** The rates of the fees, in basis points, and who may change them and withdraw what was collected. */
export interface LimitOrderFee {
  readonly normalFeeBps: number;
  readonly stableFeeBps: number;
  readonly admin: Address;
}

/** Encodes `Fee` of the public IDL, and the admin after it, whom the public program does not read from there. */
export function encodeLimitOrderFee({ normalFeeBps, stableFeeBps, admin }: LimitOrderFee): Uint8Array {
  return new ByteWriter(44).bytes(FEE_TAG).u16(normalFeeBps).u16(stableFeeBps).address(admin).finish();
}

/**
 * Decodes the rates of the fees, which are at the same place in the public program's account.
 *
 * @throws LayoutInvalid when the data is not of the fees.
 */
export function decodeLimitOrderRates(data: Uint8Array): Omit<LimitOrderFee, 'admin'> {
  const from = new ByteReader(data, 'fee of limit orders');
  from.expect(FEE_TAG, 'discriminator');
  return { normalFeeBps: from.u16(), stableFeeBps: from.u16() };
}
