import { OperatorError } from '../../../common/operator-error.ts';
import { isTokenProgram, TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { parseTransaction, getTransactionSignature } from '../../../solana/messages/transaction.ts';
import { requireRecord } from '../../records/account-json.ts';
import { type SignatureStatus, type Simulation, COMMITMENTS } from '../../chain.ts';
import type { LandedTransaction } from '../../landed-transactions.ts';
import { toLandedTransaction } from '../../records/landed-transaction.ts';
import type { InnerInstructions, TokenBalance, TransactionRecord } from '../../records/records.ts';
import type { TransactionError } from '../../records/transaction-error.ts';
import { readAccount } from '../accounts/read-accounts.ts';
import {
  requireAddressText,
  requireBase58,
  requireBase64Pair,
  requireIndex,
  requireInContext,
  requireList,
  requireText,
  requireU64,
} from '../client/read-json.ts';
import { TransactionInvalid } from '../../../solana/messages/transaction-invalid.ts';

/**
 * The base58 data of longer calls, about 1,500 bytes, is left out, because decoding time grows with the square of the
 * length. The calls that a swap's amounts are read from are far shorter.
 */
const MAX_CALL_LENGTH = 2_048;

/**
 * Reads the result of `simulateTransaction`. Old nodes omit the compute units and the balances.
 *
 * @param wanted - The number of accounts that were requested.
 */
export function readSimulation(result: unknown, wanted = 0): Simulation {
  const { slot, value: json } = requireInContext(result);
  const value = requireRecord(json, 'result.value');
  const { err, logs, unitsConsumed, returnData } = value;
  const error = err ?? null;
  return {
    slot,
    feePayer: error === null ? readFeePayer(value.preBalances, value.postBalances) : null,
    error,
    accounts: error === null && wanted > 0 ? readAccountsAfter(value.accounts, wanted) : [],
    logs: requireList(logs, 'result.value.logs', requireText),
    unitsConsumed: requireU64(unitsConsumed ?? 0, 'result.value.unitsConsumed'),
    returnData: readReturnData(returnData),
  };
}

function readFeePayer(before: unknown, after: unknown): Simulation['feePayer'] {
  if (!Array.isArray(before) || !Array.isArray(after)) return null;
  return {
    before: requireU64(before[0], 'result.value.preBalances[0]'),
    after: requireU64(after[0], 'result.value.postBalances[0]'),
  };
}

function readAccountsAfter(json: unknown, wanted: number): Simulation['accounts'] {
  const accounts = requireList(json, 'result.value.accounts', readAccount);
  if (accounts.length === wanted) return accounts;
  throw new OperatorError(`result.value.accounts must have ${wanted} accounts, got ${accounts.length}`);
}

function readReturnData(json: unknown): Simulation['returnData'] {
  if (json === null || json === undefined) return null;
  const { programId, data } = requireRecord(json, 'returnData');
  return {
    programId: requireAddressText(programId, 'returnData.programId'),
    data: requireBase64Pair(data, 'returnData.data'),
  };
}

/** Reads the slot and height of the block that `getEpochInfo` reports. */
export function readFinalBlock(result: unknown): { readonly slot: bigint; readonly height: bigint } {
  const { absoluteSlot, blockHeight } = requireRecord(result, 'result');
  const slot = requireU64(absoluteSlot, 'result.absoluteSlot');
  const height = requireU64(blockHeight, 'result.blockHeight');
  if (height <= slot) return { slot, height };
  throw new OperatorError(`result.blockHeight must be at most the slot, ${slot}, got ${height}`);
}

/** Reads the result of `getSignatureStatuses` for `count` signatures. */
export function readStatuses(result: unknown, count: number): (SignatureStatus | null)[] {
  return readStatusesInContext(result, count).statuses;
}

/** Like `readStatuses`, and also returns the slot as of which the node answered. */
export function readStatusesInContext(
  result: unknown,
  count: number,
): { readonly slot: bigint; readonly statuses: (SignatureStatus | null)[] } {
  const { slot, value } = requireInContext(result);
  const statuses = requireList(value, 'result.value', readStatus);
  if (statuses.length === count) return { slot, statuses };
  throw new OperatorError(`result.value must have ${count} statuses, got ${statuses.length}`);
}

function readStatus(json: unknown, path: string): SignatureStatus | null {
  if (json === null) return null;
  const { slot, confirmationStatus, confirmations, err } = requireRecord(json, path);
  // Old nodes omit the commitment of statuses from their history. Rooted transactions have null confirmations.
  const rooted = confirmations === null ? 'finalized' : undefined;
  const commitment = COMMITMENTS.find((known) => known === (confirmationStatus ?? rooted));
  if (commitment === undefined) {
    throw new OperatorError(`${path}.confirmationStatus must be one of ${COMMITMENTS.join(', ')}`);
  }
  return { slot: requireU64(slot, `${path}.slot`), commitment, error: err ?? null };
}

/** Reads the result of `getTransaction` in base64. Returns null when the node does not have the transaction. */
export function readTransaction(result: unknown, signature: string): LandedTransaction | null {
  const record = readTransactionRecord(result, signature);
  return record === null ? null : toLandedTransaction(record);
}

/** A transaction as a node returns it. */
export type ReadRecord = Omit<TransactionRecord, 'index' | 'blockTime'> &
  Pick<LandedTransaction, 'blockTime'>;

/**
 * Reads the result of `getTransaction` in base64 with all calls. The depth of a call is 0 if the node omits it, as old nodes
 * do.
 */
export function readTransactionRecord(result: unknown, signature: string): ReadRecord | null {
  if (result === null) return null;
  const { slot, blockTime, transaction, meta } = requireRecord(result, 'result');
  const fields = requireRecord(meta, 'result.meta');
  const { staticAddresses, wire, version } = readWire(transaction, signature);
  const loadedAddresses = readLoaded(fields.loadedAddresses);
  const accounts = staticAddresses.length + loadedAddresses.writable.length + loadedAddresses.readonly.length;
  return {
    signature,
    slot: requireU64(slot, 'result.slot'),
    blockTime:
      blockTime === null || blockTime === undefined ? null : requireU64(blockTime, 'result.blockTime'),
    wire,
    version,
    staticAddresses,
    loadedAddresses,
    error: (fields.err ?? null) as TransactionError | null,
    fee: requireU64(fields.fee, 'meta.fee'),
    preBalances: readBalances(fields.preBalances, 'meta.preBalances', accounts),
    postBalances: readBalances(fields.postBalances, 'meta.postBalances', accounts),
    preTokenBalances: readTokenBalances(fields.preTokenBalances, 'meta.preTokenBalances', accounts),
    postTokenBalances: readTokenBalances(fields.postTokenBalances, 'meta.postTokenBalances', accounts),
    innerInstructions: requireList(fields.innerInstructions, 'meta.innerInstructions', (group, path) =>
      readInner(group, path, accounts),
    ),
    logs: requireList(fields.logMessages, 'meta.logMessages', requireText),
    returnData: readReturnData(fields.returnData),
    unitsConsumed: requireU64(fields.computeUnitsConsumed ?? 0, 'meta.computeUnitsConsumed'),
  };
}

function readWire(json: unknown, signature: string) {
  const wire = requireBase64Pair(json, 'result.transaction');
  try {
    const parsed = parseTransaction(wire);
    const { message } = parsed;
    const found = getTransactionSignature(parsed);
    if (found !== signature) {
      throw new OperatorError(`result.transaction must be the one with signature ${signature}, got ${found}`);
    }
    return { wire, version: message.version, staticAddresses: message.staticAccounts };
  } catch (error) {
    if (!(error instanceof TransactionInvalid)) throw error;
    throw new OperatorError(`result.transaction is no transaction: ${error.message}`);
  }
}

function readLoaded(json: unknown) {
  if (json === null || json === undefined) return { writable: [], readonly: [] };
  const { writable, readonly } = requireRecord(json, 'meta.loadedAddresses');
  return {
    writable: requireList(writable, 'meta.loadedAddresses.writable', requireAddressText),
    readonly: requireList(readonly, 'meta.loadedAddresses.readonly', requireAddressText),
  };
}

function readBalances(json: unknown, path: string, accounts: number): bigint[] {
  const balances = requireList(json, path, requireU64);
  if (balances.length === accounts) return balances;
  throw new OperatorError(`${path} must have one entry for each of ${accounts} accounts`);
}

function readTokenBalances(json: unknown, path: string, accounts: number): TokenBalance[] {
  return requireList(json, path, (element, at) => {
    const { accountIndex, mint, owner, programId, uiTokenAmount } = requireRecord(element, at);
    const { amount, decimals } = requireRecord(uiTokenAmount, `${at}.uiTokenAmount`);
    // Nodes did not record the program before Token-2022 existed.
    const tokenProgram = requireAddressText(programId ?? TOKEN_PROGRAM, `${at}.programId`);
    if (!isTokenProgram(tokenProgram)) throw new OperatorError(`${at}.programId is no token program`);
    return {
      accountIndex: within(requireIndex(accountIndex, `${at}.accountIndex`), accounts, at),
      mint: requireAddressText(mint, `${at}.mint`),
      owner: requireAddressText(owner, `${at}.owner`),
      tokenProgram,
      amount: requireU64(amount, `${at}.uiTokenAmount.amount`),
      decimals: requireIndex(decimals, `${at}.uiTokenAmount.decimals`),
    };
  });
}

function readInner(json: unknown, path: string, accounts: number): InnerInstructions {
  const { index, instructions } = requireRecord(json, path);
  return {
    index: requireIndex(index, `${path}.index`),
    instructions: requireList(instructions, `${path}.instructions`, (element, at) => {
      const { programIdIndex, accounts: indexes, data, stackHeight } = requireRecord(element, at);
      const text = requireText(data, `${at}.data`);
      const named = requireList(indexes, `${at}.accounts`, requireIndex);
      return {
        programIdIndex: within(requireIndex(programIdIndex, `${at}.programIdIndex`), accounts, at),
        accounts: Uint8Array.from(named, (each) => within(each, accounts, at)),
        data: text.length > MAX_CALL_LENGTH ? new Uint8Array() : requireBase58(text, `${at}.data`),
        stackHeight: requireIndex(stackHeight ?? 0, `${at}.stackHeight`),
      };
    }),
  };
}

function within(index: number, accounts: number, path: string): number {
  if (index < accounts) return index;
  throw new OperatorError(`${path} names account ${index} of ${accounts}`);
}
