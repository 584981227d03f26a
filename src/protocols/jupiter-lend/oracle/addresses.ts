import { findProgramAddress, type ProgramAddress } from '../../../solana/pda.ts';
import { ORACLE_PROGRAM } from '../lending-base/programs.ts';

/** The account that lists who may create oracles. */
export const ORACLE_ADMIN: ProgramAddress = findProgramAddress(ORACLE_PROGRAM, [Buffer.from('oracle_admin')]);

/** Derives the address of the oracle with this number, a u16. */
export function deriveLendOracleAddress(nonce: number): ProgramAddress {
  const number = Buffer.alloc(2);
  number.writeUInt16LE(nonce);
  return findProgramAddress(ORACLE_PROGRAM, [Buffer.from('oracle'), number]);
}
