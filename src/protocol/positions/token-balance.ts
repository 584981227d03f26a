import type { Account } from '../../chain/accounts.ts';
import { isTokenProgram } from '../../solana/program-addresses.ts';
import { isTokenAccount, readTokenAccountAmount } from '../../solana/programs/token/account.ts';

/** Returns the atoms in a token account of either token program; 0 for anything else. */
export function readTokenBalance(account: Account | null): bigint {
  if (account === null || !isTokenProgram(account.owner) || !isTokenAccount(account.data)) return 0n;
  return readTokenAccountAmount(account.data);
}
