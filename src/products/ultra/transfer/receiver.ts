import type { Account } from '../../../chain/accounts.ts';
import { type Address, address } from '../../../solana/address.ts';
import { isTokenProgram, SYSVAR_OWNER } from '../../../solana/program-addresses.ts';
import { createImpossible, type ImpossibleTransfer } from './impossible-transfer.ts';

/** The network burns the lamports of this address at the end of each slot. */
const INCINERATOR = address('1nc1nerator11111111111111111111111111111111');

/**
 * Finds why an address cannot own what is sent to it. Nobody can sign for a program, a mint or a token account, so
 * whatever they receive is lost. People paste such addresses when they mean a wallet.
 *
 * @param account - Null for an address without an account, such as a new wallet's.
 * @returns null if nothing is wrong
 */
export function findReceiverLoss(receiver: Address, account: Account | null): ImpossibleTransfer | null {
  if (receiver === INCINERATOR) return createImpossible(`receiverAddress ${receiver} burns what it receives`);
  if (account === null) return null;
  if (account.executable)
    return createImpossible(`receiverAddress ${receiver} is a program, and what it receives would be lost`);
  if (isTokenProgram(account.owner)) {
    return createImpossible(
      `receiverAddress ${receiver} is a mint or a token account, not a wallet, and what it receives would be lost`,
    );
  }
  if (account.owner === SYSVAR_OWNER) {
    return createImpossible(
      `receiverAddress ${receiver} is an account of the network itself, and what it receives would be lost`,
    );
  }
  return null;
}
