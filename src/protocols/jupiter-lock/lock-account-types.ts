import type { ProgramAccounts } from '../../protocol/accounts/program-accounts.ts';
import { decodeVestingEscrow, LOCK_PROGRAM } from './layout.ts';
import { decodeVestingEscrowMetadata } from './metadata-layout.ts';

const OF_MINT = { amountOf: 'mint' };
const WHO = { names: { 0: 'nobody', 1: 'the creator', 2: 'the recipient', 3: 'both' } };

/** The accounts of the program that locks tokens. */
export const LOCK_ACCOUNTS: ProgramAccounts = {
  program: LOCK_PROGRAM,
  types: [
    {
      name: 'Vesting escrow',
      summary: 'Tokens that unlock for a recipient: a part at the cliff, and equal parts after it.',
      read: decodeVestingEscrow,
      fields: {
        vestingStartTime: 'time',
        cliffTime: 'time',
        cancelledAt: 'time',
        cliffUnlockAmount: OF_MINT,
        amountPerPeriod: OF_MINT,
        claimed: OF_MINT,
        updateRecipientMode: WHO,
        cancelMode: WHO,
        tokenProgramFlag: { names: { 0: 'Token program', 1: 'Token-2022 program' } },
      },
    },
    {
      name: 'Texts of a vesting escrow',
      summary: 'What the creator of an escrow wrote about it.',
      read: decodeVestingEscrowMetadata,
      fields: { name: 'text', description: 'text', creatorEmail: 'text', recipientEmail: 'text' },
    },
  ],
};
