import type { Protocol } from '../../protocol/protocol.ts';
import { ANCHOR_FIRST_ERROR } from '../../protocol/venue/venue.ts';
import { SMART_ACCOUNT_ERRORS } from './errors.ts';
import { addSmartAccountConfig } from './genesis.ts';
import { SMART_ACCOUNT_PROGRAM } from '../../solana/programs/smart-account/program.ts';
import { SMART_ACCOUNTS } from './smart-account-types.ts';

/** Wallets that several signers move together. The program's codecs are in `src/solana`, because swaps are wrapped with them. */
export const squadsSmartAccountProtocol: Protocol = {
  name: 'squads-smart-account',
  programs: [{ name: 'squads-smart-account', address: SMART_ACCOUNT_PROGRAM, loadsAfterAggregator: true }],
  genesis: { addLastAccounts: addSmartAccountConfig },
  errors: [{ program: SMART_ACCOUNT_PROGRAM, names: SMART_ACCOUNT_ERRORS, firstCode: ANCHOR_FIRST_ERROR }],
  instructions: [
    {
      program: SMART_ACCOUNT_PROGRAM,
      label: 'Squads smart account',
      instructions: [
        { name: 'create_smart_account' },
        {
          name: 'execute_transaction_sync_v2',
          args: [
            ['account_index', 'u8'],
            ['number_of_signers', 'u8'],
          ],
          accounts: 'settings program',
        },
      ],
    },
  ],
  accounts: [SMART_ACCOUNTS],
};
