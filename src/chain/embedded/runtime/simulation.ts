import { ADDRESS_BYTES, type Address } from '../../../solana/address.ts';
import { computeCompactU16Size } from '../../../solana/encoding/compact-u16.ts';
import { SYSVAR_CLOCK } from '../../../solana/program-addresses.ts';
import { SIGNATURE_BYTES } from '../../../solana/messages/signature.ts';
import type { Account } from '../../accounts.ts';
import { hasValidNonce, findRefusalAt } from './admission.ts';
import { type SimulatedExecution, simulate } from './execute.ts';
import { listAllAddresses } from '../../records/landed-transaction.ts';
import { hashMessage, type IncomingTransaction } from '../ledger/incoming-transaction.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { loadedAddresses } from './loaded-addresses.ts';
import { toClusterError } from './loading-failures.ts';
import type { RecordedAddresses, SimulationOutcome, TransactionSimulation } from '../../records/records.ts';
import { writeAccount } from '../ledger/svm.ts';
import { listTokenBalances } from './token-balances.ts';
import type { TransactionError } from '../../records/transaction-error.ts';

export interface SimulationRequest {
  /** The slot as of whose end the simulation runs. The open slot means the current state. */
  readonly slot: bigint;
  readonly verifySignatures: boolean;
  readonly replaceBlockhash: boolean;
  readonly accounts: readonly Address[];
}

/** Sizes that the runtime adds to an account's data (SIMD-0186). */
const ACCOUNT_BASE_SIZE = 64;
const LOOKUP_TABLE_SIZE = 8_248;

/** Simulates a transaction. */
export function simulateTransaction(
  ledger: Ledger,
  asked: IncomingTransaction,
  request: SimulationRequest,
): TransactionSimulation {
  const { incoming, loaded, addresses, execution, accountAt } = simulated(ledger, asked, request, null);
  const paid = isFeeKnown(ledger, incoming, request.slot) ? incoming.fee.lamports : null;
  const accountAfter = afterwards(execution, incoming, paid, accountAt);
  const { error, logs, unitsConsumed, returnData, innerInstructions } = execution;
  return {
    error,
    logs,
    unitsConsumed,
    returnData,
    innerInstructions,
    loadedAccountsDataSize: loadedSize(incoming, addresses, accountAt),
    accounts: request.accounts.map((address) => (error === null ? accountAfter(address) : null)),
    fee: paid,
    loadedAddresses: loaded,
    preBalances: addresses.map((address) => accountAt(address)?.lamports ?? 0n),
    postBalances: addresses.map((address) => accountAfter(address)?.lamports ?? 0n),
    preTokenBalances: listTokenBalances(addresses, accountAt),
    postTokenBalances: listTokenBalances(addresses, accountAfter),
    replacementBlockhash: request.replaceBlockhash ? latestBlockhash(ledger, request.slot) : null,
  };
}

/** Simulates a transaction as `simulateTransaction` does, and computes only what the gateway reads of the result. */
export function simulateOutcome(
  ledger: Ledger,
  asked: IncomingTransaction,
  request: SimulationRequest,
): SimulationOutcome {
  const read = new Set([asked.feePayer, ...request.accounts]);
  const { incoming, execution, accountAt } = simulated(ledger, asked, request, read);
  const { error, logs, unitsConsumed, returnData } = execution;
  if (error !== null) return { error, logs, unitsConsumed, returnData, accounts: [], feePayer: null };
  const accountAfter = afterwards(execution, incoming, null, accountAt);
  const lamportsOf = (account: Account | null) => account?.lamports ?? 0n;
  const { feePayer } = incoming;
  return {
    error,
    logs,
    unitsConsumed,
    returnData,
    accounts: request.accounts.map(accountAfter),
    feePayer: { before: lamportsOf(accountAt(feePayer)), after: lamportsOf(accountAfter(feePayer)) },
  };
}

interface Simulated {
  readonly incoming: IncomingTransaction;
  readonly loaded: RecordedAddresses;
  /** All accounts of the transaction. */
  readonly addresses: readonly Address[];
  readonly execution: SimulatedExecution;
  readonly accountAt: (address: Address) => Account | null;
}

/** @param read - The accounts whose state after it is read; null for all, and the inner instructions. */
function simulated(
  ledger: Ledger,
  asked: IncomingTransaction,
  request: SimulationRequest,
  read: ReadonlySet<Address> | null,
): Simulated {
  const incoming = request.replaceBlockhash ? withLatestBlockhash(ledger, asked, request.slot) : asked;
  const accountAt = (address: Address) => ledger.accounts.getAt(address, request.slot);
  const loaded = loadedAddresses(incoming.message, accountAt) ?? { writable: [], readonly: [] };
  const addresses = listAllAddresses(incoming.message.staticAccounts, loaded);
  const execution = runAt(ledger, incoming, request, { addresses, read });
  return { incoming, loaded, addresses, execution, accountAt };
}

/** Checks signatures first, then the blockhash and duplicates, and then executes the programs. */
function runAt(
  ledger: Ledger,
  incoming: IncomingTransaction,
  request: SimulationRequest,
  { addresses, read }: { readonly addresses: readonly Address[]; readonly read: ReadonlySet<Address> | null },
): SimulatedExecution {
  const execution = withAccountsAt(ledger, request.slot, addresses, incoming, () =>
    simulate(ledger.svm, incoming.wire, request.verifySignatures, read),
  );
  if (execution.error === 'SignatureFailure') return execution;
  const refusal = findRefusalAt(ledger, incoming, request.slot);
  if (refusal !== null) return refused(refusal);
  if (execution.error === null) return execution;
  const accountAt = (address: Address) => ledger.accounts.getAt(address, request.slot);
  return { ...execution, error: toClusterError(execution.error, incoming.message, accountAt) };
}

function refused(error: TransactionError): SimulatedExecution {
  return { error, logs: [], innerInstructions: [], returnData: null, unitsConsumed: 0n, accounts: new Map() };
}

/**
 * Calls `run` while LiteSVM has the states at `slot` of the transaction's accounts. Programs keep their current
 * state, because replacing one back and forth would verify its code twice.
 */
function withAccountsAt<T>(
  ledger: Ledger,
  slot: bigint,
  addresses: readonly Address[],
  { message }: IncomingTransaction,
  run: () => T,
): T {
  if (slot >= ledger.blocks.open.slot) return run();
  const tables = message.lookups.map((lookup) => lookup.table);
  const replaced: Address[] = [];
  for (const address of new Set([...addresses, ...tables, SYSVAR_CLOCK])) {
    const now = ledger.accounts.get(address);
    const then = ledger.accounts.getAt(address, slot);
    if (now === then || now?.executable || then?.executable) continue;
    writeAccount(ledger.svm, address, then);
    replaced.push(address);
  }
  try {
    return run();
  } finally {
    for (const address of replaced) writeAccount(ledger.svm, address, ledger.accounts.get(address));
  }
}

/** Returns the state of an account after the simulation. When it failed, only the fee was paid. */
function afterwards(
  execution: SimulatedExecution,
  { feePayer }: IncomingTransaction,
  fee: bigint | null,
  accountAt: (address: Address) => Account | null,
): (address: Address) => Account | null {
  if (execution.error === null) {
    return (address) => {
      const account = execution.accounts.get(address);
      if (account === undefined) return accountAt(address);
      return account.lamports === 0n ? null : account;
    };
  }
  return (address) => {
    const account = accountAt(address);
    if (address !== feePayer || account === null || fee === null || account.lamports < fee) return account;
    return { ...account, lamports: account.lamports - fee };
  };
}

function isFeeKnown(ledger: Ledger, incoming: IncomingTransaction, slot: bigint): boolean {
  return (
    ledger.blocks.isHashValidAt(incoming.message.blockhash, slot) || hasValidNonce(ledger, incoming, slot)
  );
}

function loadedSize(
  { message }: IncomingTransaction,
  addresses: readonly Address[],
  accountAt: (address: Address) => Account | null,
): number {
  let size = message.lookups.length * LOOKUP_TABLE_SIZE;
  for (const address of addresses) {
    const account = accountAt(address);
    if (account !== null) size += ACCOUNT_BASE_SIZE + account.data.length;
  }
  return size;
}

function latestBlockhash(ledger: Ledger, slot: bigint) {
  const { blockhash } = ledger.blocks.latestHashAt(slot);
  return { blockhash, lastValidBlockHeight: ledger.blocks.lastValidHeight(blockhash) ?? 0n };
}

/** Returns the transaction with the newest blockhash of `slot`. Its signatures become invalid. */
function withLatestBlockhash(
  ledger: Ledger,
  incoming: IncomingTransaction,
  slot: bigint,
): IncomingTransaction {
  const { message } = incoming;
  const { hash, blockhash } = ledger.blocks.latestHashAt(slot);
  const wire = new Uint8Array(incoming.wire);
  const messageAt = computeCompactU16Size(message.signers) + message.signers * SIGNATURE_BYTES;
  const header = (message.version === 'legacy' ? 0 : 1) + 3;
  const statics = message.staticAccounts.length;
  wire.set(hash, messageAt + header + computeCompactU16Size(statics) + statics * ADDRESS_BYTES);
  const messageHash = hashMessage(wire.subarray(messageAt));
  return { ...incoming, wire, messageHash, message: { ...message, blockhash } };
}
