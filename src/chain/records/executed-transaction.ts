import type { Address } from '../../solana/address.ts';
import { parseTransaction } from '../../solana/messages/transaction.ts';
import type { ExecutedCall, ExecutedTransaction } from '../executed-transactions.ts';
import { addressAt, allAddresses, landedTokenBalances } from './landed-transaction.ts';
import type { TransactionRecord } from './records.ts';

/** Converts the record of a successful transaction to the form of the chain port, with calls as deep as they were. */
export function executedTransaction(record: TransactionRecord): ExecutedTransaction {
  const { signature, slot, index, blockTime, staticAddresses, loadedAddresses } = record;
  const accounts = allAddresses(staticAddresses, loadedAddresses);
  const { message } = parseTransaction(record.wire);
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
