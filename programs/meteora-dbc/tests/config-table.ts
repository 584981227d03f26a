import type { DbcConfigParameters } from '../../../src/protocols/meteora-dbc/program/config-parameters.ts';
import {
  type DbcBaseFee,
  type DbcDynamicFee,
  type DbcLiquidityVesting,
  NO_LIQUIDITY_VESTING,
  NO_LOCKED_VESTING,
} from '../../../src/protocols/meteora-dbc/program/config-terms.ts';
import {
  DbcBaseFeeMode,
  DbcMigrationFeeOption,
  MAX_DBC_SQRT_PRICE,
  MIN_DBC_SQRT_PRICE,
} from '../../../src/protocols/meteora-dbc/program/program.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { PARAMETERS, partOf, START, SUPPLY } from './fixture.ts';

type Changes = Partial<DbcConfigParameters>;

const DAY = 86_400;
const UNIT = 1_000_000n;

const DYNAMIC: DbcDynamicFee = {
  binStep: 1,
  binStepU128: 1_844_674_407_370_955n,
  filterPeriod: 10,
  decayPeriod: 120,
  reductionFactor: 5_000,
  maxVolatilityAccumulator: 14_460_000,
  variableFeeControl: 956,
};

function base(baseFee: Partial<DbcBaseFee>): Changes {
  const { poolFees } = PARAMETERS;
  return { poolFees: { ...poolFees, baseFee: { ...poolFees.baseFee, ...baseFee } } };
}

/** From 1 % down in so many periods of a minute. */
function falling(firstFactor: number, thirdFactor: bigint, baseFeeMode = 0): Changes {
  return base({ firstFactor, secondFactor: 60n, thirdFactor, baseFeeMode });
}

/** Up by so many basis points with every unit, for so many points. */
function limited(firstFactor: number, secondFactor: bigint, thirdFactor = UNIT): Changes {
  return base({ firstFactor, secondFactor, thirdFactor, baseFeeMode: DbcBaseFeeMode.RATE_LIMITER });
}

function dynamic(changes: Partial<DbcDynamicFee>): Changes {
  return { poolFees: { ...PARAMETERS.poolFees, dynamicFee: { ...DYNAMIC, ...changes } } };
}

/** The fees of the migrated pool as the partner chooses them. */
function chosen(
  migratedPoolFee: Partial<DbcConfigParameters['migratedPoolFee']>,
  changes: Changes = {},
): Changes {
  return {
    migrationFeeOption: DbcMigrationFeeOption.CUSTOMIZABLE,
    migratedPoolFee: { collectFeeMode: 0, dynamicFee: 0, poolFeeBps: 100, ...migratedPoolFee },
    ...changes,
  };
}

/** The fee of the migrated pool falls with its price. */
function byPrice(
  changes: Partial<DbcConfigParameters['migratedPoolMarketCapFeeSchedulerParams']>,
  mode = 3,
): Changes {
  return chosen(
    {},
    {
      migratedPoolBaseFeeMode: mode,
      migratedPoolMarketCapFeeSchedulerParams: {
        numberOfPeriod: 9,
        sqrtPriceStepBps: 100,
        schedulerExpirationDuration: 1_000,
        reductionFactor: mode === 3 ? 1_000_000n : 100n,
        ...changes,
      },
    },
  );
}

/** A part of the creator's liquidity is released step by step. */
function vesting(changes: Partial<DbcLiquidityVesting>): Changes {
  const terms = { ...NO_LIQUIDITY_VESTING, vestingPercentage: 50, ...changes };
  return {
    creatorLiquidityVestingInfo: terms,
    creatorPermanentLockedLiquidityPercentage: Math.max(0, 50 - terms.vestingPercentage),
  };
}

/** Terms at the bounds of what the program accepts. */
export const ACCEPTED: readonly [string, Changes][] = [
  ['the lowest fee', base({ cliffFeeNumerator: 2_500_000n })],
  ['the highest fee', base({ cliffFeeNumerator: 990_000_000n })],
  ['a fee that falls to the lowest', falling(75, 100_000n)],
  ['a fee that falls by shares', falling(10, 1_000n, DbcBaseFeeMode.EXPONENTIAL)],
  ['a rate limiter without a limit', limited(0, 0n, 0n)],
  ['a rate limiter of 12 hours', limited(100, 43_200n)],
  ['a rate limiter of 12 hours in slots', { ...limited(100, 108_000n), activationType: 0 }],
  ['a dynamic fee', dynamic({})],
  ['the whole reduction of a dynamic fee', dynamic({ reductionFactor: 10_000 })],
  ['fees in the output token', { collectFeeMode: 1 }],
  ['a creator with all trading fees', { creatorTradingFeePercentage: 100 }],
  ['the highest migration fee', { migrationFee: { feePercentage: 99, creatorFeePercentage: 100 } }],
  ['every fixed fee of the migrated pool', { migrationFeeOption: 5 }],
  ['the lowest fee of a migrated pool', chosen({ poolFeeBps: 10 })],
  ['the highest fee of a migrated pool', chosen({ poolFeeBps: 1_000, dynamicFee: 1, collectFeeMode: 1 })],
  ['a migrated pool whose fees compound', chosen({ collectFeeMode: 2 }, { compoundingFeeBps: 10_000 })],
  ['a migrated fee that falls with the price', byPrice({})],
  ['a migrated fee that falls by shares', byPrice({}, 4)],
  ['nobody who may change the token', { tokenUpdateAuthority: 1 }],
  ['a partner who may mint', { tokenUpdateAuthority: 4 }],
  ['tokens of nine decimals', { tokenDecimal: 9 }],
  ['tokens of Token-2022', { tokenType: 1 }],
  ['the lowest creation fee', { poolCreationFee: 1_000_000n }],
  ['the highest creation fee', { poolCreationFee: 100_000_000_000n }],
  ['a fixed supply', { tokenSupply: SUPPLY }],
  ['the whole curve as the threshold', { migrationQuoteThreshold: 1_000n * UNIT }],
  ['liquidity that is released after two years', vesting({ cliffDurationFromMigrationTime: 2 * 365 * DAY })],
  [
    'liquidity that is released in steps from the start',
    vesting({ bpsPerPeriod: 1_000, numberOfPeriods: 10, frequency: DAY }),
  ],
  [
    'a tenth that is locked',
    {
      partnerPermanentLockedLiquidityPercentage: 10,
      creatorPermanentLockedLiquidityPercentage: 0,
      creatorLiquidityPercentage: 90,
    },
  ],
  [
    'base tokens that vest',
    { lockedVesting: { ...NO_LOCKED_VESTING, frequency: 1n, cliffUnlockAmount: UNIT } },
  ],
  ['sixteen parts', sixteenParts(16)],
];

/** A curve of so many equal parts. */
function sixteenParts(count: number): Changes {
  const step = START / 16n;
  const curve = Array.from({ length: count }, (_, i) => {
    const lower = START + step * BigInt(i);
    return partOf(lower, lower + step, 60n * UNIT);
  });
  return { curve };
}

/** Terms that the program refuses, with its error. Each is one step from what it accepts. */
export const REFUSED: readonly [string, Changes, number][] = [
  ['points of an unknown kind', { activationType: 2 }, 6006],
  ['an unknown kind of fee', base({ baseFeeMode: 3 }), 6041],
  ['a schedule without a reduction', base({ firstFactor: 1, secondFactor: 1n }), 6034],
  ['a schedule without periods', base({ secondFactor: 1n, thirdFactor: 1n }), 6034],
  ['a schedule without a frequency', base({ firstFactor: 1, thirdFactor: 1n }), 6034],
  ['a fee below the lowest', base({ cliffFeeNumerator: 2_499_999n }), 6003],
  ['a fee above the highest', base({ cliffFeeNumerator: 990_000_001n }), 6003],
  ['a fee of the whole', base({ cliffFeeNumerator: 1_000_000_000n }), 6001],
  ['a fee that falls below the lowest', falling(76, 100_000n), 6003],
  ['a fee that falls below zero', falling(2, 9_000_000n), 6000],
  ['a reduction that overflows', falling(2, U64_MAX), 6000],
  ['a reduction by the whole', falling(1, 10_000n, DbcBaseFeeMode.EXPONENTIAL), 6000],
  ['a reduction by more than the whole', falling(1, 10_001n, DbcBaseFeeMode.EXPONENTIAL), 6000],
  ['a rate limiter of fees in the output token', { ...limited(100, 60n), collectFeeMode: 1 }, 6042],
  ['a rate limiter of an unknown token', { ...limited(100, 60n), collectFeeMode: 2 }, 6009],
  ['a rate limiter with too low a fee', withCliff(limited(100, 60n), 2_499_999n), 6042],
  ['a rate limiter with too high a fee', withCliff(limited(100, 60n), 990_000_001n), 6042],
  ['a rate limiter without an increment', limited(0, 60n), 6042],
  ['a rate limiter without a duration', limited(100, 0n), 6042],
  ['a rate limiter without an amount', limited(100, 60n, 0n), 6042],
  ['a rate limiter of more than 12 hours', limited(100, 43_201n), 6042],
  ['a rate limiter of more slots', { ...limited(100, 108_001n), activationType: 0 }, 6042],
  ['an increment of the whole', limited(10_000, 60n), 6042],
  ['another bin step', dynamic({ binStep: 2 }), 6011],
  ['another bin step as a fraction', dynamic({ binStepU128: DYNAMIC.binStepU128 + 1n }), 6011],
  ['a filter as long as the decay', dynamic({ filterPeriod: 120 }), 6011],
  ['a reduction of more than the whole', dynamic({ reductionFactor: 10_001 }), 6011],
  ['a control of more than 24 bits', dynamic({ variableFeeControl: 0x100_0000 }), 6011],
  ['an accumulator of more than 24 bits', dynamic({ maxVolatilityAccumulator: 0x100_0000 }), 6011],
  ['a creator with more than all fees', { creatorTradingFeePercentage: 101 }, 6035],
  ['a migration fee of all', { migrationFee: { feePercentage: 100, creatorFeePercentage: 0 } }, 6039],
  ['a share of no migration fee', { migrationFee: { feePercentage: 0, creatorFeePercentage: 1 } }, 6039],
  ['too large a share of it', { migrationFee: { feePercentage: 1, creatorFeePercentage: 101 } }, 6039],
  ['fees in an unknown token', { collectFeeMode: 2 }, 6009],
  ['a migration to DAMM v1', { migrationOption: 0 }, 6015],
  ['an unknown migration', { migrationOption: 2 }, 6015],
  ['an unknown migration fee option', { migrationFeeOption: 7 }, 6010],
  ['an unknown token program', { tokenType: 2 }, 6017],
  ['chosen fees with a fixed option', { ...chosen({}), migrationFeeOption: 0 }, 6044],
  ['a compounded share with a fixed option', { compoundingFeeBps: 1 }, 6044],
  ['too low a migrated fee', chosen({ poolFeeBps: 9 }), 6044],
  ['too high a migrated fee', chosen({ poolFeeBps: 1_001 }), 6044],
  ['migrated fees in an unknown token', chosen({ collectFeeMode: 3 }), 6009],
  ['compounding of nothing', chosen({ collectFeeMode: 2 }), 6044],
  ['compounding of too much', chosen({ collectFeeMode: 2 }, { compoundingFeeBps: 10_001 }), 6044],
  ['compounding where nothing compounds', chosen({}, { compoundingFeeBps: 1 }), 6044],
  ['an unknown dynamic fee', chosen({ dynamicFee: 2 }), 6044],
  ['an unknown migrated base fee', chosen({}, { migratedPoolBaseFeeMode: 5 }), 6006],
  ['a migrated rate limiter', chosen({}, { migratedPoolBaseFeeMode: 2 }), 6044],
  ['a migrated schedule by time', { ...byPrice({}), migratedPoolBaseFeeMode: 0 }, 6044],
  ['a schedule by price without periods', byPrice({ numberOfPeriod: 0 }), 6056],
  ['a schedule by price without steps', byPrice({ sqrtPriceStepBps: 0 }), 6056],
  ['a schedule by price without a duration', byPrice({ schedulerExpirationDuration: 0 }), 6056],
  ['a schedule by price without a reduction', byPrice({ reductionFactor: 0n }), 6056],
  ['a migrated fee that falls below zero', byPrice({ numberOfPeriod: 11 }), 6000],
  ['a migrated fee that falls too low', byPrice({ numberOfPeriod: 10 }), 6003],
  [
    'liquidity that is released after more than two years',
    vesting({ cliffDurationFromMigrationTime: 2 * 365 * DAY + 1 }),
    6031,
  ],
  [
    'steps that take more than two years',
    vesting({ bpsPerPeriod: 100, numberOfPeriods: 100, frequency: 8 * DAY }),
    6031,
  ],
  ['steps without time between them', vesting({ bpsPerPeriod: 1, numberOfPeriods: 1 }), 6031],
  [
    'steps that release more than all',
    vesting({ bpsPerPeriod: 101, numberOfPeriods: 100, frequency: 1 }),
    6000,
  ],
  ['steps of which the number overflows', vesting({ bpsPerPeriod: 9_999, numberOfPeriods: 9 }), 6000],
  ['a vesting of nothing', vesting({ vestingPercentage: 0, frequency: DAY }), 6031],
  ['a vesting of more than all', vesting({ vestingPercentage: 101 }), 6006],
  ['an unknown authority', { tokenUpdateAuthority: 5 }, 6037],
  ['too few decimals', { tokenDecimal: 5 }, 6016],
  ['too many decimals', { tokenDecimal: 10 }, 6016],
  ['shares of less than all', { partnerPermanentLockedLiquidityPercentage: 49 }, 6018],
  ['shares of more than all', { partnerLiquidityPercentage: 1 }, 6018],
  ['shares that overflow', { partnerLiquidityPercentage: 255 }, 6000],
  ['nothing to raise', { migrationQuoteThreshold: 0n }, 6019],
  [
    'base tokens that vest without time between them',
    { lockedVesting: { ...NO_LOCKED_VESTING, cliffUnlockAmount: 1n } },
    6031,
  ],
  ['a vesting of no base tokens', { lockedVesting: { ...NO_LOCKED_VESTING, frequency: 1n } }, 6031],
  [
    'a vesting of more base tokens than there can be',
    { lockedVesting: { ...NO_LOCKED_VESTING, frequency: 1n, amountPerPeriod: U64_MAX, numberOfPeriod: 2n } },
    6000,
  ],
  ['too low a creation fee', { poolCreationFee: 999_999n }, 6051],
  ['too high a creation fee', { poolCreationFee: 100_000_000_001n }, 6051],
  ['too low a price', { sqrtStartPrice: MIN_DBC_SQRT_PRICE - 1n }, 6021],
  ['too high a price', { sqrtStartPrice: MAX_DBC_SQRT_PRICE }, 6021],
  ['no curve', { curve: [] }, 6021],
  ['seventeen parts', sixteenParts(17), 6021],
  ['a curve that starts later', { sqrtStartPrice: START * 2n }, 6021],
  ['a curve without liquidity', { curve: [{ sqrtPrice: START * 2n, liquidity: 0n }] }, 6021],
  [
    'a curve that falls',
    { curve: [partOf(START, START * 2n, UNIT), { sqrtPrice: START * 2n, liquidity: 1n }] },
    6021,
  ],
  ['a curve above all prices', { curve: [{ sqrtPrice: MAX_DBC_SQRT_PRICE + 1n, liquidity: 1n }] }, 6021],
  ['a curve that does not raise the threshold', { migrationQuoteThreshold: 1_001n * UNIT }, 6012],
  [
    'a threshold that is raised at the highest price only',
    { curve: [partOf(START, MAX_DBC_SQRT_PRICE, 800n * UNIT)] },
    6021,
  ],
  ['a fixed supply that is too small', supply(1_000n * UNIT, 1_000n * UNIT), 6020],
  ['a fixed supply that grows', supply(10n ** 15n, 10n ** 15n + 1n), 6020],
  [
    'less locked than a tenth',
    {
      partnerPermanentLockedLiquidityPercentage: 9,
      creatorPermanentLockedLiquidityPercentage: 0,
      creatorLiquidityPercentage: 91,
    },
    6055,
  ],
  [
    'all released within a day',
    {
      ...vesting({ vestingPercentage: 50, cliffDurationFromMigrationTime: DAY }),
      partnerPermanentLockedLiquidityPercentage: 0,
      partnerLiquidityPercentage: 50,
    },
    6055,
  ],
];

function withCliff(changes: Changes, cliffFeeNumerator: bigint): Changes {
  const { poolFees = PARAMETERS.poolFees } = changes;
  return { ...changes, poolFees: { ...poolFees, baseFee: { ...poolFees.baseFee, cliffFeeNumerator } } };
}

function supply(preMigrationTokenSupply: bigint, postMigrationTokenSupply: bigint): Changes {
  return { tokenSupply: { preMigrationTokenSupply, postMigrationTokenSupply } };
}
