import { addressBytes } from '../solana/address.ts';
import { findProgramAddress } from '../solana/pda.ts';
import { SYSTEM_PROGRAM } from '../solana/program-addresses.ts';

/** A wallet that nobody has: a price without a taker is the price of a transaction that would fit. */
export const PLACEHOLDER_TAKER = findProgramAddress(SYSTEM_PROGRAM, [addressBytes(SYSTEM_PROGRAM)]).address;

/** An account for its fees: another than the wallet, so that it takes up a place of its own. */
export const PLACEHOLDER_FEE_ACCOUNT = findProgramAddress(SYSTEM_PROGRAM, [
  addressBytes(PLACEHOLDER_TAKER),
]).address;
