import { type Address, address, toAddressBytes } from '../../address.ts';
import { findProgramAddress } from '../../pda.ts';

/** The program that shares the fees of swaps between integrators and the project under which they registered. */
export const REFERRAL_PROGRAM = address('REFER4ZgmyYx9c6He5XfaTMiGfdLwRnkV4RPp9t9iF3');

const [PROJECT, PROJECT_AUTHORITY, REFERRAL, REFERRAL_TOKENS] = [
  'project',
  'project_authority',
  'referral',
  'referral_ata',
].map((seed) => Buffer.from(seed)) as [Buffer, Buffer, Buffer, Buffer];

/** Derives the address of the project that the key `base` created. */
export function deriveProjectAddress(base: Address): Address {
  return findProgramAddress(REFERRAL_PROGRAM, [PROJECT, toAddressBytes(base)]).address;
}

/** Derives the wallet that pays for the token accounts of a project's admin. */
export function deriveProjectAuthority(base: Address): Address {
  return findProgramAddress(REFERRAL_PROGRAM, [PROJECT_AUTHORITY, toAddressBytes(base)]).address;
}

/** Derives the address of a referral account with a name. */
export function deriveReferralAccount(project: Address, name: string): Address {
  const seeds = [REFERRAL, toAddressBytes(project), Buffer.from(name)];
  return findProgramAddress(REFERRAL_PROGRAM, seeds).address;
}

/**
 * Derives the older kind of token account of a referral account, which belongs to the project. The newer kind is the
 * token account that is associated with a named referral account.
 */
export function deriveReferralTokens(referral: Address, mint: Address): Address {
  const seeds = [REFERRAL_TOKENS, toAddressBytes(referral), toAddressBytes(mint)];
  return findProgramAddress(REFERRAL_PROGRAM, seeds).address;
}
