import { toAddressBytes } from '../solana/address.ts';
import { findProgramAddress } from '../solana/pda.ts';
import { SYSTEM_PROGRAM } from '../solana/program-addresses.ts';

/**
 * A wallet without a private key. Without a taker, a price is computed for a transaction of this wallet, so that it
 * would fit.
 */
export const PLACEHOLDER_TAKER = findProgramAddress(SYSTEM_PROGRAM, [toAddressBytes(SYSTEM_PROGRAM)]).address;

/**
 * An account for this wallet's fees. It differs from the wallet, so that it takes a place of its own in the
 * transaction.
 */
export const PLACEHOLDER_FEE_ACCOUNT = findProgramAddress(SYSTEM_PROGRAM, [
  toAddressBytes(PLACEHOLDER_TAKER),
]).address;
