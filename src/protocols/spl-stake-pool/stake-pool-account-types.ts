import { describeTaggedAccount } from '../../protocol/accounts/interface-accounts.ts';
import type { ProgramAccounts } from '../../protocol/accounts/program-accounts.ts';
import { decodeStakePool, isStakePoolData } from './layout.ts';
import { STAKE_POOL_PROGRAM } from './program.ts';

/** The accounts of stake pools. */
export const STAKE_POOL_ACCOUNTS: ProgramAccounts = {
  program: STAKE_POOL_PROGRAM,
  types: [
    {
      name: 'Stake pool',
      summary: 'SOL that is staked with many validators. Its token is a share of it.',
      read: (data) => (isStakePoolData(data) ? decodeStakePool(data) : null),
      fields: {
        totalLamports: 'lamports',
        lastEpochTotalLamports: 'lamports',
        tokenSupply: { amountOf: 'mint' },
        lastEpochTokenSupply: { amountOf: 'mint' },
        unixTimestamp: 'time',
        stakeReferralFee: { outOf: 100 },
        solReferralFee: { outOf: 100 },
      },
    },
    describeTaggedAccount(
      '02',
      [
        ['maxValidators', 'u32'],
        ['validators', 'u32'],
      ],
      { name: 'Validator list', summary: 'The validators that a stake pool stakes with.' },
    ),
  ],
};
