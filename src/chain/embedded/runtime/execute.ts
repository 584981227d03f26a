import type * as litesvm from 'litesvm/dist/internal.js';
import { FailedTransactionMetadata } from 'litesvm/dist/internal.js';
import { type Address, toAddress } from '../../../solana/address.ts';
import type { Account } from '../../accounts.ts';
import type { InnerInstruction, InnerInstructions, ReturnData } from '../../records/records.ts';
import { toChainAccount, type Svm } from '../ledger/svm.ts';
import type { TransactionError } from '../../records/transaction-error.ts';
import { toTransactionError } from '../records/litesvm-error.ts';

const NO_INNER: readonly InnerInstructions[] = [];

/** The result of executing a transaction, without the accounts. */
export interface Execution {
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly innerInstructions: readonly InnerInstructions[];
  readonly returnData: ReturnData | null;
  readonly unitsConsumed: bigint;
}

/** The result of a simulation, with the states of writable accounts after it. Empty when it failed. */
export interface SimulatedExecution extends Execution {
  readonly accounts: ReadonlyMap<Address, Account>;
}

/**
 * Executes a transaction and keeps its effects. `wire` must have been checked by `parseTransaction`: LiteSVM aborts the
 * process on bytes that are not a transaction.
 */
export function execute(svm: Svm, wire: Uint8Array): Execution {
  return toExecution(svm.sendVersionedTransaction(wire));
}

/**
 * Executes a transaction and discards its effects. `wire` must have been checked as for `execute`.
 * @param read - The accounts to return, if only these and no inner instructions are read; null for everything, which takes
 *   longer, because each account and instruction is a call to LiteSVM.
 */
export function simulate(
  svm: Svm,
  wire: Uint8Array,
  verifySignatures: boolean,
  read: ReadonlySet<Address> | null = null,
): SimulatedExecution {
  svm.setSigverify(verifySignatures);
  try {
    const result = svm.simulateVersionedTransaction(wire);
    const failed = result instanceof FailedTransactionMetadata;
    const execution = toExecution(failed ? result : result.meta(), read === null);
    const accounts = new Map<Address, Account>();
    if (failed || read?.size === 0) return { ...execution, accounts };
    for (const entry of result.postAccounts()) {
      const address = toAddress(entry.address);
      if (read?.has(address) ?? true) accounts.set(address, toChainAccount(entry.account()));
    }
    return { ...execution, accounts };
  } finally {
    svm.setSigverify(true);
  }
}

function toExecution(
  result: litesvm.TransactionMetadata | litesvm.FailedTransactionMetadata,
  withInner = true,
): Execution {
  const failed = result instanceof FailedTransactionMetadata;
  const meta = failed ? result.meta() : result;
  const logs = meta.logs();
  return {
    error: failed ? toTransactionError(result.err()) : null,
    logs,
    innerInstructions: withInner && mayHaveInner(logs) ? toInnerInstructionGroups(meta) : NO_INNER,
    returnData: mayHaveReturnData(logs) ? findReturnData(meta) : null,
    unitsConsumed: meta.computeUnitsConsumed(),
  };
}

function toInnerInstructionGroups(meta: litesvm.TransactionMetadata): InnerInstructions[] {
  const groups: InnerInstructions[] = [];
  for (const [index, group] of meta.innerInstructions().entries()) {
    if (group.length > 0) groups.push({ index, instructions: group.map(toInnerInstruction) });
  }
  return groups;
}

function toInnerInstruction(inner: litesvm.InnerInstruction): InnerInstruction {
  const instruction = inner.instruction();
  return {
    programIdIndex: instruction.programIdIndex(),
    accounts: instruction.accounts(),
    data: instruction.data(),
    stackHeight: inner.stackHeight(),
  };
}

/** Programs log that they return data. Reading the log is cheaper than calling LiteSVM. */
function mayHaveReturnData(logs: readonly string[]): boolean {
  return logs.some((line) => line.startsWith('Program return: ') || line === 'Log truncated');
}

/** Calls between programs are logged with their depth. Reading the log is cheaper than calling LiteSVM. */
function mayHaveInner(logs: readonly string[]): boolean {
  return logs.some(
    (line) => (line.endsWith(']') && !line.endsWith(' invoke [1]')) || line === 'Log truncated',
  );
}

function findReturnData(meta: litesvm.TransactionMetadata): ReturnData | null {
  const returned = meta.returnData();
  const data = returned.data();
  return data.length === 0 ? null : { programId: toAddress(returned.programId()), data };
}
