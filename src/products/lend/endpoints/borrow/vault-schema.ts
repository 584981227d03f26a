import { Type } from 'typebox';
import { named } from '../../../named-schema.ts';
import { LendTokenJson, RewardsJson } from '../asset-schema.ts';
import { amountField } from '../schema.ts';

const rate = (what: string) => Type.String({ description: `${what}; 10000 is 100 % a year.` });
const factor = (what: string) => Type.String({ description: `${what}; 1000 is 100 %.` });

const OracleSource = named(
  'OracleSource',
  Type.Object({
    source: Type.String(),
    invert: Type.Boolean(),
    multiplier: Type.String(),
    divisor: Type.String(),
    sourceType: Type.Record(Type.String(), Type.Unknown(), {
      description: 'An object with one key, the kind of the source.',
    }),
  }),
);

const LiquiditySupplyData = named(
  'VaultSupplyData',
  Type.Object({
    modeWithInterest: Type.Boolean(),
    supply: amountField('What the vault supplied at the liquidity program, with interest.'),
    withdrawalLimit: amountField('What must stay supplied now.'),
    lastUpdateTimestamp: Type.String({ description: 'Unix seconds.' }),
    expandPercent: Type.Integer({ description: '10000 is 100 %.' }),
    expandDuration: Type.Integer({ description: 'Seconds.' }),
    baseWithdrawalLimit: amountField('Below this supply there is no limit.'),
    withdrawableUntilLimit: amountField('What the limit lets out.'),
    withdrawable: amountField('The same, but no more than the reserve holds.'),
  }),
);

const LiquidityBorrowData = named(
  'VaultBorrowData',
  Type.Object({
    modeWithInterest: Type.Boolean(),
    borrow: amountField('What the vault borrowed at the liquidity program, with interest.'),
    borrowLimit: amountField('The most that the vault may have borrowed now.'),
    lastUpdateTimestamp: Type.String({ description: 'Unix seconds.' }),
    expandPercent: Type.Integer({ description: '10000 is 100 %.' }),
    expandDuration: Type.Integer({ description: 'Seconds.' }),
    baseBorrowLimit: amountField('Up to this, the limit does not depend on time.'),
    maxBorrowLimit: amountField('The limit never exceeds this.'),
    borrowLimitUtilization: amountField('The most that all may borrow of the token together.'),
    borrowableUntilLimit: amountField('What both limits allow.'),
    borrowable: amountField('The same, but no more than the reserve holds.'),
  }),
);

const Metadata = named(
  'VaultMetadata',
  Type.Object({
    maxLeverage: Type.Boolean(),
    nativeStake: Type.Boolean({ description: 'Whether the collateral is staked with one validator.' }),
    pegged: Type.Boolean({ description: 'Whether both tokens follow the same price.' }),
    multiply: Type.Object({
      enabled: Type.Boolean(),
      reduceFactor: Type.Integer({
        description: 'By how much a loop should stay below the most leverage; 10000 is 100 %.',
      }),
    }),
  }),
);

export const BorrowVaultJson = named(
  'BorrowVault',
  Type.Object({
    id: Type.Integer({ description: 'The id in its market, for `vaultId` of an operation.' }),
    address: Type.String({ description: "The account of the vault's configuration." }),
    supplyToken: LendTokenJson,
    borrowToken: LendTokenJson,
    totalSupply: amountField('Collateral of all positions.'),
    totalSupplyLiquidity: amountField('Collateral of the vault at the liquidity program.'),
    totalBorrow: amountField('Debt of all positions.'),
    totalBorrowLiquidity: amountField('Debt of the vault at the liquidity program.'),
    absorbedSupply: amountField('Collateral that the vault took over from positions beyond the last limit.'),
    absorbedBorrow: amountField('Their debt.'),
    supplyRateMagnifier: rate('What the vault adds to the supply rate'),
    borrowRateMagnifier: rate('What the vault adds to the borrow rate'),
    borrowFee: Type.String({ description: 'Added to each new debt; 10000 is 100 %.' }),
    collateralFactor: factor('The most debt per collateral that an owner may take on'),
    liquidationThreshold: factor('Debt per collateral from which a position can be liquidated'),
    liquidationMaxLimit: factor('Debt per collateral from which the vault takes a position over'),
    liquidationPenalty: Type.String({ description: 'What liquidators get; 10000 is 100 %.' }),
    withdrawalGap: factor('The part of the supply that is kept for liquidations'),
    supplyRate: rate('What collateral earns'),
    supplyRateLiquidity: rate('The same without the magnifier'),
    borrowRate: rate('What debt costs'),
    borrowRateLiquidity: rate('The same without the magnifier'),
    withdrawLimit: amountField('What must stay supplied now.'),
    withdrawableUntilLimit: amountField('What the limit and the gap let out.'),
    withdrawable: amountField('What owners can withdraw together now.'),
    borrowLimit: amountField('The most that the vault may have borrowed now.'),
    borrowableUntilLimit: amountField('What the limits allow.'),
    borrowable: amountField('What owners can borrow together now.'),
    borrowLimitUtilization: amountField('The most that all may borrow of the token together.'),
    minimumBorrowing: amountField('The least debt that a position may have, if it has any.'),
    totalPositions: Type.Integer(),
    oracle: Type.String(),
    oraclePrice: Type.Optional(
      Type.String({
        description:
          'Whole borrow tokens per whole supply token, times 10^15. Absent while no price is usable.',
      }),
    ),
    oraclePriceOperate: Type.Optional(
      Type.String({ description: 'The price for owners: of at most 600 seconds.' }),
    ),
    oraclePriceLiquidate: Type.Optional(
      Type.String({ description: 'The price for liquidations: of at most two hours.' }),
    ),
    oracleSources: Type.Array(OracleSource),
    oracleTimestamp: Type.Optional(
      Type.Integer({ description: 'Unix seconds at which the oldest feed of the price was published.' }),
    ),
    liquiditySupplyData: LiquiditySupplyData,
    liquidityBorrowData: LiquidityBorrowData,
    rewards: RewardsJson,
    topTick: Type.Integer({ description: 'The highest tick with debt; -2147483648 if nobody has debt.' }),
    metadata: Metadata,
  }),
);

export const BorrowPositionJson = named(
  'BorrowPosition',
  Type.Object({
    id: Type.Integer({ description: 'The id in its vault, for `positionId` of an operation.' }),
    vaultId: Type.Integer(),
    address: Type.String({ description: "The mint of the position's token." }),
    supply: amountField('Collateral, with interest.'),
    beforeSupply: amountField('The same before liquidations.'),
    borrow: amountField('What the owner owes, with interest.'),
    beforeBorrow: amountField('The same before liquidations.'),
    isLiquidated: Type.Boolean({
      description: 'Whether a part was liquidated since the position was last operated.',
    }),
    supplyLiquidation: amountField('Collateral that liquidations took.'),
    borrowLiquidation: amountField('Debt that liquidations paid.'),
    isSupplyPosition: Type.Boolean({
      description: 'Whether there was no debt when the position was last operated.',
    }),
    tick: Type.Integer({
      description:
        'Debt per collateral is 1.0015^tick; -2147483648 without debt, -16383 if liquidations left nothing.',
    }),
    tickId: Type.Integer(),
    dustBorrow: amountField('By how much the tick overstates the debt. The owner does not owe it.'),
    ownerAddress: Type.String(),
    vault: BorrowVaultJson,
    config: Type.Record(Type.String(), Type.String(), { description: 'Empty.' }),
  }),
);

export type BorrowVaultJson = Type.Static<typeof BorrowVaultJson>;
export type BorrowPositionJson = Type.Static<typeof BorrowPositionJson>;
