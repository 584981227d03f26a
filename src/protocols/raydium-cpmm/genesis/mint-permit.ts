import { RAYDIUM_CPMM_PROGRAM } from '../program/program.ts';
import { type Address, toAddressBytes } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import { findProgramAddress, type ProgramAddress } from '../../../solana/pda.ts';
import type { AccountLedger } from '../../../protocol/genesis/account-ledger.ts';

/** The first eight bytes of SHA-256 of `account:SupportMintAssociated`. */
const TAG = Uint8Array.of(0x86, 0x28, 0xb7, 0x4f, 0x0c, 0x70, 0xa2, 0x35);
const SIZE = 105;

/**
 * The account by which the program's operator admits a mint with extensions that the program does not accept otherwise.
 */
export function deriveMintPermitAddress(mint: Address): ProgramAddress {
  return findProgramAddress(RAYDIUM_CPMM_PROGRAM, [Buffer.from('support_mint'), toAddressBytes(mint)]);
}

/** Allows everybody to create pools of the mint. */
export function addMintPermit(ledger: AccountLedger, mint: Address): void {
  const { address, bump } = deriveMintPermitAddress(mint);
  const writer = new ByteWriter(SIZE).bytes(TAG).u8(bump).address(mint);
  ledger.addData(address, RAYDIUM_CPMM_PROGRAM, writer.zeros(SIZE - writer.length).finish());
}
