import type { Address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';

/** The offset of the user in an order. */
export const DCA_USER_AT = 8;
export const DCA_ORDER_SIZE = 289;

const TAG = Uint8Array.of(0x52, 0x5d, 0x5a, 0x7f, 0x28, 0x65, 0x91, 0x9a);

/** An order that trades an equal part of its input in every cycle. Amounts are atoms. */
export interface DcaOrder {
  readonly user: Address;
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** The number that the user chose, from which the address is derived. */
  readonly idx: bigint;
  /** The Unix second from which the next cycle may be filled. */
  readonly nextCycleAt: bigint;
  readonly inDeposited: bigint;
  readonly inWithdrawn: bigint;
  readonly outWithdrawn: bigint;
  readonly inUsed: bigint;
  readonly outReceived: bigint;
  readonly inAmountPerCycle: bigint;
  /** Seconds. */
  readonly cycleFrequency: bigint;
  /** What the next cycle trades. */
  readonly nextCycleAmountLeft: bigint;
  readonly inAccount: Address;
  readonly outAccount: Address;
  /** The minimum output of a cycle, like the next one the maximum. 0 for no limit. */
  readonly minOutAmount: bigint;
  readonly maxOutAmount: bigint;
  /** Two balances at the beginning of a fill, for the program's own use. */
  readonly keeperInBalanceBeforeBorrow: bigint;
  readonly dcaOutBalanceBeforeSwap: bigint;
  /** Unix second. */
  readonly createdAt: bigint;
  readonly bump: number;
}

/**
 * Decodes `Dca` of the program's public IDL.
 *
 * @throws LayoutInvalid when the data is not an order's.
 */
export function decodeDcaOrder(data: Uint8Array): DcaOrder {
  const from = new ByteReader(data, 'DCA order');
  from.expect(TAG, 'discriminator');
  return {
    user: from.address(),
    inputMint: from.address(),
    outputMint: from.address(),
    idx: from.u64(),
    nextCycleAt: from.i64(),
    inDeposited: from.u64(),
    inWithdrawn: from.u64(),
    outWithdrawn: from.u64(),
    inUsed: from.u64(),
    outReceived: from.u64(),
    inAmountPerCycle: from.u64(),
    cycleFrequency: from.i64(),
    nextCycleAmountLeft: from.u64(),
    inAccount: from.address(),
    outAccount: from.address(),
    minOutAmount: from.u64(),
    maxOutAmount: from.u64(),
    keeperInBalanceBeforeBorrow: from.u64(),
    dcaOutBalanceBeforeSwap: from.u64(),
    createdAt: from.i64(),
    bump: from.u8(),
  };
}

export function encodeDcaOrder(order: DcaOrder): Uint8Array {
  const to = new ByteWriter(DCA_ORDER_SIZE).bytes(TAG);
  to.address(order.user).address(order.inputMint).address(order.outputMint).u64(order.idx);
  to.i64(order.nextCycleAt).u64(order.inDeposited).u64(order.inWithdrawn).u64(order.outWithdrawn);
  to.u64(order.inUsed).u64(order.outReceived).u64(order.inAmountPerCycle).i64(order.cycleFrequency);
  to.u64(order.nextCycleAmountLeft).address(order.inAccount).address(order.outAccount);
  to.u64(order.minOutAmount).u64(order.maxOutAmount).u64(order.keeperInBalanceBeforeBorrow);
  return to.u64(order.dcaOutBalanceBeforeSwap).i64(order.createdAt).u8(order.bump).finish();
}
