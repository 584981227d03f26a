import type { Protocol } from '../../protocol/protocol.ts';
import { jupiterLoans } from './fetcher.ts';

/** Loans against JLP, by the program of Jupiter Perpetuals. */
export const jupiterLoansProtocol: Protocol = {
  name: 'jupiter-loans',
  fetchers: [jupiterLoans],
};
