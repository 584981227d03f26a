import type { AccountFilter } from '../../../chain/accounts.ts';
import { ByteReader } from '../../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import type {
  DbcBaseFee,
  DbcCurvePoint,
  DbcDynamicFee,
  DbcLiquidityVesting,
  DbcLockedVesting,
  DbcMarketCapFeeScheduler,
  DbcPoolConfig,
  DbcPoolFees,
} from './config-terms.ts';

const CONFIG_SIZE = 1048;
const POINT_SIZE = 32;
const CONFIG_TAG = Uint8Array.of(26, 108, 14, 123, 116, 230, 129, 43);

/** The filter by which RPC nodes tell configs from the program's other accounts. */
export const DBC_CONFIG_FILTER: AccountFilter = {
  dataSize: CONFIG_SIZE,
  memcmp: { offset: 0, bytes: CONFIG_TAG },
};

/** Whether the bytes have the size and discriminator of a config. */
export function isDbcConfigData(data: Uint8Array): boolean {
  return data.length === CONFIG_SIZE && CONFIG_TAG.every((byte, i) => data[i] === byte);
}

/** @throws LayoutInvalid unless `isDbcConfigData` */
export function decodeDbcConfig(data: Uint8Array): DbcPoolConfig {
  const from = new ByteReader(data, 'config of a bonding curve');
  from.expect(CONFIG_TAG, 'discriminator');
  const owners = { quoteMint: from.address(), feeClaimer: from.address(), leftoverReceiver: from.address() };
  const poolFees = { baseFee: readBaseFee(from), dynamicFee: readDynamicFee(from) };
  const partnerLiquidityVestingInfo = readLiquidityVesting(from);
  const creatorLiquidityVestingInfo = readLiquidityVesting(from);
  from.skip(16);
  const options = {
    collectFeeMode: from.u8(),
    migrationOption: from.u8(),
    activationType: from.u8(),
    tokenDecimal: from.u8(),
    version: from.u8(),
    tokenType: from.u8(),
    quoteTokenFlag: from.u8(),
    partnerPermanentLockedLiquidityPercentage: from.u8(),
    partnerLiquidityPercentage: from.u8(),
    creatorPermanentLockedLiquidityPercentage: from.u8(),
    creatorLiquidityPercentage: from.u8(),
    migrationFeeOption: from.u8(),
    fixedTokenSupplyFlag: from.u8(),
    creatorTradingFeePercentage: from.u8(),
    tokenUpdateAuthority: from.u8(),
    migrationFeePercentage: from.u8(),
    creatorMigrationFeePercentage: from.u8(),
  };
  from.skip(7);
  const amounts = {
    swapBaseAmount: from.u64(),
    migrationQuoteThreshold: from.u64(),
    migrationBaseThreshold: from.u64(),
    migrationSqrtPrice: from.u128(),
    lockedVestingConfig: readLockedVesting(from),
    preMigrationTokenSupply: from.u64(),
    postMigrationTokenSupply: from.u64(),
  };
  const migrated = {
    migratedCollectFeeMode: from.u8(),
    migratedDynamicFee: from.u8(),
    migratedPoolFeeBps: from.u16(),
    migratedPoolBaseFeeMode: from.u8(),
    enableFirstSwapWithMinFee: from.u8() !== 0,
    migratedCompoundingFeeBps: from.u16(),
    poolCreationFee: from.u64(),
    migratedPoolBaseFee: readMarketCapFeeScheduler(from),
  };
  const sqrtStartPrice = from.u128();
  const curve = readCurve(from);
  from.end();
  return {
    ...owners,
    poolFees,
    partnerLiquidityVestingInfo,
    creatorLiquidityVestingInfo,
    ...options,
    ...amounts,
    ...migrated,
    sqrtStartPrice,
    curve,
  };
}

function readBaseFee(from: ByteReader): DbcBaseFee {
  const [cliffFeeNumerator, secondFactor, thirdFactor] = [from.u64(), from.u64(), from.u64()];
  const [firstFactor, baseFeeMode] = [from.u16(), from.u8()];
  from.skip(5);
  return { cliffFeeNumerator, firstFactor, secondFactor, thirdFactor, baseFeeMode };
}

function readDynamicFee(from: ByteReader): DbcDynamicFee | null {
  const isOn = from.u8() !== 0;
  from.skip(7);
  const [maxVolatilityAccumulator, variableFeeControl] = [from.u32(), from.u32()];
  const [binStep, filterPeriod, decayPeriod, reductionFactor] = [
    from.u16(),
    from.u16(),
    from.u16(),
    from.u16(),
  ];
  from.skip(8);
  const binStepU128 = from.u128();
  if (!isOn) return null;
  return {
    binStep,
    binStepU128,
    filterPeriod,
    decayPeriod,
    reductionFactor,
    maxVolatilityAccumulator,
    variableFeeControl,
  };
}

function readLiquidityVesting(from: ByteReader): DbcLiquidityVesting {
  from.skip(1);
  const vestingPercentage = from.u8();
  from.skip(2);
  const [bpsPerPeriod, numberOfPeriods] = [from.u16(), from.u16()];
  const [frequency, cliffDurationFromMigrationTime] = [from.u32(), from.u32()];
  return { vestingPercentage, bpsPerPeriod, numberOfPeriods, cliffDurationFromMigrationTime, frequency };
}

function readLockedVesting(from: ByteReader): DbcLockedVesting {
  const vesting = {
    amountPerPeriod: from.u64(),
    cliffDurationFromMigrationTime: from.u64(),
    frequency: from.u64(),
    numberOfPeriod: from.u64(),
    cliffUnlockAmount: from.u64(),
  };
  from.skip(8);
  return vesting;
}

function readMarketCapFeeScheduler(from: ByteReader): DbcMarketCapFeeScheduler {
  return {
    numberOfPeriod: from.u16(),
    sqrtPriceStepBps: from.u16(),
    schedulerExpirationDuration: from.u32(),
    reductionFactor: from.u64(),
  };
}

/** Reads all points, of which those without a price are unused. */
function readCurve(from: ByteReader): DbcCurvePoint[] {
  const curve: DbcCurvePoint[] = [];
  while (from.remaining >= POINT_SIZE) {
    const point = { sqrtPrice: from.u128(), liquidity: from.u128() };
    if (point.sqrtPrice !== 0n) curve.push(point);
  }
  return curve;
}

export function encodeDbcConfig(config: DbcPoolConfig): Uint8Array {
  const to = new ByteWriter(CONFIG_SIZE).bytes(CONFIG_TAG);
  to.address(config.quoteMint).address(config.feeClaimer).address(config.leftoverReceiver);
  writeFees(to, config.poolFees);
  writeLiquidityVesting(to, config.partnerLiquidityVestingInfo);
  writeLiquidityVesting(to, config.creatorLiquidityVestingInfo);
  to.zeros(16).u8(config.collectFeeMode).u8(config.migrationOption).u8(config.activationType);
  to.u8(config.tokenDecimal).u8(config.version).u8(config.tokenType).u8(config.quoteTokenFlag);
  to.u8(config.partnerPermanentLockedLiquidityPercentage).u8(config.partnerLiquidityPercentage);
  to.u8(config.creatorPermanentLockedLiquidityPercentage).u8(config.creatorLiquidityPercentage);
  to.u8(config.migrationFeeOption).u8(config.fixedTokenSupplyFlag).u8(config.creatorTradingFeePercentage);
  to.u8(config.tokenUpdateAuthority).u8(config.migrationFeePercentage);
  to.u8(config.creatorMigrationFeePercentage).zeros(7).u64(config.swapBaseAmount);
  to.u64(config.migrationQuoteThreshold).u64(config.migrationBaseThreshold).u128(config.migrationSqrtPrice);
  const vesting = config.lockedVestingConfig;
  to.u64(vesting.amountPerPeriod).u64(vesting.cliffDurationFromMigrationTime).u64(vesting.frequency);
  to.u64(vesting.numberOfPeriod).u64(vesting.cliffUnlockAmount).zeros(8);
  to.u64(config.preMigrationTokenSupply).u64(config.postMigrationTokenSupply);
  to.u8(config.migratedCollectFeeMode).u8(config.migratedDynamicFee).u16(config.migratedPoolFeeBps);
  to.u8(config.migratedPoolBaseFeeMode).bool(config.enableFirstSwapWithMinFee);
  to.u16(config.migratedCompoundingFeeBps).u64(config.poolCreationFee);
  const scheduler = config.migratedPoolBaseFee;
  to.u16(scheduler.numberOfPeriod).u16(scheduler.sqrtPriceStepBps);
  to.u32(scheduler.schedulerExpirationDuration).u64(scheduler.reductionFactor).u128(config.sqrtStartPrice);
  for (const { sqrtPrice, liquidity } of config.curve) to.u128(sqrtPrice).u128(liquidity);
  return to.zeros(CONFIG_SIZE - to.length).finish();
}

function writeFees(to: ByteWriter, { baseFee, dynamicFee }: DbcPoolFees): void {
  to.u64(baseFee.cliffFeeNumerator).u64(baseFee.secondFactor).u64(baseFee.thirdFactor);
  to.u16(baseFee.firstFactor).u8(baseFee.baseFeeMode).zeros(5);
  if (dynamicFee === null) {
    to.zeros(48);
    return;
  }
  to.u8(1).zeros(7).u32(dynamicFee.maxVolatilityAccumulator).u32(dynamicFee.variableFeeControl);
  to.u16(dynamicFee.binStep).u16(dynamicFee.filterPeriod).u16(dynamicFee.decayPeriod);
  to.u16(dynamicFee.reductionFactor).zeros(8).u128(dynamicFee.binStepU128);
}

/** The program marks terms of which any is not zero. */
function writeLiquidityVesting(to: ByteWriter, vesting: DbcLiquidityVesting): void {
  to.bool(Object.values(vesting).some((each) => each !== 0));
  to.u8(vesting.vestingPercentage).zeros(2).u16(vesting.bpsPerPeriod).u16(vesting.numberOfPeriods);
  to.u32(vesting.frequency).u32(vesting.cliffDurationFromMigrationTime);
}
