import { type Address, address, toAddressBytes } from '../../solana/address.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { findProgramAddress, type ProgramAddress } from '../../solana/pda.ts';

/** The public program of orders that trade in equal parts over time. */
export const DCA_PROGRAM = address('DCA265Vj8a9CEuX1eb1LWRnDT7uK6q1xMipnNyatn23M');

/** Owns the accounts that collect fees. Its own account names who may fill orders: see `encodeDcaFeeAuthority`. */
export const DCA_FEE_AUTHORITY: ProgramAddress = findProgramAddress(DCA_PROGRAM, [Buffer.from('fee')]);

/** Signs the program's calls to itself, which carry its events. */
export const DCA_EVENT_AUTHORITY: ProgramAddress = findProgramAddress(DCA_PROGRAM, [
  Buffer.from('__event_authority'),
]);

/** What an order's address is derived from. */
export interface DcaOrderSeeds {
  readonly user: Address;
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** A number of the user's choice. The public client takes the Unix second. */
  readonly idx: bigint;
}

/** Derives the address of an order. */
export function deriveDcaOrderAddress({ user, inputMint, outputMint, idx }: DcaOrderSeeds): ProgramAddress {
  return findProgramAddress(DCA_PROGRAM, [
    Buffer.from('dca'),
    toAddressBytes(user),
    toAddressBytes(inputMint),
    toAddressBytes(outputMint),
    new ByteWriter(8).u64(idx).finish(),
  ]);
}

/** Derives the account in which SOL that an order has bought are unwrapped. It exists only while `transfer` runs. */
export function deriveDcaIntermediateAddress(order: Address): Address {
  return findProgramAddress(DCA_PROGRAM, [Buffer.from('intermediate'), toAddressBytes(order)]).address;
}
