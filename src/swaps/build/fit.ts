import type { Address } from '../../solana/address.ts';
import { type MessageMeasure, measureMessage } from '../../solana/messages/compile-message.ts';
import {
  MAX_COMPUTE_UNITS,
  setComputeUnitLimit,
  setComputeUnitPrice,
} from '../../solana/programs/compute-budget.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { MAX_ACCOUNTS } from '../../solana/messages/message-accounts.ts';
import { MAX_TRANSACTION_BYTES, computeTransactionSize } from '../../solana/messages/transaction.ts';
import { listCleanupInstructions, listGuards } from './around-swap.ts';
import type { Assembly } from './assembly.ts';
import type { SwapTerms } from './swap-terms.ts';
import { TransactionInvalid } from '../../solana/messages/transaction-invalid.ts';

/** Compute-budget instructions that the caller adds or replaces. Their values do not change the size. */
const BUDGET = [setComputeUnitLimit(MAX_COMPUTE_UNITS), setComputeUnitPrice(0n)];

/** Why the transaction of an assembly would be invalid. */
export interface LimitViolation {
  /** A sentence for the client. */
  readonly reason: string;
  /**
   * The kind of limit, to find which of several violations is closest to fitting: bytes before accounts before
   * `maxAccounts` before anything else.
   */
  readonly rank: 0 | 1 | 2 | 3;
  /** Compares violations of the same rank: the lower, the closer. */
  readonly needs: number;
}

/** Space that is left free in a transaction for what its caller may add. */
export interface Headroom {
  readonly accounts: number;
  readonly bytes: number;
}

export const NO_HEADROOM: Headroom = { accounts: 0, bytes: 0 };

/** @returns null when the transaction fits with `spare` left free */
export function findLimitViolation(
  assembly: Assembly,
  request: SwapTerms,
  spare = NO_HEADROOM,
): LimitViolation | null {
  if (assembly.innerAccounts > request.maxAccounts) return createMaxAccountsViolation(request, assembly);
  const instructions = listTransactionInstructions(assembly);
  const accounts = countWhereMany(request.payer, instructions);
  if (accounts + spare.accounts > MAX_ACCOUNTS) return createAccountsViolation(accounts);
  let message: MessageMeasure;
  try {
    message = measureMessage({ feePayer: request.payer, instructions, lookupTables: assembly.tables });
  } catch (error) {
    // One of the wallets in the request is a program.
    if (!(error instanceof TransactionInvalid)) throw error;
    return { reason: `the swap makes no valid transaction: ${error.message}`, rank: 3, needs: 0 };
  }
  if (message.accounts + spare.accounts > MAX_ACCOUNTS) return createAccountsViolation(message.accounts);
  const size = computeTransactionSize(message.bytes, message.signers);
  return size + spare.bytes > MAX_TRANSACTION_BYTES ? createBytesViolation(size) : null;
}

/** @returns the violation that is closer to fitting */
export function getClosestViolation(one: LimitViolation | null, other: LimitViolation): LimitViolation {
  if (one === null || one.rank > other.rank) return other;
  return one.rank < other.rank || one.needs <= other.needs ? one : other;
}

function createMaxAccountsViolation(
  { maxAccounts }: SwapTerms,
  { innerAccounts: needs }: Assembly,
): LimitViolation {
  const reason = `no route needs ${maxAccounts} accounts or fewer: the smallest that was found needs ${needs}; raise maxAccounts`;
  return { reason, rank: 2, needs };
}

function createAccountsViolation(needs: number): LimitViolation {
  const found = `the smallest that was found makes one of ${needs}`;
  const reason = `no route fits a transaction of ${MAX_ACCOUNTS} accounts: ${found}`;
  return { reason, rank: 1, needs };
}

function createBytesViolation(needs: number): LimitViolation {
  const found = `the smallest that was found makes one of ${needs} bytes`;
  const reason = `no route fits a transaction of ${MAX_TRANSACTION_BYTES} bytes: ${found}`;
  return { reason, rank: 0, needs };
}

/** All instructions that the answer may have, and the compute-unit limit that the caller adds. */
function listTransactionInstructions(assembly: Assembly): Instruction[] {
  const { setup, swap, creations, tip } = assembly;
  const created = new Set(creations.map(({ account }) => account));
  const before = [...BUDGET, ...setup, ...listGuards(assembly, created)];
  const instructions = [...before, swap, ...listCleanupInstructions(assembly, created)];
  if (tip !== null) instructions.push(tip);
  return instructions;
}

/**
 * Counts the accounts only if there may be more than a message can name; otherwise returns 0, because measuring the
 * message counts them too.
 */
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
