import type { Address } from '../../solana/address.ts';
import type { Message } from '../../solana/messages/message.ts';
import type { ExecutedCall, ExecutedTransaction } from '../executed-transactions.ts';
import { getAddressAt, listAllAddresses, toLandedTokenBalances } from './landed-transaction.ts';
import type { TokenBalance, TransactionRecord } from './records.ts';

/** The part of a record that tells what the transaction did. */
export interface ExecutedRecord
  extends Pick<
    TransactionRecord,
    'signature' | 'slot' | 'index' | 'blockTime' | 'staticAddresses' | 'loadedAddresses' | 'innerInstructions'
  > {
  readonly preTokenBalances: () => readonly TokenBalance[];
  readonly postTokenBalances: () => readonly TokenBalance[];
}

type TokenBalances = Pick<TransactionRecord, 'preTokenBalances' | 'postTokenBalances'>;

/** Returns a record whose balances are decoded already in the form of one whose balances are decoded when they are read. */
export function deferBalances<Decoded extends TokenBalances>(record: Decoded) {
  const { preTokenBalances, postTokenBalances } = record;
  return {
    ...record,
    preTokenBalances: () => preTokenBalances,
    postTokenBalances: () => postTokenBalances,
  };
}

/**
 * Converts the record of a successful transaction to the form of the chain port, with calls as deep as they were.
 *
 * @param message - The message of the transaction.
 */
export function toExecutedTransaction(record: ExecutedRecord, message: Message): ExecutedTransaction {
  const { signature, slot, index, blockTime, staticAddresses, loadedAddresses } = record;
  const accounts = listAllAddresses(staticAddresses, loadedAddresses);
  const inner = new Map(record.innerInstructions.map((group) => [group.index, group.instructions]));
  const calls: ExecutedCall[] = [];
  for (const [place, { programIndex, accounts: indexes, data }] of message.instructions.entries()) {
    calls.push(createExecutedCall(accounts, programIndex, indexes, data, 1));
    for (const each of inner.get(place) ?? []) {
      calls.push(
        createExecutedCall(accounts, each.programIdIndex, each.accounts, each.data, each.stackHeight),
      );
    }
  }
  return {
    signature,
    slot,
    index,
    time: blockTime,
    signers: staticAddresses.slice(0, message.signers),
    calls,
    // Most trades can be told without the balances, so those are converted when they are read.
    preTokenBalances: () => toLandedTokenBalances(accounts, record.preTokenBalances()),
    postTokenBalances: () => toLandedTokenBalances(accounts, record.postTokenBalances()),
  };
}

function createExecutedCall(
  accounts: readonly Address[],
  program: number,
  indexes: Uint8Array,
  data: Uint8Array,
  depth: number,
): ExecutedCall {
  const named: Address[] = [];
  for (let at = 0; at < indexes.length; at++) named.push(getAddressAt(accounts, indexes[at] ?? 0));
  return { program: getAddressAt(accounts, program), accounts: named, data, depth };
}
