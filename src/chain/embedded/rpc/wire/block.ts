import { encodeBase58 } from '../../../../solana/encoding/base58.ts';
import { listMessageAccounts } from '../../../../solana/messages/message.ts';
import { parseTransaction } from '../../../../solana/messages/transaction.ts';
import { SYSTEM_PROGRAM } from '../../../../solana/program-addresses.ts';
import type { BlockRecord, TransactionRecord } from '../../../records/records.ts';
import { createEnumReader } from '../calls/params.ts';
import { encodeAccountKeys } from './message.ts';
import { encodeTokenBalances } from './meta.ts';
import { encodeTransactionWithMeta, type RecordFormat, requireVersion, getShownVersion } from './record.ts';

const DETAILS = ['full', 'accounts', 'signatures', 'none'] as const;
export type TransactionDetails = (typeof DETAILS)[number];
export const readTransactionDetails = createEnumReader(DETAILS);

export interface BlockFormat extends RecordFormat {
  readonly details: TransactionDetails;
  readonly rewards: boolean;
}

/** The maximum stored size of the transactions in one answer. Their text takes several times as much. */
export const MAX_BLOCK_BYTES = 8 * 1024 * 1024;

/** The blockhash of a parent that is no longer kept, as on a cluster. */
const NO_BLOCKHASH = SYSTEM_PROGRAM;

/**
 * Returns the result of `getBlock`.
 *
 * @throws RpcError -32015 for a transaction version that the client does not support.
 */
export function encodeBlock(block: BlockRecord, format: BlockFormat) {
  return {
    blockhash: block.blockhash,
    previousBlockhash: block.previousBlockhash ?? NO_BLOCKHASH,
    parentSlot: block.parent,
    ...encodeTransactions(block, format),
    // Fees are burned, so there are no rewards.
    rewards: format.rewards ? [] : undefined,
    blockTime: block.time,
    blockHeight: block.height,
  };
}

function encodeTransactions({ transactions }: BlockRecord, format: BlockFormat) {
  switch (format.details) {
    case 'none':
      return {};
    case 'signatures':
      return { signatures: transactions.map(({ signature }) => signature) };
    case 'accounts':
      return { transactions: transactions.map((each) => encodeAccounts(each.record(), format)) };
    case 'full':
      return { transactions: transactions.map((each) => encodeTransactionWithMeta(each.record(), format)) };
  }
}

/** Encodes the accounts of a transaction and the changes of their balances. */
function encodeAccounts(record: TransactionRecord, format: BlockFormat) {
  requireVersion(record, format);
  const { signatures, message } = parseTransaction(record.wire);
  return {
    transaction: {
      signatures: signatures.map(encodeBase58),
      accountKeys: encodeAccountKeys(message, listMessageAccounts(message, record.loadedAddresses)),
    },
    meta: {
      err: record.error,
      status: record.error === null ? { Ok: null } : { Err: record.error },
      fee: record.fee,
      preBalances: record.preBalances,
      postBalances: record.postBalances,
      preTokenBalances: encodeTokenBalances(record.preTokenBalances),
      postTokenBalances: encodeTokenBalances(record.postTokenBalances),
    },
    version: getShownVersion(record, format),
  };
}
