import { describeAnchorAccount } from '../../protocol/accounts/interface-accounts.ts';
import type { ProgramAccounts } from '../../protocol/accounts/program-accounts.ts';
import { decodeSmartAccountSettings } from '../../solana/programs/smart-account/layout.ts';
import { SMART_ACCOUNT_PROGRAM } from '../../solana/programs/smart-account/program.ts';

/** The accounts of smart accounts. */
export const SMART_ACCOUNTS: ProgramAccounts = {
  program: SMART_ACCOUNT_PROGRAM,
  types: [
    {
      name: 'Smart account',
      summary:
        'A wallet that several signers move together. A permission is a sum: 1 may begin, 2 may vote, 4 may execute.',
      read: decodeSmartAccountSettings,
    },
    describeAnchorAccount(
      'ProgramConfig',
      [
        ['smartAccounts', 'u128'],
        ['authority', 'pubkey'],
        ['creationFee', 'u64'],
        ['treasury', 'pubkey'],
      ],
      {
        name: 'Program settings',
        summary: 'What creating a smart account costs.',
        fields: { creationFee: 'lamports' },
      },
    ),
  ],
};
