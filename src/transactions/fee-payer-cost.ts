import { feeOf } from '../chain/embedded/ledger/fees.ts';
import type { Account } from '../chain/chain.ts';
import type { Address } from '../solana/address.ts';
import type { CompiledInstruction, Message } from '../solana/messages/message.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  isTokenProgram,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../solana/program-addresses.ts';
import { rentExemptMinimum } from '../solana/rent.ts';

const FEE_PAYER_INDEX = 0;
/** More than any token account needs, whatever extensions its mint asks for. */
const MAX_EXTENDED_RENT = 4_000_000n;
const CREATE_IDEMPOTENT = 1;
const CREATED_PLACE = 1;
const TRANSFER = 2;
const TRANSFER_SIZE = 12;
const CLOSE_ACCOUNT = 9;

/** Accounts as a simulation of the message leaves them; those that it does not know are left out. */
export type AccountsAfter = ReadonlyMap<Address, Account | null>;

/** The token accounts that the fee payer may have to pay the rent of. */
export function fundedAccounts(message: Message): readonly Address[] {
  const funded = new Set<Address>();
  for (const instruction of message.instructions) {
    if (!isFundedCreation(message, instruction)) continue;
    const account = message.staticAccounts[instruction.accounts[CREATED_PLACE] ?? -1];
    if (account !== undefined) funded.add(account);
  }
  return [...funded];
}

/**
 * The most lamports that a message can cost its fee payer on any state: the fees, the rent of each token account that it
 * funds, and what it transfers. The size of those accounts is read from `after`. Null when an instruction could take more from it in a way that is not known here.
 */
export function maxFeePayerCost(message: Message, after: AccountsAfter): bigint | null {
  let lamports = feeOf(message).lamports;
  for (const instruction of message.instructions) {
    if (!instruction.accounts.includes(FEE_PAYER_INDEX)) continue;
    const cost = costOf(message, instruction, after);
    if (cost === null) return null;
    lamports += cost;
  }
  return lamports;
}

/** What one instruction that names the fee payer can take from it. */
function costOf(message: Message, instruction: CompiledInstruction, after: AccountsAfter): bigint | null {
  const { programIndex, accounts, data } = instruction;
  const place = accounts.indexOf(FEE_PAYER_INDEX);
  if (accounts.lastIndexOf(FEE_PAYER_INDEX) !== place) return null;
  const program = message.staticAccounts[programIndex];
  if (isFundedCreation(message, instruction)) {
    const created = message.staticAccounts[accounts[CREATED_PLACE] ?? -1];
    return rentOf(created === undefined ? null : after.get(created));
  }
  if (program === SYSTEM_PROGRAM) {
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    if (data.length !== TRANSFER_SIZE || view.getUint32(0, true) !== TRANSFER) return null;
    return place === 0 ? view.getBigUint64(4, true) : 0n;
  }
  // It receives what the closed account holds.
  const isClosed = program === TOKEN_PROGRAM && data.length === 1 && data[0] === CLOSE_ACCOUNT;
  return isClosed && place === 1 ? 0n : null;
}

function isFundedCreation(message: Message, { programIndex, accounts, data }: CompiledInstruction): boolean {
  const isCreation = message.staticAccounts[programIndex] === ASSOCIATED_TOKEN_PROGRAM;
  return isCreation && accounts[0] === FEE_PAYER_INDEX && data.length === 1 && data[0] === CREATE_IDEMPOTENT;
}

/** An account that the same transaction closes again is not known afterwards. */
function rentOf(account: Account | null | undefined): bigint {
  return account != null && isTokenProgram(account.owner)
    ? rentExemptMinimum(account.data.length)
    : MAX_EXTENDED_RENT;
}
