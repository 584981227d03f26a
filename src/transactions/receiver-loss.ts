import type { Account } from '../chain/accounts.ts';
import { type Address, address } from '../solana/address.ts';
import { isTokenProgram, SYSVAR_OWNER } from '../solana/program-addresses.ts';

/** The network burns the lamports of this address at the end of each slot. */
const INCINERATOR = address('1nc1nerator11111111111111111111111111111111');

/**
 * Describes why an address cannot own what is sent to it. Nobody can sign for a program, a mint or a token account, so
 * whatever they receive is lost. People paste such addresses when they mean a wallet.
 *
 * @param field - The name of the field that has the address.
 * @param account - Null for an address without an account, such as a new wallet's.
 * @returns null if nothing is wrong
 */
export function describeReceiverLoss(
  field: string,
  receiver: Address,
  account: Account | null,
): string | null {
  if (receiver === INCINERATOR) return `${field} ${receiver} burns what it receives`;
  if (account === null) return null;
  if (account.executable) return `${field} ${receiver} is a program, and what it receives would be lost`;
  if (isTokenProgram(account.owner)) {
    return `${field} ${receiver} is a mint or a token account, not a wallet, and what it receives would be lost`;
  }
  if (account.owner === SYSVAR_OWNER) {
    return `${field} ${receiver} is an account of the network itself, and what it receives would be lost`;
  }
  return null;
}
