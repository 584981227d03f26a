import { describeAnchorAccount } from '../../protocol/accounts/interface-accounts.ts';
import { BASIS_POINTS, type ProgramAccounts } from '../../protocol/accounts/program-accounts.ts';
import { decodePositionBundle, decodePositionWithRewards } from './positions/layout.ts';
import { decodeWhirlpool } from './program/layout.ts';
import { decodeOracle } from './program/oracle.ts';
import { WHIRLPOOL_PROGRAM } from './program/program.ts';
import { decodeTickArray } from './program/tick-array.ts';

const MILLIONTHS = { outOf: 1_000_000 };

/** The accounts of the Whirlpool program. */
export const WHIRLPOOL_ACCOUNTS: ProgramAccounts = {
  program: WHIRLPOOL_PROGRAM,
  types: [
    {
      name: 'Liquidity pool',
      summary:
        'A pool of two tokens whose liquidity is concentrated between prices that its providers choose.',
      read: decodeWhirlpool,
      fields: {
        feeRate: MILLIONTHS,
        protocolFeeRate: BASIS_POINTS,
        protocolFeesOwed: { amountOf: 'mints' },
        rewardsUpdatedAt: 'time',
      },
    },
    {
      name: 'Position',
      summary: 'Liquidity between two prices. The holder of the one token of its mint owns it.',
      read: decodePositionWithRewards,
    },
    {
      name: 'Bundle of positions',
      summary: 'Positions that are owned by one token together.',
      read: decodePositionBundle,
    },
    {
      name: 'Tick array',
      summary: 'Where the liquidity of a pool changes, for 88 places of the price that follow each other.',
      read: readTickArray,
    },
    {
      name: 'Adaptive fee',
      summary: 'How the fee of a pool follows its volatility.',
      read: decodeOracle,
      fields: { tradeEnabledAt: 'time', referenceUpdatedAt: 'time', majorSwapAt: 'time' },
    },
    describeAnchorAccount(
      'WhirlpoolsConfig',
      [
        ['feeAuthority', 'pubkey'],
        ['collectProtocolFeesAuthority', 'pubkey'],
        ['rewardEmissionsSuperAuthority', 'pubkey'],
        ['defaultProtocolFeeRate', 'u16'],
        ['featureFlags', 'u16'],
      ],
      {
        name: 'Configuration',
        summary: 'The owners and defaults that a set of pools shares.',
        fields: { defaultProtocolFeeRate: BASIS_POINTS },
      },
    ),
    describeAnchorAccount(
      'FeeTier',
      [
        ['config', 'pubkey'],
        ['tickSpacing', 'u16'],
        ['defaultFeeRate', 'u16'],
      ],
      {
        name: 'Fee tier',
        summary: 'The fee with which new pools of a tick spacing start.',
        fields: { defaultFeeRate: MILLIONTHS },
      },
    ),
  ],
};

/** The array does not say the spacing of its ticks, so they are named by their places in it. */
function readTickArray(data: Uint8Array): object {
  const { whirlpool, start, ticks } = decodeTickArray(data, 1);
  return {
    whirlpool,
    startTick: start,
    ticks: ticks.map(({ index, liquidityNet, liquidityGross }) => ({
      place: index - start,
      liquidityNet,
      liquidityGross,
    })),
  };
}
