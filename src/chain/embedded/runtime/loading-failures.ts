import type { Address } from '../../../solana/address.ts';
import type { Message } from '../../../solana/messages/message.ts';
import type { Account } from '../../accounts.ts';
import type { TransactionError } from '../../records/transaction-error.ts';

/** Errors with which a cluster includes a transaction and charges its fee, while LiteSVM does not include it. */
export const LOADING_FAILURES: ReadonlySet<TransactionError> = new Set([
  'ProgramAccountNotFound',
  'InvalidProgramForExecution',
  'MaxLoadedAccountsDataSizeExceeded',
]);

/** LiteSVM has one error for a missing program and for an account that is not a program. A cluster has two. */
export function toClusterError(
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
