import { encodeBase58 } from '../../../../solana/encoding/base58.ts';
import type { Message } from '../../../../solana/messages/message.ts';
import { parseTransaction } from '../../../../solana/messages/transaction.ts';
import { VOTE_PROGRAM } from '../../../../solana/program-addresses.ts';
import type { TransactionRecord } from '../../../records/records.ts';
import type { TransactionEncoding } from '../calls/config.ts';
import { toBase64 } from '../encoding/base64.ts';
import { unsupportedTransactionVersion } from '../../../json-rpc/rpc-errors.ts';
import { encodeMessage, encodeParsedMessage } from './message.ts';
import { encodeInnerInstructions, encodeReturnData, encodeTokenBalances } from './meta.ts';

export interface RecordFormat {
  readonly encoding: TransactionEncoding;
  /** Null for a client that only supports legacy transactions. */
  readonly maxVersion: number | null;
}

/**
 * Returns the result of `getTransaction`.
 *
 * @throws RpcError -32015 for a version that the client does not support.
 */
export function encodeRecord(record: TransactionRecord, format: RecordFormat) {
  return {
    slot: record.slot,
    ...encodeTransactionWithMeta(record, format),
    blockTime: record.blockTime,
    transactionIndex: record.index,
  };
}

/** Returns a transaction in the form of blocks. Throws like `requireVersion`. */
export function encodeTransactionWithMeta(record: TransactionRecord, format: RecordFormat) {
  requireVersion(record, format);
  return {
    transaction: encodeTransaction(record, format.encoding),
    meta: encodeMeta(record, format.encoding === 'jsonParsed'),
    version: getShownVersion(record, format),
  };
}

/**
 * Checks the version of a transaction.
 *
 * @throws RpcError -32015 for a version that the client does not support.
 */
export function requireVersion({ version }: TransactionRecord, { maxVersion }: RecordFormat): void {
  if (version !== 'legacy' && (maxVersion === null || version > maxVersion)) {
    throw unsupportedTransactionVersion(version);
  }
}

/** Returns undefined for clients that only support legacy transactions. */
export function getShownVersion({ version }: TransactionRecord, { maxVersion }: RecordFormat) {
  return maxVersion === null ? undefined : version;
}

function encodeTransaction(record: TransactionRecord, encoding: TransactionEncoding) {
  const { wire } = record;
  if (encoding === 'binary') return encodeBase58(wire);
  if (encoding === 'base58') return [encodeBase58(wire), encoding];
  if (encoding === 'base64') return [toBase64(wire), encoding];
  const { signatures, message } = parseTransaction(wire);
  return {
    signatures: signatures.map(encodeBase58),
    message:
      encoding === 'json' ? encodeMessage(message) : encodeParsedMessage(message, record.loadedAddresses),
  };
}

/** The parsed form has no loaded addresses, because it lists them among the account keys. */
function encodeMeta(record: TransactionRecord, parsed: boolean) {
  const { error, loadedAddresses, staticAddresses } = record;
  const accounts = [...staticAddresses, ...loadedAddresses.writable, ...loadedAddresses.readonly];
  return {
    err: error,
    status: error === null ? { Ok: null } : { Err: error },
    fee: record.fee,
    preBalances: record.preBalances,
    postBalances: record.postBalances,
    innerInstructions: encodeInnerInstructions(record.innerInstructions, parsed ? accounts : null),
    logMessages: record.logs,
    preTokenBalances: encodeTokenBalances(record.preTokenBalances),
    postTokenBalances: encodeTokenBalances(record.postTokenBalances),
    rewards: [],
    loadedAddresses: parsed ? undefined : loadedAddresses,
    returnData: encodeReturnData(record.returnData) ?? undefined,
    computeUnitsConsumed: record.unitsConsumed,
  };
}

/** Whether the transaction is a simple vote, which logs subscriptions exclude by default. */
export function isSimpleVote({ staticAddresses, version, wire }: TransactionRecord): boolean {
  if (version !== 'legacy' || !staticAddresses.includes(VOTE_PROGRAM)) return false;
  const { instructions, staticAccounts }: Message = parseTransaction(wire).message;
  const [first] = instructions;
  return (
    instructions.length === 1 && first !== undefined && staticAccounts[first.programIndex] === VOTE_PROGRAM
  );
}
