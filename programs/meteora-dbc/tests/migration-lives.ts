import type { DbcConfigParameters } from '../../../src/protocols/meteora-dbc/program/config-parameters.ts';
import type { DbcLiquidityVesting } from '../../../src/protocols/meteora-dbc/program/config-terms.ts';
import {
  DbcCollectFeeMode,
  DbcMigrationFeeOption,
  DbcTokenType,
} from '../../../src/protocols/meteora-dbc/program/program.ts';
import { token } from '../../raydium-cpmm/tests/fixture.ts';
import { SUPPLY } from './fixture.ts';
import type { GraduateOptions } from './migration-fixture.ts';

const UNIT = 1_000_000n;
const DAY = 86_400;
const PARTS_VESTED: DbcLiquidityVesting = {
  vestingPercentage: 20,
  bpsPerPeriod: 700,
  numberOfPeriods: 10,
  cliffDurationFromMigrationTime: DAY,
  frequency: 3_600,
};
const CLIFF_ONLY: DbcLiquidityVesting = {
  vestingPercentage: 15,
  bpsPerPeriod: 0,
  numberOfPeriods: 0,
  cliffDurationFromMigrationTime: 30 * DAY,
  frequency: 0,
};
/** Every kind of share for both. */
const ALL_SHARES: Partial<DbcConfigParameters> = {
  partnerLiquidityPercentage: 7,
  partnerPermanentLockedLiquidityPercentage: 23,
  partnerLiquidityVestingInfo: PARTS_VESTED,
  creatorLiquidityPercentage: 11,
  creatorPermanentLockedLiquidityPercentage: 24,
  creatorLiquidityVestingInfo: CLIFF_ONLY,
};
const LOCKED: Partial<DbcConfigParameters> = {
  lockedVesting: {
    amountPerPeriod: 1_000n * UNIT,
    cliffDurationFromMigrationTime: 60n,
    frequency: 60n,
    numberOfPeriod: 12n,
    cliffUnlockAmount: 500n * UNIT,
  },
};
const FIXED_SUPPLY: Partial<DbcConfigParameters> = {
  tokenSupply: { ...SUPPLY, postMigrationTokenSupply: SUPPLY.preMigrationTokenSupply - 100_000n * UNIT },
};
const BY_PRICE = {
  numberOfPeriod: 10,
  sqrtPriceStepBps: 500,
  schedulerExpirationDuration: 30 * DAY,
  reductionFactor: 1_000_000n,
};

function customizable(changes: Partial<DbcConfigParameters>): Partial<DbcConfigParameters> {
  return {
    migrationFeeOption: DbcMigrationFeeOption.CUSTOMIZABLE,
    migratedPoolFee: { collectFeeMode: 0, dynamicFee: 0, poolFeeBps: 120 },
    ...changes,
  };
}

/** Launches of every kind of supply, token, share, lock and new pool. */
export const LIVES: readonly (readonly [string, GraduateOptions])[] = [
  ['halves that are locked for ever', {}],
  [
    'the whole liquidity of the partner',
    {
      changes: {
        partnerPermanentLockedLiquidityPercentage: 100,
        creatorPermanentLockedLiquidityPercentage: 0,
      },
    },
  ],
  [
    'the whole liquidity of the creator',
    {
      changes: {
        partnerPermanentLockedLiquidityPercentage: 0,
        creatorPermanentLockedLiquidityPercentage: 100,
        migrationFeeOption: DbcMigrationFeeOption.FIXED_BPS_600,
      },
    },
  ],
  ['free, vested and permanent shares of both', { changes: ALL_SHARES }],
  [
    'a fixed supply of Token-2022, base tokens that vest, and fees in both tokens',
    {
      changes: {
        ...ALL_SHARES,
        ...LOCKED,
        ...FIXED_SUPPLY,
        tokenType: DbcTokenType.TOKEN_2022,
        collectFeeMode: DbcCollectFeeMode.OUTPUT_TOKEN,
        creatorTradingFeePercentage: 37,
        migrationFeeOption: DbcMigrationFeeOption.FIXED_BPS_100,
        migrationFee: { feePercentage: 13, creatorFeePercentage: 41 },
      },
    },
  ],
  [
    'a quote token of Token-2022, and the largest migration fee',
    {
      quote: token('dbc quote 2022', [], true),
      changes: { ...LOCKED, migrationFee: { feePercentage: 99, creatorFeePercentage: 100 } },
    },
  ],
  [
    'a dynamic fee, and fees in the output token',
    {
      changes: customizable({
        ...ALL_SHARES,
        migratedPoolFee: { collectFeeMode: 1, dynamicFee: 1, poolFeeBps: 250 },
      }),
    },
  ],
  [
    'a fee that falls by amounts as the price rises',
    {
      changes: customizable({
        migratedPoolFee: { collectFeeMode: 0, dynamicFee: 1, poolFeeBps: 300 },
        migratedPoolBaseFeeMode: 3,
        migratedPoolMarketCapFeeSchedulerParams: BY_PRICE,
      }),
    },
  ],
  [
    'a fee that falls by shares as the price rises',
    {
      changes: customizable({
        migratedPoolBaseFeeMode: 4,
        migratedPoolMarketCapFeeSchedulerParams: { ...BY_PRICE, reductionFactor: 200n },
      }),
    },
  ],
  [
    'a compounding pool',
    {
      changes: customizable({
        ...ALL_SHARES,
        ...FIXED_SUPPLY,
        migratedPoolFee: { collectFeeMode: 2, dynamicFee: 0, poolFeeBps: 100 },
        compoundingFeeBps: 5_000,
      }),
    },
  ],
];
