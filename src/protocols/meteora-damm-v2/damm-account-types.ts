import { describeAnchorAccount } from '../../protocol/accounts/interface-accounts.ts';
import { BASIS_POINTS, type ProgramAccounts } from '../../protocol/accounts/program-accounts.ts';
import { decodeDammPosition } from './positions/layout.ts';
import { decodeDammVesting } from './program/layout-position.ts';
import { decodeTerms, isPoolData, readChanges } from './program/layout.ts';
import { METEORA_DAMM_V2_PROGRAM } from './program/program.ts';

/** The accounts of Meteora's DAMM v2 program. */
export const DAMM_ACCOUNTS: ProgramAccounts = {
  program: METEORA_DAMM_V2_PROGRAM,
  types: [
    {
      name: 'Liquidity pool',
      summary:
        'A pool of two tokens whose liquidity lies between two prices, with a fee that may follow time and volatility.',
      read: (data) => (isPoolData(data) ? { ...decodeTerms(data), ...readChanges(data) } : null),
      fields: {
        cliff: { outOf: 1_000_000_000 },
        protocolFeePercent: { outOf: 100 },
        referralFeePercent: { outOf: 100 },
        compoundingBps: BASIS_POINTS,
        reductionBps: BASIS_POINTS,
        lastUpdate: 'time',
        collectFeeMode: { names: { 0: 'output', 1: 'token B', 2: 'compounding' } },
        activationType: { names: { 0: 'slot', 1: 'time' } },
        status: { names: { 0: 'enabled', 1: 'disabled' } },
        kind: { names: { 0: 'of a configuration', 1: 'of its creator' } },
        amounts: { amountOf: 'mints' },
      },
    },
    {
      name: 'Position',
      summary: 'Liquidity of a pool. The holder of the one token of its mint owns it.',
      read: decodeDammPosition,
    },
    {
      name: 'Vesting of liquidity',
      summary: 'Liquidity of a position that unlocks over time.',
      read: decodeDammVesting,
    },
    describeAnchorAccount(
      'Config',
      [
        ['vaultConfigKey', 'pubkey'],
        ['poolCreatorAuthority', 'pubkey'],
      ],
      {
        name: 'Configuration',
        summary: 'The terms of the pools that are created under it.',
      },
    ),
  ],
};
