import type { Address } from '../../../solana/address.ts';
import { isWritableIndex } from '../../../solana/messages/message.ts';
import { BPF_LOADER_UPGRADEABLE } from '../../../solana/program-addresses.ts';
import type { Account, AccountUpdate } from '../../accounts.ts';
import { takeFee, takeWrites } from './account-writes.ts';
import { findRefusalAt } from './admission.ts';
import { type Execution, execute, simulate } from './execute.ts';
import { chargeFailedFee, chargeFee } from './fee-payer.ts';
import type { HistoryEntry } from '../blocks/history.ts';
import { listAllAddresses } from '../../records/landed-transaction.ts';
import { createHistoryEntry } from '../ledger/history-entry.ts';
import type { IncomingTransaction } from '../ledger/incoming-transaction.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { loadedAddresses } from './loaded-addresses.ts';
import { toClusterError } from './loading-failures.ts';
import { encodeRecord } from '../records/record-codec.ts';
import type { RecordedAddresses, TransactionRecord } from '../../records/records.ts';
import { isLoadable } from '../ledger/svm.ts';
import { listTokenBalances } from './token-balances.ts';
import type { TransactionError } from '../../records/transaction-error.ts';

export type ProcessedTransaction =
  /** Included in the open slot, successful or failed. */
  | {
      readonly kind: 'included';
      readonly record: TransactionRecord;
      readonly entry: HistoryEntry;
      readonly changes: readonly AccountUpdate[];
    }
  /** Not included, without any effect. */
  | { readonly kind: 'refused'; readonly error: TransactionError };

/**
 * Executes a transaction as number `index` of the open slot, and applies its effects to the ledger.
 *
 * @param injected - The error of an injected fault, with which it fails although it would succeed. Null for none.
 */
export function processTransaction(
  ledger: Ledger,
  incoming: IncomingTransaction,
  index: number,
  injected: TransactionError | null = null,
): ProcessedTransaction {
  const { slot, height } = ledger.blocks.open;
  const refusal = findRefusalAt(ledger, incoming, slot);
  if (refusal !== null) return { kind: 'refused', error: refusal };
  const loaded = loadedAddresses(incoming.message, ledger.accountAt);
  const addresses = listAllAddresses(
    incoming.message.staticAccounts,
    loaded ?? { writable: [], readonly: [] },
  );
  const writable = addresses.filter((_, index) => isWritableIndex(incoming.message, index));
  if (!leavesProgramsLoadable(ledger, incoming, addresses, writable)) {
    return { kind: 'refused', error: 'InvalidProgramForExecution' };
  }
  const failed = injected === null ? null : failedByFault(ledger, incoming, injected);
  const execution = failed ?? executed(ledger, incoming);
  const fee =
    execution.error === null || failed !== null
      ? incoming.fee.lamports
      : chargeFailedFee(ledger, incoming, execution.error);
  if (fee === null || loaded === null)
    return { kind: 'refused', error: execution.error ?? 'SanitizeFailure' };
  const before = readAccountBalances(ledger, addresses);
  const changes =
    execution.error === null
      ? takeWrites(ledger, incoming, { addresses, writable, inner: execution.innerInstructions })
      : takeFee(ledger, incoming);
  const after = readAccountBalances(ledger, addresses);
  const record = createTransactionRecord(ledger, incoming, { index, fee, loaded, execution, before, after });
  const entry = createHistoryEntry(record, incoming.message, encodeRecord(record));
  ledger.history.add(entry);
  const { signature, messageHash } = incoming;
  ledger.statuses.add({ signature, messageHash, slot, height, error: execution.error });
  ledger.priorityFees.add(incoming.fee.price, writable);
  return { kind: 'included', record, entry, changes };
}

function executed(ledger: Ledger, incoming: IncomingTransaction): Execution {
  const execution = execute(ledger.svm, incoming.wire);
  if (execution.error === null) return execution;
  return { ...execution, error: toClusterError(execution.error, incoming.message, ledger.accountAt) };
}

/** Charges the fee instead of executing. Returns null if the transaction would fail by itself, or could not pay. */
function failedByFault(
  ledger: Ledger,
  incoming: IncomingTransaction,
  error: TransactionError,
): Execution | null {
  const simulated = simulate(ledger.svm, incoming.wire, true);
  if (simulated.error !== null || !chargeFee(ledger, incoming)) return null;
  const { logs, unitsConsumed } = simulated;
  const line = 'Program log: failed by an injected fault';
  return { error, logs: [...logs, line], innerInstructions: [], returnData: null, unitsConsumed };
}

/**
 * Whether LiteSVM survives the transaction. It aborts the process when a transaction replaces a program's code account,
 * which requires the loader or a writable program. Such transactions are simulated first.
 */
function leavesProgramsLoadable(
  ledger: Ledger,
  incoming: IncomingTransaction,
  addresses: readonly Address[],
  writable: readonly Address[],
): boolean {
  const suspicious =
    addresses.includes(BPF_LOADER_UPGRADEABLE) ||
    writable.some((address) => ledger.accounts.get(address)?.executable === true);
  if (!suspicious) return true;
  const { accounts } = simulate(ledger.svm, incoming.wire, true);
  const accountAt = (address: Address) => existing(accounts.get(address)) ?? ledger.accounts.get(address);
  for (const account of accounts.values()) {
    if (account.executable && !isLoadable(account, accountAt)) return false;
  }
  return true;
}

function existing(account: Account | undefined): Account | null {
  return account === undefined || account.lamports === 0n ? null : account;
}

function readAccountBalances(ledger: Ledger, addresses: readonly Address[]) {
  return {
    lamports: addresses.map((address) => ledger.accountAt(address)?.lamports ?? 0n),
    tokens: listTokenBalances(addresses, ledger.accountAt),
  };
}

interface ProcessedOutcome {
  readonly index: number;
  readonly fee: bigint;
  readonly loaded: RecordedAddresses;
  readonly execution: Execution;
  readonly before: ReturnType<typeof readAccountBalances>;
  readonly after: ReturnType<typeof readAccountBalances>;
}

function createTransactionRecord(
  ledger: Ledger,
  incoming: IncomingTransaction,
  outcome: ProcessedOutcome,
): TransactionRecord {
  const { slot, time } = ledger.blocks.open;
  const { index, fee, loaded, execution, before, after } = outcome;
  return {
    signature: incoming.signature,
    slot,
    index,
    blockTime: time,
    wire: incoming.wire,
    version: incoming.message.version,
    fee,
    staticAddresses: incoming.message.staticAccounts,
    loadedAddresses: loaded,
    preBalances: before.lamports,
    postBalances: after.lamports,
    preTokenBalances: before.tokens,
    postTokenBalances: after.tokens,
    error: execution.error,
    logs: execution.logs,
    innerInstructions: execution.innerInstructions,
    returnData: execution.returnData,
    unitsConsumed: execution.unitsConsumed,
  };
}
