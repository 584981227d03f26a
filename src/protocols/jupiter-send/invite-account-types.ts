import type { ProgramAccounts } from '../../protocol/accounts/program-accounts.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { decodeInvite } from './invite-account.ts';
import { INVITE_PROGRAM } from './invite-program.ts';

/** The accounts of invites. */
export const INVITE_ACCOUNTS: ProgramAccounts = {
  program: INVITE_PROGRAM,
  types: [
    {
      name: 'Invite',
      summary: 'Tokens that anybody who has the code can claim, until the sender takes them back.',
      // An invite without a token holds SOL, whose unit is that of wrapped SOL.
      read: (data) => {
        const { token, ...invite } = decodeInvite(data);
        return { ...invite, mint: token?.mint ?? WRAPPED_SOL_MINT, token };
      },
      fields: {
        amount: { amountOf: 'mint' },
        reward: 'lamports',
        createdAt: 'time',
        expiresAt: 'time',
      },
    },
  ],
};
