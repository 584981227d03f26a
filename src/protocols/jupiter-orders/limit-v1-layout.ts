import { type Address, address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';

/** The public program of limit orders, in its first version. */
export const LIMIT_ORDER_V1_PROGRAM = address('jupoNjAxXgZ4rjzxzPMP4oxduvQsQtZzyknqvzYNrNu');

/** The offset of the maker in an order. */
export const LIMIT_ORDER_V1_MAKER_AT = 8;
const TAG = Uint8Array.of(0x86, 0xad, 0xdf, 0xb9, 0x4d, 0x56, 0x1c, 0x33);
/** The length of an order with both of its optional fields, in bytes. */
const LIMIT_ORDER_V1_MAX_SIZE = 315;

/** A limit order of the first version. Amounts are atoms. `making` is what the order sells, and `taking` what it buys. */
export interface LimitOrderV1 {
  readonly maker: Address;
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly originalMaking: bigint;
  readonly originalTaking: bigint;
  readonly making: bigint;
  readonly taking: bigint;
  readonly makerInputAccount: Address;
  readonly makerOutputAccount: Address;
  /** The account that holds the input. */
  readonly reserve: Address;
  /** The Unix second at which the order expires, or null. */
  readonly expiredAt: bigint | null;
}

/**
 * Decodes `Order` of the program's public IDL.
 *
 * @throws LayoutInvalid when the data is not an order's.
 */
export function decodeLimitOrderV1(data: Uint8Array): LimitOrderV1 {
  const from = new ByteReader(data, 'limit order of the first version');
  from.expect(TAG, 'discriminator');
  const parties = { maker: from.address(), inputMint: from.address(), outputMint: from.address() };
  from.skip(1);
  const amounts = {
    originalMaking: from.u64(),
    originalTaking: from.u64(),
    making: from.u64(),
    taking: from.u64(),
  };
  const accounts = {
    makerInputAccount: from.address(),
    makerOutputAccount: from.address(),
    reserve: from.address(),
  };
  from.skip(8);
  return { ...parties, ...amounts, ...accounts, expiredAt: from.bool() ? from.i64() : null };
}

/** Writes an order that waits for takers, has no referral, and of which nothing is borrowed. */
export function encodeLimitOrderV1(order: LimitOrderV1): Uint8Array {
  const to = new ByteWriter(LIMIT_ORDER_V1_MAX_SIZE).bytes(TAG).address(order.maker).address(order.inputMint);
  to.address(order.outputMint).bool(true).u64(order.originalMaking).u64(order.originalTaking);
  to.u64(order.making).u64(order.taking).address(order.makerInputAccount).address(order.makerOutputAccount);
  to.address(order.reserve)
    .u64(0n)
    .bool(order.expiredAt !== null);
  if (order.expiredAt !== null) to.i64(order.expiredAt);
  to.address(order.maker).bool(false);
  return to.zeros(LIMIT_ORDER_V1_MAX_SIZE - to.length).finish();
}
