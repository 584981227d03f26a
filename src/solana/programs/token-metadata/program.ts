import { type Address, address, toAddressBytes } from '../../address.ts';
import { findProgramAddress, type ProgramAddress } from '../../pda.ts';

/** The program that stores the name, symbol and link of mints in separate accounts. */
export const TOKEN_METADATA_PROGRAM = address('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s');

/** Derives the address of the metadata account of a mint. */
export function deriveMetadataAddress(mint: Address): Address {
  return derive(mint).address;
}

/** Derives the address of the account that marks a mint as an edition. */
export function deriveEditionAddress(mint: Address): ProgramAddress {
  return derive(mint, 'edition');
}

function derive(mint: Address, ...more: readonly string[]): ProgramAddress {
  const seeds = [Buffer.from('metadata'), toAddressBytes(TOKEN_METADATA_PROGRAM), toAddressBytes(mint)];
  return findProgramAddress(TOKEN_METADATA_PROGRAM, [...seeds, ...more.map((text) => Buffer.from(text))]);
}
