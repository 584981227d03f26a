import type { Address } from '../solana/address.ts';
import { type MessageMeasure, measureMessage } from '../solana/compile-message.ts';
import { MAX_COMPUTE_UNITS, setComputeUnitLimit, setComputeUnitPrice } from '../solana/compute-budget.ts';
import type { Instruction } from '../solana/instruction.ts';
import { MAX_ACCOUNTS, MessageInvalid } from '../solana/message-accounts.ts';
import type { Assembly } from './assembly.ts';
import type { SwapTerms } from './swap-terms.ts';

/** The largest transaction that the network takes, in bytes. */
const MAX_TRANSACTION = 1_232;
const SIGNATURE_BYTES = 64;
/** What the caller adds or replaces: the numbers in them do not change the size. */
const BUDGET = [setComputeUnitLimit(MAX_COMPUTE_UNITS), setComputeUnitPrice(0n)];

/** Why the transaction that a caller makes of these instructions would not do, as a sentence; null when it does. */
export function misfit(assembly: Assembly, request: SwapTerms): string | null {
  const instructions = transactionOf(assembly);
  const most = Math.min(request.maxAccounts, MAX_ACCOUNTS);
  const accounts = countWhereMany(request.payer, instructions);
  if (accounts > most) return tooManyAccounts(most, accounts);
  let message: MessageMeasure;
  try {
    message = measureMessage({ feePayer: request.payer, instructions, lookupTables: assembly.tables });
  } catch (error) {
    // One of the wallets that the request names is a program.
    if (error instanceof MessageInvalid) return `the swap makes no valid transaction: ${error.message}`;
    throw error;
  }
  if (message.accounts > most) return tooManyAccounts(most, message.accounts);
  const size = 1 + message.signers * SIGNATURE_BYTES + message.bytes;
  return size > MAX_TRANSACTION
    ? `no route fits a transaction of ${MAX_TRANSACTION} bytes: the best that was found makes one of ${size} bytes`
    : null;
}

function tooManyAccounts(most: number, accounts: number): string {
  return `no route needs ${most} accounts or fewer: the smallest that was found needs ${accounts}; raise maxAccounts`;
}

/** Everything that the answer contains, and the compute unit limit that the caller adds. */
function transactionOf({ setup, swap, cleanup, tip, rentReturns }: Assembly): Instruction[] {
  const instructions = [...BUDGET, ...setup, swap];
  if (cleanup !== null) instructions.push(cleanup);
  for (const each of rentReturns.values()) instructions.push(each);
  if (tip !== null) instructions.push(tip);
  return instructions;
}

/** Counted only where they may be more than a message can name; 0 elsewhere, where measuring it counts them too. */
function countWhereMany(payer: Address, instructions: readonly Instruction[]): number {
  const named = instructions.reduce((sum, { accounts }) => sum + 1 + accounts.length, 1);
  return named <= MAX_ACCOUNTS ? 0 : countAccounts(payer, instructions);
}

function countAccounts(payer: Address, instructions: readonly Instruction[]): number {
  const named = new Set<Address>([payer]);
  for (const { programAddress, accounts } of instructions) {
    named.add(programAddress);
    for (const { address } of accounts) named.add(address);
  }
  return named.size;
}
