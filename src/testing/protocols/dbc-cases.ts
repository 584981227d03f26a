import fc from 'fast-check';
import type { Account } from '../../chain/accounts.ts';
import type { ChainClock } from '../../chain/chain.ts';
import type {
  DbcBaseFee,
  DbcDynamicFee,
  DbcPoolConfig,
} from '../../protocols/meteora-dbc/program/config-terms.ts';
import {
  NO_LIQUIDITY_VESTING,
  NO_LOCKED_VESTING,
  NO_MARKET_CAP_FEE_SCHEDULER,
} from '../../protocols/meteora-dbc/program/config-terms.ts';
import { encodeDbcConfig } from '../../protocols/meteora-dbc/program/layout-config.ts';
import { type DbcVirtualPool, encodeDbcPool } from '../../protocols/meteora-dbc/program/layout-pool.ts';
import { METEORA_DBC_PROGRAM } from '../../protocols/meteora-dbc/program/program.ts';
import type { AccountReader } from '../../protocol/venue/venue.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { encodeMint } from '../../solana/programs/token/mint.ts';
import { divideUp, minimum, U64_MAX } from '../../solana/units.ts';

/** A swap over a curve: a configuration, a pool under it, and what is asked. */
export interface DbcCase {
  readonly config: DbcPoolConfig;
  readonly pool: DbcVirtualPool;
  readonly clock: ChainClock;
  /** 0 sells the base token, 1 buys it. */
  readonly input: 0 | 1;
  readonly amount: bigint;
}

const named = (number: number): Address => toAddress(new Uint8Array(32).fill(number));

/** The accounts of the cases. */
export const DBC_CASE = {
  pool: named(1),
  config: named(2),
  baseMint: named(3),
  quoteMint: named(4),
  baseVault: named(5),
  quoteVault: named(6),
} as const;

export const DBC_CLOCK: ChainClock = { slot: 400_000_000n, epoch: 900n, unixTimestamp: 1_800_000_000n };

/** A configuration with one range of prices from 2^-20 up, a fee of one percent in quote tokens, and the threshold of its last price. */
export const PLAIN_DBC_CONFIG: DbcPoolConfig = {
  quoteMint: DBC_CASE.quoteMint,
  feeClaimer: SYSTEM_PROGRAM,
  leftoverReceiver: SYSTEM_PROGRAM,
  poolFees: {
    baseFee: {
      cliffFeeNumerator: 10_000_000n,
      firstFactor: 0,
      secondFactor: 0n,
      thirdFactor: 0n,
      baseFeeMode: 0,
    },
    dynamicFee: null,
  },
  partnerLiquidityVestingInfo: NO_LIQUIDITY_VESTING,
  creatorLiquidityVestingInfo: NO_LIQUIDITY_VESTING,
  collectFeeMode: 0,
  migrationOption: 1,
  activationType: 1,
  tokenDecimal: 6,
  version: 0,
  tokenType: 0,
  quoteTokenFlag: 0,
  partnerPermanentLockedLiquidityPercentage: 100,
  partnerLiquidityPercentage: 0,
  creatorPermanentLockedLiquidityPercentage: 0,
  creatorLiquidityPercentage: 0,
  migrationFeeOption: 0,
  fixedTokenSupplyFlag: 0,
  creatorTradingFeePercentage: 0,
  tokenUpdateAuthority: 1,
  migrationFeePercentage: 0,
  creatorMigrationFeePercentage: 0,
  swapBaseAmount: 0n,
  migrationQuoteThreshold: 1n << 32n,
  migrationBaseThreshold: 1_000_000n,
  migrationSqrtPrice: 1n << 55n,
  lockedVestingConfig: NO_LOCKED_VESTING,
  preMigrationTokenSupply: 0n,
  postMigrationTokenSupply: 0n,
  migratedCollectFeeMode: 0,
  migratedDynamicFee: 0,
  migratedPoolFeeBps: 0,
  migratedPoolBaseFeeMode: 0,
  enableFirstSwapWithMinFee: false,
  migratedCompoundingFeeBps: 0,
  poolCreationFee: 0n,
  migratedPoolBaseFee: NO_MARKET_CAP_FEE_SCHEDULER,
  sqrtStartPrice: 1n << 54n,
  curve: [{ sqrtPrice: 1n << 56n, liquidity: 1n << 106n }],
};

/** A pool under the plain configuration, in the state of its creation at the time of `DBC_CLOCK`. */
export const PLAIN_DBC_POOL: DbcVirtualPool = {
  volatilityTracker: {
    lastUpdateTimestamp: 0n,
    sqrtPriceReference: 0n,
    volatilityAccumulator: 0n,
    volatilityReference: 0n,
  },
  config: DBC_CASE.config,
  creator: SYSTEM_PROGRAM,
  baseMint: DBC_CASE.baseMint,
  baseVault: DBC_CASE.baseVault,
  quoteVault: DBC_CASE.quoteVault,
  baseReserve: 1_000_000_000_000_000n,
  quoteReserve: 0n,
  protocolBaseFee: 0n,
  protocolQuoteFee: 0n,
  partnerBaseFee: 0n,
  partnerQuoteFee: 0n,
  sqrtPrice: 1n << 54n,
  activationPoint: DBC_CLOCK.unixTimestamp,
  poolType: 0,
  isMigrated: 0,
  isPartnerWithdrawSurplus: 0,
  isProtocolWithdrawSurplus: 0,
  migrationProgress: 0,
  isWithdrawLeftover: 0,
  isCreatorWithdrawSurplus: 0,
  migrationFeeWithdrawStatus: 0,
  metrics: {
    totalProtocolBaseFee: 0n,
    totalProtocolQuoteFee: 0n,
    totalTradingBaseFee: 0n,
    totalTradingQuoteFee: 0n,
  },
  finishCurveTimestamp: 0n,
  creatorBaseFee: 0n,
  creatorQuoteFee: 0n,
  legacyCreationFeeBits: 0,
  creationFeeBits: 0,
  hasSwap: 0,
  protocolLiquidityMigrationFeeBps: 20,
  protocolMigrationBaseFeeAmount: 0n,
  protocolMigrationQuoteFeeAmount: 0n,
};

export function createDbcAccount(owner: Address, data: Uint8Array): Account {
  return { owner, data, lamports: 1n, executable: false, rentEpoch: 0n };
}

/** Returns a reader of the accounts of a case, and of others that replace or follow them. */
export function createDbcReader(
  { config, pool }: Pick<DbcCase, 'config' | 'pool'>,
  others: ReadonlyMap<Address, Account> = new Map(),
): AccountReader {
  const mint = { mintAuthority: null, supply: 0n, decimals: 6, freezeAuthority: null, extensions: [] };
  const accounts = new Map([
    [DBC_CASE.pool, createDbcAccount(METEORA_DBC_PROGRAM, encodeDbcPool(pool))],
    [DBC_CASE.config, createDbcAccount(METEORA_DBC_PROGRAM, encodeDbcConfig(config))],
    [DBC_CASE.baseMint, createDbcAccount(TOKEN_PROGRAM, encodeMint(mint))],
    [DBC_CASE.quoteMint, createDbcAccount(TOKEN_PROGRAM, encodeMint(mint))],
    ...others,
  ]);
  return (address) => accounts.get(address) ?? null;
}

const MIN_FEE = 2_500_000n;
const MAX_FEE = 990_000_000n;
const fee = fc.bigInt(MIN_FEE, MAX_FEE);

const linearFee: fc.Arbitrary<DbcBaseFee> = fc
  .record({ cliff: fee, periods: fc.integer({ min: 1, max: 1_000 }), every: fc.bigInt(1n, 1_000n) })
  .chain(({ cliff, periods, every }) =>
    fc.bigInt(0n, (cliff - MIN_FEE) / BigInt(periods)).map((reduction) => ({
      cliffFeeNumerator: cliff,
      firstFactor: periods,
      secondFactor: every,
      thirdFactor: reduction,
      baseFeeMode: 0,
    })),
  );

const exponentialFee: fc.Arbitrary<DbcBaseFee> = fc.record({
  cliffFeeNumerator: fee,
  firstFactor: fc.integer({ min: 1, max: 200 }),
  secondFactor: fc.bigInt(1n, 1_000n),
  thirdFactor: fc.bigInt(1n, 900n),
  baseFeeMode: fc.constant(1),
});

const limitedFee: fc.Arbitrary<DbcBaseFee> = fc.record({
  cliffFeeNumerator: fee,
  firstFactor: fc.integer({ min: 1, max: 9_999 }),
  secondFactor: fc.bigInt(1n, 100_000n),
  thirdFactor: fc.integer({ min: 0, max: 120 }).map((tenths) => BigInt(Math.floor(10 ** (tenths / 10)))),
  baseFeeMode: fc.constant(2),
});

const constantFee: fc.Arbitrary<DbcBaseFee> = fee.map((cliffFeeNumerator) => ({
  ...PLAIN_DBC_CONFIG.poolFees.baseFee,
  cliffFeeNumerator,
}));

const MAX_VOLATILITY = 14_460_000;

/** The terms that the program accepts, apart from how strong the fee is. */
const dynamicFee: fc.Arbitrary<DbcDynamicFee> = fc.integer({ min: 1, max: 900_000 }).map((control) => ({
  binStep: 1,
  binStepU128: 1_844_674_407_370_955n,
  filterPeriod: 10,
  decayPeriod: 120,
  reductionFactor: 5_000,
  maxVolatilityAccumulator: MAX_VOLATILITY,
  variableFeeControl: control,
}));

const U127 = (1n << 127n) - 1n;

/** A range of prices, and about how many quote tokens lead through it. */
const range = fc.record({
  growthBps: fc.oneof(fc.bigInt(1n, 500n), fc.bigInt(500n, 60_000n)),
  quote: fc.integer({ min: 0, max: 130 }).map((tenths) => BigInt(Math.floor(10 ** (tenths / 10)))),
});

const curve = fc
  .record({
    start: fc
      .integer({ min: 48, max: 78 })
      .chain((bits) => fc.bigInt(1n << BigInt(bits), 2n << BigInt(bits))),
    ranges: fc.array(range, { minLength: 1, maxLength: 16 }),
    /** Where the last range ends for the curve, and where the pool is, in millionths. */
    migration: fc.oneof(fc.constant(1_000_000n), fc.bigInt(1n, 1_000_000n)),
    price: fc.oneof(fc.constant(0n), fc.bigInt(0n, 1_000_000n)),
  })
  .map(({ start, ranges, migration, price }) => {
    let lower = start;
    const points = ranges.map(({ growthBps, quote }) => {
      const sqrtPrice = lower + (lower * growthBps) / 10_000n + 1n;
      const liquidity = minimum((quote << 128n) / (sqrtPrice - lower) + 1n, U127);
      lower = sqrtPrice;
      return { sqrtPrice, liquidity };
    });
    const [before, last] = [points.at(-2)?.sqrtPrice ?? start, points.at(-1)?.sqrtPrice ?? start];
    const migrationSqrtPrice = before + divideUp((last - before) * migration, 1_000_000n);
    const sqrtPrice = start + ((migrationSqrtPrice - start) * price) / 1_000_000n;
    return { start, points, migrationSqrtPrice, sqrtPrice };
  });

/** Random curves, pools and swaps, as far as they are within what the program stores. */
export const dbcCase: fc.Arbitrary<DbcCase> = fc
  .record({
    curve,
    baseFee: fc.oneof(constantFee, linearFee, exponentialFee, limitedFee),
    dynamicFee: fc.option(dynamicFee),
    accumulator: fc.oneof(fc.constant(0n), fc.bigInt(0n, BigInt(MAX_VOLATILITY))),
    collectFeeMode: fc.constantFrom(0, 1),
    activationType: fc.constantFrom(0, 1),
    passed: fc.oneof(fc.bigInt(0n, 1_000n), fc.bigInt(0n, 300_000n)),
    input: fc.constantFrom<(0 | 1)[]>(0, 1),
    amount: fc.integer({ min: 0, max: 1_500 }).map((each) => BigInt(Math.floor(10 ** (each / 100)))),
  })
  .map(({ curve: { start, points, migrationSqrtPrice, sqrtPrice }, ...each }): DbcCase => {
    const quoteUpTo = (price: bigint) => sumQuote(start, points, price);
    const config: DbcPoolConfig = {
      ...PLAIN_DBC_CONFIG,
      poolFees: { baseFee: each.baseFee, dynamicFee: each.dynamicFee },
      // A rate limiter takes its fee from the purchase.
      collectFeeMode: each.baseFee.baseFeeMode === 2 ? 0 : each.collectFeeMode,
      activationType: each.activationType,
      sqrtStartPrice: start,
      migrationSqrtPrice,
      migrationQuoteThreshold: minimum(quoteUpTo(migrationSqrtPrice), U64_MAX),
      curve: points,
    };
    const pool: DbcVirtualPool = {
      ...PLAIN_DBC_POOL,
      sqrtPrice,
      quoteReserve: minimum(quoteUpTo(sqrtPrice), U64_MAX),
      baseReserve: U64_MAX / 2n,
      activationPoint: (each.activationType === 0 ? DBC_CLOCK.slot : DBC_CLOCK.unixTimestamp) - each.passed,
      volatilityTracker: {
        lastUpdateTimestamp: DBC_CLOCK.unixTimestamp - 5n,
        sqrtPriceReference: sqrtPrice,
        volatilityAccumulator: each.accumulator,
        volatilityReference: 0n,
      },
      hasSwap: 1,
    };
    return { config, pool, clock: DBC_CLOCK, input: each.input, amount: each.amount };
  });

function sumQuote(start: bigint, points: DbcPoolConfig['curve'], price: bigint): bigint {
  let [lower, sum] = [start, 0n];
  for (const { sqrtPrice, liquidity } of points) {
    const upper = minimum(sqrtPrice, price);
    if (upper > lower) sum += divideUp(liquidity * (upper - lower), 1n << 128n);
    lower = sqrtPrice;
  }
  return sum;
}
