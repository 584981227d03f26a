import { type Static, Type } from 'typebox';
import { named, RefusalJson } from '../../named-schema.ts';

const optionalNumber = (description: string) => Type.Optional(Type.Number({ description }));
const optionalText = (description: string) => Type.Optional(Type.String({ description }));
const OLDER = 'a fixed date if it is older than what is known';
const link = optionalText('Submitted, and approved by the operator.');

export const SwapStatsJson = named(
  'SwapStats',
  Type.Object({
    priceChange: optionalNumber('Percent.'),
    holderChange: optionalNumber('Percent, of the owners with a balance.'),
    liquidityChange: optionalNumber('Percent.'),
    volumeChange: optionalNumber('Percent, against the window before.'),
    buyVolume: Type.Number({ description: 'US dollars.' }),
    sellVolume: Type.Number({ description: 'US dollars.' }),
    buyOrganicVolume: optionalNumber('US dollars of wallets that are not known as bots.'),
    sellOrganicVolume: optionalNumber('US dollars of wallets that are not known as bots.'),
    numBuys: Type.Number({ description: 'Trades in which the trader received the token.' }),
    numSells: Type.Number({ description: 'Trades in which the trader paid the token.' }),
    numTraders: optionalNumber('Wallets that traded.'),
    numOrganicBuyers: optionalNumber('Wallets that bought and are not known as bots.'),
    numNetBuyers: optionalNumber('Wallets that bought for more than they sold for.'),
  }),
);
export type SwapStatsJson = Static<typeof SwapStatsJson>;

/** Fields that are not known are absent. */
export const TokenJson = named(
  'Token',
  Type.Object({
    id: Type.String({ description: 'The mint.' }),
    name: Type.String({ description: 'Empty if the token has no metadata.' }),
    symbol: Type.String({ description: 'Empty if the token has no metadata.' }),
    icon: optionalText('The URL of an image, by the list of known tokens or the operator.'),
    decimals: Type.Integer(),
    tokenProgram: Type.String(),
    createdAt: optionalText(
      `When the first pool of the token was created. ISO 8601; ${OLDER}. Absent if no pool trades it.`,
    ),
    twitter: link,
    telegram: link,
    website: link,
    discord: link,
    instagram: link,
    tiktok: link,
    otherUrl: link,
    dev: optionalText(
      'The wallet that created the mint. Of a launched token, the one that signed its launch as the creator.',
    ),
    mintAuthority: optionalText('Who can mint more. Absent if nobody can.'),
    freezeAuthority: optionalText('Who can freeze accounts of the token. Absent if nobody can.'),
    issuer: optionalText('Who issued it. Absent: it is not known.'),
    circSupply: optionalNumber('Whole tokens in circulation: submitted, or else what the network counts.'),
    totalSupply: optionalNumber('Whole tokens.'),
    launchpad: optionalText(
      "The launchpad that the token came from: `met-dbc` for Meteora's bonding curves. Absent for other tokens.",
    ),
    partnerConfig: optionalText("The launchpad's configuration by which it was launched."),
    bondingCurve: optionalNumber(
      'How much of its goal the bonding curve has raised, in percent. Absent once the liquidity has migrated.',
    ),
    graduatedPool: optionalText('The pool that took over its liquidity from the launchpad.'),
    graduatedAt: optionalText('When it did. ISO 8601.'),
    holderCount: optionalNumber('Owners with a balance.'),
    fdv: optionalNumber('US dollars: the total supply at the price.'),
    mcap: optionalNumber('US dollars: the circulating supply at the price.'),
    usdPrice: optionalNumber('US dollars per token as wallets display it.'),
    priceBlockId: optionalNumber('The slot of the last swap that the price is of.'),
    liquidity: optionalNumber('US dollars over all pools.'),
    fees: optionalNumber('What traders paid for it. Absent: it is not known.'),
    apy: Type.Optional(
      Type.Object({
        jupEarn: Type.Number({ description: 'What lending the token earns, in percent a year.' }),
      }),
    ),
    stats5m: Type.Optional(SwapStatsJson),
    stats1h: Type.Optional(SwapStatsJson),
    stats6h: Type.Optional(SwapStatsJson),
    stats24h: Type.Optional(SwapStatsJson),
    stats7d: Type.Optional(SwapStatsJson),
    stats30d: Type.Optional(SwapStatsJson),
    firstPool: Type.Optional(
      Type.Object({ id: Type.String(), createdAt: Type.String({ description: `ISO 8601; ${OLDER}.` }) }),
    ),
    audit: Type.Object({
      isSus: Type.Optional(
        Type.Boolean({
          description: 'Present if the token is not verified and its symbol imitates one that is.',
        }),
      ),
      mintAuthorityDisabled: Type.Boolean(),
      freezeAuthorityDisabled: Type.Boolean(),
      topHoldersPercentage: optionalNumber('What the ten largest owners hold, in percent of the supply.'),
      devBalancePercentage: optionalNumber('What `dev` holds, in percent of the supply.'),
      devMints: optionalNumber(
        'How many mints that Sluice knows `dev` created. Over an outside RPC, only launched ones are counted.',
      ),
      permanentControlEnabled: Type.Optional(
        Type.Boolean({ description: 'Present if an authority can move or burn the tokens of every holder.' }),
      ),
      soulBound: Type.Optional(
        Type.Boolean({ description: 'Present if holders cannot transfer the token.' }),
      ),
      mutableFees: Type.Optional(
        Type.Boolean({ description: 'Present if an authority can change the fee of transfers.' }),
      ),
    }),
    scaledUiConfig: Type.Optional(
      Type.Object({
        multiplier: Type.Number({ description: 'What displayed amounts are multiplied with now.' }),
        newMultiplier: Type.Number(),
        newMultiplierEffectiveAt: Type.String({ description: 'ISO 8601.' }),
        circSupplyPrescaled: Type.Number(),
        totalSupplyPrescaled: Type.Number(),
        usdPricePrescaled: optionalNumber('US dollars per token without the multiplier.'),
      }),
    ),
    organicScore: Type.Number({ minimum: 0, maximum: 100 }),
    organicScoreLabel: Type.Union([Type.Literal('high'), Type.Literal('medium'), Type.Literal('low')]),
    isVerified: Type.Boolean(),
    tags: Type.Array(Type.String()),
    updatedAt: Type.String({ description: 'When the accounts of the token were read. ISO 8601.' }),
  }),
);
export type TokenJson = Static<typeof TokenJson>;

export const TokenList = Type.Array(TokenJson);
export const TokensError = RefusalJson;
