import { describeAnchorAccount } from '../../protocol/accounts/interface-accounts.ts';
import type { ProgramAccounts } from '../../protocol/accounts/program-accounts.ts';
import { decodeAmmConfig, decodeObservationState, decodePool } from './program/layout.ts';
import { RAYDIUM_CPMM_PROGRAM } from './program/program.ts';

const MILLIONTHS = { outOf: 1_000_000 };

/** The accounts of Raydium's constant-product program. */
export const CPMM_ACCOUNTS: ProgramAccounts = {
  program: RAYDIUM_CPMM_PROGRAM,
  types: [
    {
      name: 'Liquidity pool',
      summary: 'A pool of two tokens: the product of what its vaults hold never falls in a swap.',
      read: decodePool,
      fields: {
        lpSupply: { amountOf: 'lpMint' },
        protocolFees: { amountOf: 'mints' },
        fundFees: { amountOf: 'mints' },
        creatorFees: { amountOf: 'mints' },
        openTime: 'time',
        creatorFeeOn: { names: { 0: 'what comes in', 1: 'token 0', 2: 'token 1' } },
      },
    },
    {
      name: 'Fee configuration',
      summary: 'The fees that the pools under it take.',
      read: decodeAmmConfig,
      fields: {
        tradeFeeRate: MILLIONTHS,
        protocolFeeRate: MILLIONTHS,
        fundFeeRate: MILLIONTHS,
        creatorFeeRate: MILLIONTHS,
        creatorFeeShareRate: MILLIONTHS,
        createPoolFee: 'lamports',
      },
    },
    {
      name: 'Price observations',
      summary: 'The prices of a pool over time, from which programs compute an average.',
      read: decodeObservationState,
      fields: { timestamp: 'time', lastUpdateTimestamp: 'time' },
    },
    describeAnchorAccount(
      'SupportMintAssociated',
      [
        ['bump', 'u8'],
        ['mint', 'pubkey'],
      ],
      {
        name: 'Permit of a mint',
        summary: 'It admits a mint with extensions that pools do not accept otherwise.',
      },
    ),
  ],
};
