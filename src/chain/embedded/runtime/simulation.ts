import { ADDRESS_BYTES, type Address } from '../../../solana/address.ts';
import { compactU16Size } from '../../../solana/encoding/compact-u16.ts';
import { SYSVAR_CLOCK } from '../../../solana/program-addresses.ts';
import { encodeTransaction, parseTransaction } from '../../../solana/messages/transaction.ts';
import type { Account } from '../../chain.ts';
import { hasValidNonce, refusalAt } from './admission.ts';
import { type SimulatedExecution, simulate } from './execute.ts';
import { allAddresses } from '../ledger/history-entry.ts';
import { type Incoming, parseIncoming } from '../ledger/incoming.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { loadedAddresses } from './loaded-addresses.ts';
import { asOnCluster } from './loading-failures.ts';
import type { TransactionSimulation } from '../records/records.ts';
import { writeAccount } from '../ledger/svm.ts';
import { tokenBalances } from './token-balances.ts';
import type { TransactionError } from '../records/transaction-error.ts';

export interface SimulationRequest {
  /** As of the end of which slot; the open one is as things stand now. */
  readonly slot: bigint;
  readonly verifySignatures: boolean;
  readonly replaceBlockhash: boolean;
  readonly accounts: readonly Address[];
}

/** Sizes that the runtime counts (SIMD-0186) besides an account's data. */
const ACCOUNT_BASE_SIZE = 64;
const LOOKUP_TABLE_SIZE = 8_248;

/** Runs a transaction without effect. */
export function simulateTransaction(
  ledger: Ledger,
  asked: Incoming,
  request: SimulationRequest,
): TransactionSimulation {
  const incoming = request.replaceBlockhash ? withLatestBlockhash(ledger, asked, request.slot) : asked;
  const accountAt = (address: Address) => ledger.accounts.getAt(address, request.slot);
  const loaded = loadedAddresses(incoming.message, accountAt) ?? { writable: [], readonly: [] };
  const addresses = allAddresses(incoming.message.staticAccounts, loaded);
  const execution = runAt(ledger, incoming, request, addresses);
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
    preTokenBalances: tokenBalances(addresses, accountAt),
    postTokenBalances: tokenBalances(addresses, accountAfter),
    replacementBlockhash: request.replaceBlockhash ? latestBlockhash(ledger, request.slot) : null,
  };
}

/** A bad signature goes first, then what the blockhash or an earlier run forbids, then what the programs say. */
function runAt(
  ledger: Ledger,
  incoming: Incoming,
  request: SimulationRequest,
  addresses: readonly Address[],
): SimulatedExecution {
  const execution = withAccountsAt(ledger, request.slot, addresses, incoming, () =>
    simulate(ledger.svm, incoming.wire, request.verifySignatures),
  );
  if (execution.error === 'SignatureFailure') return execution;
  const refusal = refusalAt(ledger, incoming, request.slot);
  if (refusal !== null) return refused(refusal);
  if (execution.error === null) return execution;
  const accountAt = (address: Address) => ledger.accounts.getAt(address, request.slot);
  return { ...execution, error: asOnCluster(execution.error, incoming.message, accountAt) };
}

function refused(error: TransactionError): SimulatedExecution {
  return { error, logs: [], innerInstructions: [], returnData: null, unitsConsumed: 0n, accounts: new Map() };
}

/**
 * Runs `run` while LiteSVM holds the accounts that the transaction names as they were at `slot`. Programs stay as they
 * are now: taking one back and forth would verify its code twice.
 */
function withAccountsAt<T>(
  ledger: Ledger,
  slot: bigint,
  addresses: readonly Address[],
  { message }: Incoming,
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

/** What an account is after the simulation; when that failed, only the fee is gone. */
function afterwards(
  execution: SimulatedExecution,
  { feePayer }: Incoming,
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

function isFeeKnown(ledger: Ledger, incoming: Incoming, slot: bigint): boolean {
  return (
    ledger.blocks.isHashValidAt(incoming.message.blockhash, slot) || hasValidNonce(ledger, incoming, slot)
  );
}

function loadedSize(
  { message }: Incoming,
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

/** The same transaction with the newest blockhash of `slot`; its signatures no longer fit. */
function withLatestBlockhash(ledger: Ledger, incoming: Incoming, slot: bigint): Incoming {
  const { signatures, messageBytes, message } = parseTransaction(incoming.wire);
  const replaced = new Uint8Array(messageBytes);
  const header = (message.version === 'legacy' ? 0 : 1) + 3;
  const statics = message.staticAccounts.length;
  replaced.set(
    ledger.blocks.latestHashAt(slot).hash,
    header + compactU16Size(statics) + statics * ADDRESS_BYTES,
  );
  return parseIncoming(encodeTransaction(signatures, replaced));
}
