import { type Address, address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';

/** The public program of limit orders, in its second version. */
export const LIMIT_ORDER_PROGRAM = address('j1o2qRpjcyUwEvwtcfhEQefh773ZgjxcVRry7LDqg5X');
/** The public program of orders that trade in equal parts over time. */
export const DCA_PROGRAM = address('DCA265Vj8a9CEuX1eb1LWRnDT7uK6q1xMipnNyatn23M');

/** The offset of the owner in the accounts of both programs. */
export const OWNER_AT = 8;
const DCA_SIZE = 289;

const ORDER_TAG = Uint8Array.of(0x86, 0xad, 0xdf, 0xb9, 0x4d, 0x56, 0x1c, 0x33);
const DCA_TAG = Uint8Array.of(0x52, 0x5d, 0x5a, 0x7f, 0x28, 0x65, 0x91, 0x9a);

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

/** An order that trades an equal part of its input in every cycle. Amounts are atoms. */
export interface DcaOrder {
  readonly user: Address;
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** Unix second. */
  readonly nextCycleAt: bigint;
  readonly inDeposited: bigint;
  readonly inWithdrawn: bigint;
  readonly outWithdrawn: bigint;
  readonly inUsed: bigint;
  readonly outReceived: bigint;
  readonly inAmountPerCycle: bigint;
  /** Seconds. */
  readonly cycleFrequency: bigint;
  readonly inAccount: Address;
  readonly outAccount: Address;
  /** The minimum output of a cycle, like the next one the maximum. 0 for no limit. */
  readonly minOutAmount: bigint;
  readonly maxOutAmount: bigint;
  /** Unix second. */
  readonly createdAt: bigint;
}

/**
 * Decodes `Dca` of the program's public IDL.
 *
 * @throws LayoutInvalid when the data is not an order's.
 */
export function decodeDcaOrder(data: Uint8Array): DcaOrder {
  const from = new ByteReader(data, 'DCA order');
  from.expect(DCA_TAG, 'discriminator');
  const parties = { user: from.address(), inputMint: from.address(), outputMint: from.address() };
  from.skip(8);
  const amounts = {
    nextCycleAt: from.i64(),
    inDeposited: from.u64(),
    inWithdrawn: from.u64(),
    outWithdrawn: from.u64(),
    inUsed: from.u64(),
    outReceived: from.u64(),
    inAmountPerCycle: from.u64(),
    cycleFrequency: from.i64(),
  };
  from.skip(8);
  const accounts = { inAccount: from.address(), outAccount: from.address() };
  const bounds = { minOutAmount: from.u64(), maxOutAmount: from.u64() };
  from.skip(16);
  return { ...parties, ...amounts, ...accounts, ...bounds, createdAt: from.i64() };
}

export function encodeDcaOrder(order: DcaOrder): Uint8Array {
  const to = new ByteWriter(DCA_SIZE).bytes(DCA_TAG).address(order.user).address(order.inputMint);
  to.address(order.outputMint).u64(0n).i64(order.nextCycleAt).u64(order.inDeposited);
  to.u64(order.inWithdrawn).u64(order.outWithdrawn).u64(order.inUsed).u64(order.outReceived);
  to.u64(order.inAmountPerCycle).i64(order.cycleFrequency).u64(order.inAmountPerCycle);
  to.address(order.inAccount).address(order.outAccount).u64(order.minOutAmount).u64(order.maxOutAmount);
  to.zeros(16).i64(order.createdAt).u8(255);
  return to.finish();
}
