import type { ProgramAccounts } from '../../protocol/accounts/program-accounts.ts';
import { PERPETUALS_PROGRAM } from '../jupiter-perpetuals/layout.ts';
import { decodeLoan } from './layout.ts';

/** The loans against the token of the perpetuals' pool, which that program keeps. */
export const LOAN_ACCOUNTS: ProgramAccounts = {
  program: PERPETUALS_PROGRAM,
  types: [
    {
      name: 'Loan',
      summary:
        'A loan of a token of the pool, which shares of the pool secure. The debt is in thousandths of an atom.',
      read: decodeLoan,
      fields: { collateral: { decimals: 6, symbol: 'JLP' } },
    },
  ],
};
