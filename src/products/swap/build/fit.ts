import type { Address } from '../../../solana/address.ts';
import { type MessageMeasure, measureMessage } from '../../../solana/messages/compile-message.ts';
import {
  MAX_COMPUTE_UNITS,
  setComputeUnitLimit,
  setComputeUnitPrice,
} from '../../../solana/programs/compute-budget.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import { MAX_ACCOUNTS, MessageInvalid } from '../../../solana/messages/message-accounts.ts';
import { MAX_TRANSACTION_BYTES, transactionSize } from '../../../solana/messages/transaction.ts';
import type { Assembly } from './assembly.ts';
import type { SwapTerms } from './swap-terms.ts';

/** What the caller adds or replaces: the numbers in them do not change the size. */
const BUDGET = [setComputeUnitLimit(MAX_COMPUTE_UNITS), setComputeUnitPrice(0n)];

/** Why the transaction that a caller makes of an assembly would not do. */
export interface LimitViolation {
  /** A sentence for whoever asked. */
  readonly reason: string;
  /** How little is wrong, to tell which of several is nearest to one that does: bytes before accounts before anything else. */
  readonly rank: 0 | 1 | 2;
  /** Among those of one rank: the fewer the nearer. */
  readonly needs: number;
}

/** What is kept free in a transaction for what its maker may add. */
export interface Headroom {
  readonly accounts: number;
  readonly bytes: number;
}

export const NO_HEADROOM: Headroom = { accounts: 0, bytes: 0 };

/** Null when it does, with `spare` besides. */
export function findLimitViolation(
  assembly: Assembly,
  request: SwapTerms,
  spare = NO_HEADROOM,
): LimitViolation | null {
  const instructions = transactionOf(assembly);
  const most = Math.min(request.maxAccounts, MAX_ACCOUNTS);
  const accounts = countWhereMany(request.payer, instructions);
  if (accounts + spare.accounts > most) return tooManyAccounts(most, accounts);
  let message: MessageMeasure;
  try {
    message = measureMessage({ feePayer: request.payer, instructions, lookupTables: assembly.tables });
  } catch (error) {
    // One of the wallets that the request names is a program.
    if (!(error instanceof MessageInvalid)) throw error;
    return { reason: `the swap makes no valid transaction: ${error.message}`, rank: 2, needs: 0 };
  }
  if (message.accounts + spare.accounts > most) return tooManyAccounts(most, message.accounts);
  const size = transactionSize(message.bytes, message.signers);
  return size + spare.bytes > MAX_TRANSACTION_BYTES ? tooManyBytes(size) : null;
}

/** The one that is nearer to a transaction that does. */
export function closestViolation(one: LimitViolation | null, other: LimitViolation): LimitViolation {
  if (one === null || one.rank > other.rank) return other;
  return one.rank < other.rank || one.needs <= other.needs ? one : other;
}

function tooManyAccounts(most: number, needs: number): LimitViolation {
  const reason = `no route needs ${most} accounts or fewer: the smallest that was found needs ${needs}; raise maxAccounts`;
  return { reason, rank: 1, needs };
}

function tooManyBytes(needs: number): LimitViolation {
  const found = `the smallest that was found makes one of ${needs} bytes`;
  const reason = `no route fits a transaction of ${MAX_TRANSACTION_BYTES} bytes: ${found}`;
  return { reason, rank: 0, needs };
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
