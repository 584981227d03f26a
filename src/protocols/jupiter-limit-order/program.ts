import { type Address, address, toAddressBytes } from '../../solana/address.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { deriveAssociatedTokenAddress, findProgramAddress } from '../../solana/pda.ts';

/** The public program of limit orders, in its second version. */
export const LIMIT_ORDER_PROGRAM = address('j1o2qRpjcyUwEvwtcfhEQefh773ZgjxcVRry7LDqg5X');

const ORDER = Buffer.from('order');

/** The account with the rates of the fees. It owns the token accounts that fees are paid to. */
export const LIMIT_ORDER_FEE = findProgramAddress(LIMIT_ORDER_PROGRAM, [Buffer.from('fee')]).address;

/** Signs the program's calls to itself, by which it emits events. */
export const LIMIT_ORDER_EVENT_AUTHORITY = findProgramAddress(LIMIT_ORDER_PROGRAM, [
  Buffer.from('__event_authority'),
]).address;

/**
 * Derives the address of an order, and the bump by which the order signs.
 * @param uniqueId - A u64 by which the maker tells its orders apart.
 */
export function deriveLimitOrder(
  maker: Address,
  uniqueId: bigint,
): { readonly address: Address; readonly bump: number } {
  const id = new ByteWriter(8).u64(uniqueId).finish();
  return findProgramAddress(LIMIT_ORDER_PROGRAM, [ORDER, toAddressBytes(maker), id]);
}

/** Derives the token account that holds an order's input. */
export function deriveOrderReserve(order: Address, inputMint: Address, tokenProgram: Address): Address {
  return deriveAssociatedTokenAddress(order, inputMint, tokenProgram);
}

/** Derives the token account that fees of orders without a referral are paid to. */
export function deriveProgramFeeAccount(outputMint: Address, tokenProgram: Address): Address {
  return deriveAssociatedTokenAddress(LIMIT_ORDER_FEE, outputMint, tokenProgram);
}
