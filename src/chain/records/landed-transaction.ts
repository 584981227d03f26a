import type { Address } from '../../solana/address.ts';
import { parseTransaction } from '../../solana/messages/transaction.ts';
import type { LandedTokenBalance, LandedTransaction } from '../landed-transactions.ts';
import type { RecordedAddresses, TokenBalance, TransactionRecord } from './records.ts';

/** Converts a record to the form of the chain port, with addresses instead of indexes. */
export function toLandedTransaction(
  record: Omit<TransactionRecord, 'index' | 'blockTime'> & Pick<LandedTransaction, 'blockTime'>,
): LandedTransaction {
  const accounts = listAllAddresses(record.staticAddresses, record.loadedAddresses);
  const at = (index: number) => getAddressAt(accounts, index);
  const { signature, slot, wire, blockTime, error, fee, unitsConsumed, logs } = record;
  const { preBalances, postBalances } = record;
  return {
    signature,
    slot,
    wire,
    blockTime,
    error,
    fee,
    unitsConsumed,
    logs,
    accounts,
    preBalances,
    postBalances,
    preTokenBalances: toLandedTokenBalances(accounts, record.preTokenBalances),
    postTokenBalances: toLandedTokenBalances(accounts, record.postTokenBalances),
    instructions: parseTransaction(wire).message.instructions.map(
      ({ programIndex, accounts: indexes, data }) => ({
        program: at(programIndex),
        accounts: Array.from(indexes, at),
        data,
      }),
    ),
    calls: record.innerInstructions.flatMap(({ index, instructions }) =>
      instructions.map(({ programIdIndex, accounts: indexes, data, stackHeight }) => ({
        instruction: index,
        depth: stackHeight,
        call: { program: at(programIdIndex), accounts: Array.from(indexes, at), data },
      })),
    ),
  };
}

/** Converts token balances to the form of the chain port. */
export function toLandedTokenBalances(
  accounts: readonly Address[],
  balances: readonly TokenBalance[],
): readonly LandedTokenBalance[] {
  return balances.map(({ accountIndex, mint, owner, amount }) => ({
    account: getAddressAt(accounts, accountIndex),
    mint,
    owner,
    amount,
  }));
}

/** @throws RangeError for an index beyond the accounts, which no valid record has. */
export function getAddressAt(accounts: readonly Address[], index: number): Address {
  const address = accounts[index];
  if (address === undefined) throw new RangeError(`a record names account ${index} of ${accounts.length}`);
  return address;
}

/** Returns all addresses in the order of account indexes: static, loaded writable, loaded readonly. */
export function listAllAddresses(statics: readonly Address[], loaded: RecordedAddresses): readonly Address[] {
  if (loaded.writable.length === 0 && loaded.readonly.length === 0) return statics;
  return [...statics, ...loaded.writable, ...loaded.readonly];
}
