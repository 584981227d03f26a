import type { ProgramAccounts } from '../../protocol/accounts/program-accounts.ts';
import { decodeClaimStatus, decodeDistributor, DISTRIBUTOR_PROGRAM } from './layout.ts';

const OF_MINT = { amountOf: 'mint' };

/** The accounts of airdrops. */
export const AIRDROP_ACCOUNTS: ProgramAccounts = {
  program: DISTRIBUTOR_PROGRAM,
  label: 'Airdrop distributor',
  types: [
    {
      name: 'Airdrop',
      summary: 'Tokens that are paid to everybody on a list.',
      read: decodeDistributor,
      fields: { maxTotalClaim: OF_MINT, totalAmountClaimed: OF_MINT, startsAt: 'time', endsAt: 'time' },
    },
    { name: 'Claim', summary: 'What one wallet has claimed of an airdrop.', read: decodeClaimStatus },
  ],
};
