import type { ProgramAccounts } from '../../protocol/accounts/program-accounts.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { decodeStakePool, isStakePoolData } from './layout.ts';
import { STAKE_POOL_PROGRAM } from './program.ts';

const VALIDATOR_LIST_TAG = Uint8Array.of(2);

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
    {
      name: 'Validator list',
      summary: 'The validators that a stake pool stakes with.',
      read: (data) => {
        const from = new ByteReader(data, 'validator list');
        from.expect(VALIDATOR_LIST_TAG, 'kind');
        return { maxValidators: from.u32(), validators: from.u32() };
      },
    },
  ],
};
