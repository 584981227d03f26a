import type { Protocol } from '../../protocol/protocol.ts';
import { jupiterLoans } from './fetcher.ts';
import { LOAN_ACCOUNTS } from './loan-account-types.ts';

/** Loans against JLP, by the program of Jupiter Perpetuals. */
export const jupiterLoansProtocol: Protocol = {
  name: 'jupiter-loans',
  fetchers: [jupiterLoans],
  accounts: [LOAN_ACCOUNTS],
};
