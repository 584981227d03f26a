import type { Address } from '../../../solana/address.ts';
import type { LandedTokenBalance, LandedTransaction } from '../../chain.ts';
import { allAddresses } from './history-entry.ts';
import type { TokenBalance, TransactionRecord } from '../records/records.ts';

/** A record as the chain port gives it: addresses instead of indices. */
export function landedTransaction(record: Omit<TransactionRecord, 'index' | 'blockTime'>): LandedTransaction {
  const accounts = allAddresses(record.staticAddresses, record.loadedAddresses);
  const at = (index: number) => addressAt(accounts, index);
  const balance = ({ accountIndex, mint, owner, amount }: TokenBalance): LandedTokenBalance => ({
    account: at(accountIndex),
    mint,
    owner,
    amount,
  });
  const { signature, slot, error, fee, unitsConsumed, logs, preBalances, postBalances } = record;
  return {
    signature,
    slot,
    error,
    fee,
    unitsConsumed,
    logs,
    accounts,
    preBalances,
    postBalances,
    preTokenBalances: record.preTokenBalances.map(balance),
    postTokenBalances: record.postTokenBalances.map(balance),
    calls: record.innerInstructions.flatMap(({ index, instructions }) =>
      instructions.map(({ programIdIndex, accounts: indexes, data }) => ({
        instruction: index,
        call: { program: at(programIdIndex), accounts: Array.from(indexes, at), data },
      })),
    ),
  };
}

function addressAt(accounts: readonly Address[], index: number): Address {
  const address = accounts[index];
  if (address === undefined) throw new RangeError(`a record names account ${index} of ${accounts.length}`);
  return address;
}
