import { Type } from 'typebox';
import { named } from '../../../named-schema.ts';
import { KNOWN_OF_ASSETS, RewardsJson } from '../asset-schema.ts';
import { amountField } from '../schema.ts';

const AssetInfo = named(
  'AssetInfo',
  Type.Object({
    address: Type.String(),
    chain_id: Type.String(),
    chainId: Type.String(),
    name: Type.String(),
    symbol: Type.String(),
    uiSymbol: Type.String(),
    decimals: Type.Integer(),
    logo_url: Type.String(),
    logoUrl: Type.String(),
    price: Type.String({ description: 'US dollars per whole token. `0` if nothing prices it.' }),
    coingecko_id: Type.String(),
    coingeckoId: Type.String(),
    updatedAt: Type.String({ description: 'When the price was computed.' }),
    ...KNOWN_OF_ASSETS,
  }),
);

const LiquiditySupplyData = named(
  'EarnSupplyData',
  Type.Object({
    modeWithInterest: Type.Boolean(),
    supply: amountField('What all depositors together supplied at the liquidity program, with interest.'),
    withdrawalLimit: amountField('What must stay supplied now.'),
    lastUpdateTimestamp: Type.String({ description: 'Unix seconds.' }),
    expandPercent: Type.String({ description: '10000 is 100 %.' }),
    expandDuration: Type.String({ description: 'Seconds.' }),
    baseWithdrawalLimit: amountField('Below this supply there is no limit.'),
    withdrawableUntilLimit: amountField('What the limit lets out.'),
    withdrawable: amountField('What all depositors together can take now.'),
  }),
);

export const EarnTokenJson = named(
  'EarnToken',
  Type.Object({
    id: Type.Integer(),
    address: Type.String({ description: 'Mint of the receipt token.' }),
    name: Type.String(),
    symbol: Type.String(),
    decimals: Type.Integer(),
    assetAddress: Type.String({ description: 'Mint of the token that is deposited.' }),
    asset: AssetInfo,
    totalAssets: amountField('What all receipt tokens are worth.'),
    totalSupply: amountField('All receipt tokens.'),
    convertToShares: amountField('Receipt tokens for one whole token, in base units.'),
    convertToAssets: amountField('What one whole receipt token is worth, in base units.'),
    rewardsRate: Type.String({ description: '10000 is 100 % a year.' }),
    supplyRate: Type.String({ description: '10000 is 100 % a year.' }),
    totalRate: Type.String({ description: 'The sum of both rates.' }),
    rebalanceDifference: Type.String({
      description:
        'Base units that are supplied beyond what receipt tokens are worth; negative while rewards are still to be paid in.',
    }),
    liquiditySupplyData: LiquiditySupplyData,
    rewards: RewardsJson,
  }),
);

export const EarnPositionJson = named(
  'EarnPosition',
  Type.Object({
    token: EarnTokenJson,
    ownerAddress: Type.String(),
    shares: amountField('Receipt tokens of the owner.'),
    underlyingAssets: amountField('What they are worth.'),
    underlyingBalance: amountField("The owner's balance of the token itself."),
    allowance: Type.String({ description: 'Always `0`.' }),
  }),
);

export type EarnTokenJson = Type.Static<typeof EarnTokenJson>;
export type EarnPositionJson = Type.Static<typeof EarnPositionJson>;
