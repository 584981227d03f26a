import type { ProgramAccounts } from '../../protocol/accounts/program-accounts.ts';
import { decodeSaber, isSaberData } from './layout.ts';
import { SABER_PROGRAM } from './program.ts';

/** The accounts of Saber's stable swap. */
export const SABER_ACCOUNTS: ProgramAccounts = {
  program: SABER_PROGRAM,
  types: [
    {
      name: 'Liquidity pool',
      summary: 'A pool of two tokens of nearly the same value.',
      read: (data) => (isSaberData(data) ? decodeSaber(data) : null),
      fields: { start: 'time', stop: 'time', futureAdminDeadline: 'time' },
    },
  ],
};
