import { type Address, address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';

/** The public program of orders that trade by value averaging. */
export const VALUE_AVERAGE_PROGRAM = address('VALaaymxQh2mNy2trH9jUqHT1mTow76wpTcGmSWSwJe');

const VALUE_AVERAGE_SIZE = 339;
/** The offset of the owner in an order. */
export const VALUE_AVERAGE_OWNER_AT = 18;

const TAG = Uint8Array.of(0xce, 0x0d, 0xc4, 0x65, 0xef, 0x56, 0x62, 0xae);

/** An order that increases the value of its output by the same amount in every interval. Amounts are atoms. */
export interface ValueAverageOrder {
  readonly user: Address;
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** The atoms of USDC by which the value increases in every interval. */
  readonly incrementUsdc: bigint;
  /** Seconds. */
  readonly orderInterval: bigint;
  /** The accounts that hold the input and the output. */
  readonly inputVault: Address;
  readonly outputVault: Address;
  /** Unix second. */
  readonly createdAt: bigint;
  readonly inDeposited: bigint;
  readonly inLeft: bigint;
  readonly inUsed: bigint;
  readonly inWithdrawn: bigint;
  readonly outReceived: bigint;
  readonly outWithdrawn: bigint;
}

/**
 * Decodes `ValueAverage` of the program's public IDL.
 *
 * @throws LayoutInvalid when the data is not an order's.
 */
export function decodeValueAverageOrder(data: Uint8Array): ValueAverageOrder {
  const from = new ByteReader(data, 'value-averaging order');
  from.expect(TAG, 'discriminator');
  from.skip(10);
  const parties = { user: from.address(), inputMint: from.address(), outputMint: from.address() };
  const terms = { incrementUsdc: from.u64(), orderInterval: from.i64() };
  const vaults = { inputVault: from.address(), outputVault: from.address() };
  from.skip(1 + 2 * 32);
  return {
    ...parties,
    ...terms,
    ...vaults,
    createdAt: from.i64(),
    inDeposited: from.u64(),
    inLeft: from.u64(),
    inUsed: from.u64(),
    inWithdrawn: from.u64(),
    outReceived: from.u64(),
    outWithdrawn: from.u64(),
  };
}

/**
 * Encodes the owner's first order.
 *
 * @param next - The value in atoms of USDC that the output should have had at the last purchase, and the Unix second of the
 *   next purchase.
 */
export function encodeValueAverageOrder(
  order: ValueAverageOrder,
  next: { readonly supposedUsdc: bigint; readonly orderAt: bigint },
): Uint8Array {
  const to = new ByteWriter(VALUE_AVERAGE_SIZE).bytes(TAG).bool(false).u64(0n).u8(255).address(order.user);
  to.address(order.inputMint).address(order.outputMint).u64(order.incrementUsdc).i64(order.orderInterval);
  to.address(order.inputVault)
    .address(order.outputVault)
    .bool(false)
    .zeros(2 * 32);
  to.i64(order.createdAt).u64(order.inDeposited).u64(order.inLeft).u64(order.inUsed).u64(order.inWithdrawn);
  to.u64(order.outReceived).u64(order.outWithdrawn).u64(next.supposedUsdc).i64(next.orderAt);
  return to.zeros(VALUE_AVERAGE_SIZE - to.length).finish();
}
