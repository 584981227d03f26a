import { describeAnchorAccount } from '../../protocol/accounts/interface-accounts.ts';
import { BASIS_POINTS, type ProgramAccounts } from '../../protocol/accounts/program-accounts.ts';
import { REFERRAL_PROGRAM } from '../../solana/programs/referral/program.ts';

/** The accounts of referrals. */
export const REFERRAL_ACCOUNTS: ProgramAccounts = {
  program: REFERRAL_PROGRAM,
  types: [
    describeAnchorAccount(
      'Project',
      [
        ['base', 'pubkey'],
        ['admin', 'pubkey'],
        ['name', 'string'],
        ['defaultShareBps', 'u16'],
      ],
      {
        name: 'Referral project',
        summary: 'A product whose fees are shared with those who bring users.',
        fields: { name: 'text', defaultShareBps: BASIS_POINTS },
      },
    ),
    describeAnchorAccount(
      'ReferralAccount',
      [
        ['partner', 'pubkey'],
        ['project', 'pubkey'],
        ['shareBps', 'u16'],
        ['name', { option: 'string' }],
      ],
      {
        name: 'Referral account',
        summary: 'Who is paid a share of the fees of a project.',
        fields: { name: 'text', shareBps: BASIS_POINTS },
      },
    ),
  ],
};
