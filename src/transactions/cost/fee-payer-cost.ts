import type { Account } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import type { CompiledInstruction, Message } from '../../solana/messages/message.ts';
import { isTokenProgram, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { computeMessageFee } from '../../solana/programs/message-fee.ts';
import { findTransferredLamports } from '../../solana/programs/system.ts';
import { TOKEN_ACCOUNT_SIZE } from '../../solana/programs/token/account.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import {
  CLOSE_DESTINATION_PLACE,
  CLOSED_PLACE,
  CREATED_PLACE,
  FEE_PAYER_INDEX,
  isClosing,
  MAX_TOKEN_ACCOUNT_RENT,
  namesFeePayerOnlyAt,
  findProgram,
  type TokenAccountCreation,
  parseTokenAccountCreation,
} from './message-instructions.ts';

const TRANSFER_SOURCE_PLACE = 0;

/** Accounts as a simulation of the message leaves them. Accounts that the simulation does not return are absent. */
export type AccountsAfter = ReadonlyMap<Address, Account | null>;

/** Returns the token accounts that the fee payer may have to pay the rent of. */
export function listFundedAccounts(message: Message): readonly Address[] {
  const funded = new Set<Address>();
  for (const instruction of message.instructions) {
    const creation = parseTokenAccountCreation(message, instruction);
    if (creation?.isFundedByFeePayer === true && creation.account !== undefined) funded.add(creation.account);
  }
  return [...funded];
}

/**
 * Computes the most that a message can cost its fee payer, whatever the state of the chain: the fees, the rent of each
 * token account that it funds, and the lamports that it transfers.
 * @param after - The funded accounts after the message, from which their sizes are read.
 * @returns lamports, or null if an instruction could take more from the fee payer in a way that is not known here
 */
export function computeMaxFeePayerCost(message: Message, after: AccountsAfter): bigint | null {
  let lamports = computeMessageFee(message).lamports;
  for (const instruction of message.instructions) {
    if (!instruction.accounts.includes(FEE_PAYER_INDEX)) continue;
    const cost = computeInstructionCost(message, instruction, after);
    if (cost === null) return null;
    lamports += cost;
  }
  return lamports;
}

/** What one instruction that names the fee payer can take from it. */
function computeInstructionCost(
  message: Message,
  instruction: CompiledInstruction,
  after: AccountsAfter,
): bigint | null {
  const place = instruction.accounts.indexOf(FEE_PAYER_INDEX);
  if (!namesFeePayerOnlyAt(instruction, place)) return null;
  const creation = parseTokenAccountCreation(message, instruction);
  if (creation?.isFundedByFeePayer === true) {
    return isClosedLater(message, instruction) ? 0n : computeCreatedAccountRent(creation, after);
  }
  if (findProgram(message, instruction) === SYSTEM_PROGRAM) {
    const lamports = findTransferredLamports(instruction.data);
    return lamports === null || place === TRANSFER_SOURCE_PLACE ? lamports : -lamports;
  }
  // The account at this place receives the lamports of the closed account.
  return isClosing(message, instruction) && place === CLOSE_DESTINATION_PLACE ? 0n : null;
}

/** Whether the next instruction that closes the created account does it in favour of the fee payer, who then has the rent back. */
function isClosedLater(message: Message, creating: CompiledInstruction): boolean {
  const created = creating.accounts[CREATED_PLACE];
  const later = message.instructions.slice(message.instructions.indexOf(creating) + 1);
  const closing = later.find(
    (instruction) => instruction.accounts[CLOSED_PLACE] === created && isClosing(message, instruction),
  );
  return closing?.accounts[CLOSE_DESTINATION_PLACE] === FEE_PAYER_INDEX;
}

/** An account that the same message closes in favour of another wallet does not exist after the message. */
function computeCreatedAccountRent(
  { account, tokenProgram }: TokenAccountCreation,
  after: AccountsAfter,
): bigint {
  if (tokenProgram === TOKEN_PROGRAM) return computeRentExemptMinimum(TOKEN_ACCOUNT_SIZE);
  const found = account === undefined ? null : after.get(account);
  return found != null && isTokenProgram(found.owner)
    ? computeRentExemptMinimum(found.data.length)
    : MAX_TOKEN_ACCOUNT_RENT;
}
