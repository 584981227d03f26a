import { Type } from 'typebox';
import { named } from '../../named-schema.ts';

/** What clients are told of a token only where it is known, in vaults and in earn tokens alike. */
export const KNOWN_OF_ASSETS = {
  stakingApr: Type.Optional(
    Type.Number({
      description:
        'What the token earns by itself, by what its stake pool rose in the last epoch; 10000 is 100 % a year. Absent if that is not known.',
    }),
  ),
  scaledUiConfig: Type.Optional(
    Type.Object(
      {
        authority: Type.Optional(Type.String({ description: 'Who can change it. Absent if nobody can.' })),
        multiplier: Type.Number(),
        newMultiplier: Type.Number(),
        newMultiplierEffectiveTimestamp: Type.String({
          description: 'Unix seconds from which on the new multiplier applies.',
        }),
      },
      { description: 'Only for tokens whose displayed amounts are scaled.' },
    ),
  ),
};

export const LendTokenJson = named(
  'LendToken',
  Type.Object({
    address: Type.String(),
    chainId: Type.String(),
    name: Type.String(),
    symbol: Type.String(),
    uiSymbol: Type.String(),
    decimals: Type.Integer(),
    price: Type.String({ description: 'US dollars per whole token. `0` if nothing prices it.' }),
    logoUrl: Type.Optional(Type.String()),
    coingeckoId: Type.Optional(Type.String()),
    updatedAt: Type.String({ description: 'When the price was computed.' }),
    ...KNOWN_OF_ASSETS,
    nativeStakeVoteAccount: Type.Optional(
      Type.String({
        description:
          'The vote account of the validator with which the SOL behind the token is staked. Only for tokens of single-validator pools.',
      }),
    ),
  }),
);
export type LendTokenJson = Type.Static<typeof LendTokenJson>;

export const RewardsJson = Type.Array(
  named(
    'MarketReward',
    Type.Object({
      rewardToken: LendTokenJson,
      type: Type.Enum(['merkle']),
      side: Type.Enum(['supply', 'borrow']),
      apr: Type.String(),
      metadata: Type.Record(Type.String(), Type.Unknown()),
    }),
  ),
  { description: 'Further rewards in other tokens. Empty: no program of the network pays them.' },
);
