import { describeInterfaceAccount } from '../../../protocol/accounts/interface-accounts.ts';
import type { ProgramAccounts } from '../../../protocol/accounts/program-accounts.ts';
import { AGGREGATOR_INTERFACE } from './interface.ts';

/** The accounts of the aggregator. */
export const AGGREGATOR_PROGRAM_ACCOUNTS: ProgramAccounts = {
  program: AGGREGATOR_INTERFACE.address,
  types: [
    describeInterfaceAccount(AGGREGATOR_INTERFACE, 'TokenLedger', {
      name: 'Token ledger',
      summary:
        'It notes what a token account held, so that a later step of the transaction spends what came in.',
    }),
  ],
};
