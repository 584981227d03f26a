import type { Address } from '../../solana/address.ts';
import type { Message } from '../../solana/messages/message.ts';
import type { ExecutedCall, ExecutedTransaction } from '../executed-transactions.ts';
import { addressAt, allAddresses, landedTokenBalances } from './landed-transaction.ts';
import type { TransactionRecord } from './records.ts';

/** The part of a record that tells what the transaction did. */
export type ExecutedRecord = Pick<
  TransactionRecord,
  | 'signature'
  | 'slot'
  | 'index'
  | 'blockTime'
  | 'staticAddresses'
  | 'loadedAddresses'
  | 'innerInstructions'
  | 'preTokenBalances'
  | 'postTokenBalances'
>;

/**
 * Converts the record of a successful transaction to the form of the chain port, with calls as deep as they were.
 *
 * @param message - The message of the transaction.
 */
export function executedTransaction(record: ExecutedRecord, message: Message): ExecutedTransaction {
  const { signature, slot, index, blockTime, staticAddresses, loadedAddresses } = record;
  const accounts = allAddresses(staticAddresses, loadedAddresses);
  const inner = new Map(record.innerInstructions.map((group) => [group.index, group.instructions]));
  const calls: ExecutedCall[] = [];
  for (const [place, { programIndex, accounts: indexes, data }] of message.instructions.entries()) {
    calls.push(callOf(accounts, programIndex, indexes, data, 1));
    for (const each of inner.get(place) ?? []) {
      calls.push(callOf(accounts, each.programIdIndex, each.accounts, each.data, each.stackHeight));
    }
  }
  return {
    signature,
    slot,
    index,
    time: blockTime,
    signers: staticAddresses.slice(0, message.signers),
    calls,
    preTokenBalances: landedTokenBalances(accounts, record.preTokenBalances),
    postTokenBalances: landedTokenBalances(accounts, record.postTokenBalances),
  };
}

function callOf(
  accounts: readonly Address[],
  program: number,
  indexes: Iterable<number>,
  data: Uint8Array,
  depth: number,
): ExecutedCall {
  return {
    program: addressAt(accounts, program),
    accounts: Array.from(indexes, (index) => addressAt(accounts, index)),
    data,
    depth,
  };
}
