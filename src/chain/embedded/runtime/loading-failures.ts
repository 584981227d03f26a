import type { Address } from '../../../solana/address.ts';
import type { Message } from '../../../solana/messages/message.ts';
import type { Account } from '../../chain.ts';
import type { TransactionError } from '../records/transaction-error.ts';

/** A cluster includes transactions that fail so, and charges their fee; LiteSVM leaves them out. */
export const LOADING_FAILURES: ReadonlySet<TransactionError> = new Set([
  'ProgramAccountNotFound',
  'InvalidProgramForExecution',
  'MaxLoadedAccountsDataSizeExceeded',
]);

/** LiteSVM has one word for a program that is no program and for one that does not exist; a cluster has two. */
export function asOnCluster(
  error: TransactionError,
  { instructions, staticAccounts }: Message,
  accountAt: (address: Address) => Account | null,
): TransactionError {
  if (error !== 'InvalidProgramForExecution') return error;
  for (const { programIndex } of instructions) {
    const program = staticAccounts[programIndex];
    const account = program === undefined ? null : accountAt(program);
    if (account === null) return 'ProgramAccountNotFound';
    if (!account.executable) return error;
  }
  return error;
}
