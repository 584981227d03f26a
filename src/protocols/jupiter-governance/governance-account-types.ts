import { describeAnchorAccount } from '../../protocol/accounts/interface-accounts.ts';
import type { ProgramAccounts } from '../../protocol/accounts/program-accounts.ts';
import {
  decodeLocker,
  decodePartialUnstake,
  decodeVoteEscrow,
  GOVERN_PROGRAM,
  VOTER_PROGRAM,
} from './layout.ts';

const OF_TOKENS = { amountOf: 'tokens' };

/** The accounts of the programs by which holders vote. */
export const GOVERNANCE_ACCOUNTS: readonly ProgramAccounts[] = [
  {
    program: VOTER_PROGRAM,
    label: 'Vote escrow',
    types: [
      {
        name: 'Stake that votes',
        summary: 'Tokens that an owner has locked to vote.',
        read: decodeVoteEscrow,
        fields: { amount: OF_TOKENS, startedAt: 'time', endsAt: 'time' },
      },
      { name: 'Locker', summary: 'The terms of votes with one token.', read: decodeLocker },
      {
        name: 'Stake that is being withdrawn',
        summary: 'A part of a stake that can be withdrawn later.',
        read: decodePartialUnstake,
        fields: { expiration: 'time' },
      },
    ],
  },
  {
    program: GOVERN_PROGRAM,
    label: 'Governance',
    types: [
      describeAnchorAccount(
        'Governor',
        [
          ['base', 'pubkey'],
          ['bump', 'u8'],
          ['proposals', 'u64'],
          ['locker', 'pubkey'],
          ['smartWallet', 'pubkey'],
          ['votingDelay', 'u64'],
          ['votingPeriod', 'u64'],
          ['quorumVotes', 'u64'],
          ['timelockDelay', 'i64'],
        ],
        { name: 'Governor', summary: 'How proposals are voted on and carried out. Periods are in seconds.' },
      ),
    ],
  },
];
