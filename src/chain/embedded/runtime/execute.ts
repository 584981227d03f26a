import type * as litesvm from 'litesvm/dist/internal.js';
import { FailedTransactionMetadata } from 'litesvm/dist/internal.js';
import { type Address, addressFromBytes } from '../../../solana/address.ts';
import type { Account } from '../../chain.ts';
import type { InnerInstruction, InnerInstructions, ReturnData } from '../records/records.ts';
import { accountOf, type Svm } from '../ledger/svm.ts';
import { type TransactionError, transactionErrorOf } from '../records/transaction-error.ts';

const NO_INNER: readonly InnerInstructions[] = [];

/** What running a transaction brought about, apart from the accounts. */
export interface Execution {
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly innerInstructions: readonly InnerInstructions[];
  readonly returnData: ReturnData | null;
  readonly unitsConsumed: bigint;
}

/** What a simulation would have left in the accounts that the transaction can write; empty when it failed. */
export interface SimulatedExecution extends Execution {
  readonly accounts: ReadonlyMap<Address, Account>;
}

/**
 * Runs a transaction and keeps what it did. `wire` must have been checked by `parseTransaction`: LiteSVM aborts the
 * process on bytes that are not a transaction.
 */
export function execute(svm: Svm, wire: Uint8Array): Execution {
  return executionOf(svm.sendVersionedTransaction(wire));
}

/** Runs a transaction and forgets what it did. The same holds for `wire`. */
export function simulate(svm: Svm, wire: Uint8Array, verifySignatures: boolean): SimulatedExecution {
  svm.setSigverify(verifySignatures);
  try {
    const result = svm.simulateVersionedTransaction(wire);
    if (result instanceof FailedTransactionMetadata) return { ...executionOf(result), accounts: new Map() };
    const accounts = result
      .postAccounts()
      .map((entry) => [addressFromBytes(entry.address), accountOf(entry.account())] as const);
    return { ...executionOf(result.meta()), accounts: new Map(accounts) };
  } finally {
    svm.setSigverify(true);
  }
}

function executionOf(result: litesvm.TransactionMetadata | litesvm.FailedTransactionMetadata): Execution {
  const failed = result instanceof FailedTransactionMetadata;
  const meta = failed ? result.meta() : result;
  const logs = meta.logs();
  return {
    error: failed ? transactionErrorOf(result.err()) : null,
    logs,
    innerInstructions: mayHaveInner(logs) ? innerInstructionsOf(meta) : NO_INNER,
    returnData: mayHaveReturnData(logs) ? returnDataOf(meta) : null,
    unitsConsumed: meta.computeUnitsConsumed(),
  };
}

function innerInstructionsOf(meta: litesvm.TransactionMetadata): InnerInstructions[] {
  const groups: InnerInstructions[] = [];
  for (const [index, group] of meta.innerInstructions().entries()) {
    if (group.length > 0) groups.push({ index, instructions: group.map(innerInstructionOf) });
  }
  return groups;
}

function innerInstructionOf(inner: litesvm.InnerInstruction): InnerInstruction {
  const instruction = inner.instruction();
  return {
    programIdIndex: instruction.programIdIndex(),
    accounts: instruction.accounts(),
    data: instruction.data(),
    stackHeight: inner.stackHeight(),
  };
}

/** A program that returns data is logged as doing so; asking LiteSVM costs more than looking at the log. */
function mayHaveReturnData(logs: readonly string[]): boolean {
  return logs.some((line) => line.startsWith('Program return: ') || line === 'Log truncated');
}

/** A program that is called by another is logged with its depth; here too, looking at the log costs less. */
function mayHaveInner(logs: readonly string[]): boolean {
  return logs.some(
    (line) => (line.endsWith(']') && !line.endsWith(' invoke [1]')) || line === 'Log truncated',
  );
}

function returnDataOf(meta: litesvm.TransactionMetadata): ReturnData | null {
  const returned = meta.returnData();
  const data = returned.data();
  return data.length === 0 ? null : { programId: addressFromBytes(returned.programId()), data };
}
