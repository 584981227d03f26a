import { describe, expect, it } from 'vitest';
import { type Address, toAddress } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import { sha256 } from '../../../solana/encoding/sha256.ts';
import { PARAMETERS } from '../../../../programs/meteora-dbc/tests/fixture.ts';
import { type DbcConfigParameters, encodeDbcConfigParameters } from './config-parameters.ts';
import { decodeDbcConfig, encodeDbcConfig, isDbcConfigData } from './layout-config.ts';
import { decodeDbcPool, encodeDbcPool, isDbcPoolData } from './layout-pool.ts';

describe('encodeDbcConfig and decodeDbcConfig', () => {
  it.each([0, 1, 2, 3, 4])('have the layout of the public interface (case %i)', (seed) => {
    const { bytes, value } = write('PoolConfig', [...CONFIG, ...points(20)], seed);
    const { curve, ...terms } = value as { readonly curve: Record<string, unknown> };
    expect(isDbcConfigData(bytes)).toBe(true);
    expect(decodeDbcConfig(bytes)).toEqual({ ...terms, curve: Object.values(curve) });
    expect(Buffer.from(encodeDbcConfig(decodeDbcConfig(bytes)))).toEqual(Buffer.from(bytes));
  });

  it('keep what is not used as zeros', () => {
    const { bytes } = write('PoolConfig', [...CONFIG, ...points(20)], 7);
    const config = decodeDbcConfig(bytes);
    const none = { vestingPercentage: 0, bpsPerPeriod: 0, numberOfPeriods: 0, frequency: 0 };
    const plain = {
      ...config,
      poolFees: { ...config.poolFees, dynamicFee: null },
      creatorLiquidityVestingInfo: { ...none, cliffDurationFromMigrationTime: 0 },
      curve: config.curve.slice(0, 3),
    };
    const encoded = encodeDbcConfig(plain);
    expect(decodeDbcConfig(encoded)).toEqual(plain);
    expect(encoded.subarray(136, 184).every((byte) => byte === 0)).toBe(true);
    expect(encoded.subarray(200, 216).every((byte) => byte === 0)).toBe(true);
    expect(encoded.subarray(408 + 3 * 32).every((byte) => byte === 0)).toBe(true);
  });

  it('refuse accounts of another kind and size', () => {
    const { bytes } = write('PoolConfig', [...CONFIG, ...points(20)], 0);
    expect(isDbcConfigData(bytes.subarray(1))).toBe(false);
    expect(isDbcPoolData(bytes)).toBe(false);
    expect(() => decodeDbcConfig(bytes.subarray(0, 500))).toThrow('not a valid config of a bonding curve');
    expect(() => decodeDbcPool(bytes)).toThrow('not a valid bonding curve: wrong discriminator at byte 0');
  });
});

describe('encodeDbcPool and decodeDbcPool', () => {
  it.each([0, 1, 2, 3, 4])('have the layout of the public interface (case %i)', (seed) => {
    const { bytes, value } = write('VirtualPool', POOL, seed);
    expect(isDbcPoolData(bytes)).toBe(true);
    expect(decodeDbcPool(bytes)).toEqual(value);
    expect(Buffer.from(encodeDbcPool(decodeDbcPool(bytes)))).toEqual(Buffer.from(bytes));
  });
});

describe('encodeDbcConfigParameters', () => {
  it.each([0, 1, 2, 3])('writes the fields in the order of the public interface (case %i)', (seed) => {
    const fields = [...PARAMETER_FIELDS, 'length 3', ...points(3)];
    const { bytes, value } = write('', fields, seed);
    const { curve, ...terms } = value as unknown as DbcConfigParameters & { readonly curve: object };
    const parameters = { ...terms, curve: Object.values(curve) } as DbcConfigParameters;
    expect(Buffer.from(encodeDbcConfigParameters(parameters))).toEqual(Buffer.from(bytes));
  });

  it('marks options that are left out by one byte', () => {
    const tokenSupply = { preMigrationTokenSupply: 1n, postMigrationTokenSupply: 1n };
    const full = { ...PARAMETERS, tokenSupply };
    const bare = { ...full, tokenSupply: null };
    expect(encodeDbcConfigParameters(full).length - encodeDbcConfigParameters(bare).length).toBe(16);
    expect(encodeDbcConfigParameters(bare)[27]).toBe(0);
  });
});

/** Reads `type a b` as fields of a type, and `_ n` as bytes that are not used. */
function list(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [type = '', ...names] = line.trim().split(/\s+/);
      return names.map((name) => `${type} ${name}`);
    });
}

function points(count: number): string[] {
  return Array.from({ length: count }, (_, i) => [
    `u128 curve.${i}.sqrtPrice`,
    `u128 curve.${i}.liquidity`,
  ]).flat();
}

// The fields of the public IDL, version 0.1.10, in order.

const VESTING = (whose: string): string => `
  flag vesting
  u8 ${whose}.vestingPercentage
  _ 2
  u16 ${whose}.bpsPerPeriod ${whose}.numberOfPeriods
  u32 ${whose}.frequency ${whose}.cliffDurationFromMigrationTime`;

const CONFIG = list(`
  address quoteMint feeClaimer leftoverReceiver
  u64 poolFees.baseFee.cliffFeeNumerator poolFees.baseFee.secondFactor poolFees.baseFee.thirdFactor
  u16 poolFees.baseFee.firstFactor
  u8 poolFees.baseFee.baseFeeMode
  _ 5
  flag dynamicFee
  _ 7
  u32 poolFees.dynamicFee.maxVolatilityAccumulator poolFees.dynamicFee.variableFeeControl
  u16 poolFees.dynamicFee.binStep poolFees.dynamicFee.filterPeriod
  u16 poolFees.dynamicFee.decayPeriod poolFees.dynamicFee.reductionFactor
  _ 8
  u128 poolFees.dynamicFee.binStepU128
  ${VESTING('partnerLiquidityVestingInfo')}
  ${VESTING('creatorLiquidityVestingInfo')}
  _ 16
  u8 collectFeeMode migrationOption activationType tokenDecimal version tokenType quoteTokenFlag
  u8 partnerPermanentLockedLiquidityPercentage partnerLiquidityPercentage
  u8 creatorPermanentLockedLiquidityPercentage creatorLiquidityPercentage
  u8 migrationFeeOption fixedTokenSupplyFlag creatorTradingFeePercentage tokenUpdateAuthority
  u8 migrationFeePercentage creatorMigrationFeePercentage
  _ 7
  u64 swapBaseAmount migrationQuoteThreshold migrationBaseThreshold
  u128 migrationSqrtPrice
  u64 lockedVestingConfig.amountPerPeriod lockedVestingConfig.cliffDurationFromMigrationTime
  u64 lockedVestingConfig.frequency lockedVestingConfig.numberOfPeriod
  u64 lockedVestingConfig.cliffUnlockAmount
  _ 8
  u64 preMigrationTokenSupply postMigrationTokenSupply
  u8 migratedCollectFeeMode migratedDynamicFee
  u16 migratedPoolFeeBps
  u8 migratedPoolBaseFeeMode
  bool enableFirstSwapWithMinFee
  u16 migratedCompoundingFeeBps
  u64 poolCreationFee
  u16 migratedPoolBaseFee.numberOfPeriod migratedPoolBaseFee.sqrtPriceStepBps
  u32 migratedPoolBaseFee.schedulerExpirationDuration
  u64 migratedPoolBaseFee.reductionFactor
  u128 sqrtStartPrice`);

const POOL = list(`
  u64 volatilityTracker.lastUpdateTimestamp
  _ 8
  u128 volatilityTracker.sqrtPriceReference volatilityTracker.volatilityAccumulator
  u128 volatilityTracker.volatilityReference
  address config creator baseMint baseVault quoteVault
  u64 baseReserve quoteReserve protocolBaseFee protocolQuoteFee partnerBaseFee partnerQuoteFee
  u128 sqrtPrice
  u64 activationPoint
  u8 poolType isMigrated isPartnerWithdrawSurplus isProtocolWithdrawSurplus migrationProgress
  u8 isWithdrawLeftover isCreatorWithdrawSurplus migrationFeeWithdrawStatus
  u64 metrics.totalProtocolBaseFee metrics.totalProtocolQuoteFee
  u64 metrics.totalTradingBaseFee metrics.totalTradingQuoteFee
  u64 finishCurveTimestamp creatorBaseFee creatorQuoteFee
  u8 legacyCreationFeeBits creationFeeBits hasSwap
  _ 5
  u16 protocolLiquidityMigrationFeeBps
  _ 6
  u64 protocolMigrationBaseFeeAmount protocolMigrationQuoteFeeAmount
  _ 24`);

const VESTING_ARGUMENT = (whose: string): string => `
  u8 ${whose}.vestingPercentage
  u16 ${whose}.bpsPerPeriod ${whose}.numberOfPeriods
  u32 ${whose}.cliffDurationFromMigrationTime ${whose}.frequency`;

const PARAMETER_FIELDS = list(`
  u64 poolFees.baseFee.cliffFeeNumerator
  u16 poolFees.baseFee.firstFactor
  u64 poolFees.baseFee.secondFactor poolFees.baseFee.thirdFactor
  u8 poolFees.baseFee.baseFeeMode
  flag dynamicFee
  u16 poolFees.dynamicFee.binStep
  u128 poolFees.dynamicFee.binStepU128
  u16 poolFees.dynamicFee.filterPeriod poolFees.dynamicFee.decayPeriod poolFees.dynamicFee.reductionFactor
  u32 poolFees.dynamicFee.maxVolatilityAccumulator poolFees.dynamicFee.variableFeeControl
  u8 collectFeeMode migrationOption activationType tokenType tokenDecimal
  u8 partnerLiquidityPercentage partnerPermanentLockedLiquidityPercentage
  u8 creatorLiquidityPercentage creatorPermanentLockedLiquidityPercentage
  u64 migrationQuoteThreshold
  u128 sqrtStartPrice
  u64 lockedVesting.amountPerPeriod lockedVesting.cliffDurationFromMigrationTime lockedVesting.frequency
  u64 lockedVesting.numberOfPeriod lockedVesting.cliffUnlockAmount
  u8 migrationFeeOption
  flag tokenSupply
  u64 tokenSupply.preMigrationTokenSupply tokenSupply.postMigrationTokenSupply
  u8 creatorTradingFeePercentage tokenUpdateAuthority
  u8 migrationFee.feePercentage migrationFee.creatorFeePercentage
  u8 migratedPoolFee.collectFeeMode migratedPoolFee.dynamicFee
  u16 migratedPoolFee.poolFeeBps
  u64 poolCreationFee
  ${VESTING_ARGUMENT('partnerLiquidityVestingInfo')}
  ${VESTING_ARGUMENT('creatorLiquidityVestingInfo')}
  u8 migratedPoolBaseFeeMode
  u16 migratedPoolMarketCapFeeSchedulerParams.numberOfPeriod
  u16 migratedPoolMarketCapFeeSchedulerParams.sqrtPriceStepBps
  u32 migratedPoolMarketCapFeeSchedulerParams.schedulerExpirationDuration
  u64 migratedPoolMarketCapFeeSchedulerParams.reductionFactor
  bool enableFirstSwapWithMinFee
  u16 compoundingFeeBps
  _ 2`);

type Nested = { [name: string]: Nested | number | bigint | boolean | Address };

/** Writes each field with bytes that follow from its path, behind the discriminator of the account. */
function write(account: string, fields: readonly string[], seed: number) {
  const to = new ByteWriter(1200);
  if (account !== '') to.bytes(sha256(Buffer.from(`account:${account}`)).subarray(0, 8));
  const value: Nested = {};
  for (const field of fields) {
    const [type = '', path = ''] = field.split(' ');
    const bytes = sha256(Buffer.from(`${seed} ${path}`));
    if (type === '_') to.zeros(Number(path));
    else if (type === 'flag') to.u8(1);
    else if (type === 'length') to.u32(Number(path));
    else put(value, path.split('.'), writeOne(to, type, bytes));
  }
  return { bytes: to.finish(), value };
}

function writeOne(to: ByteWriter, type: string, bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (type === 'address') {
    to.bytes(bytes);
    return toAddress(bytes);
  }
  if (type === 'bool') {
    to.bool(true);
    return true;
  }
  const size = Number(type.slice(1)) / 8;
  to.bytes(bytes.subarray(0, size));
  if (size === 1) return view.getUint8(0);
  if (size === 2) return view.getUint16(0, true);
  if (size === 4) return view.getUint32(0, true);
  const low = view.getBigUint64(0, true);
  return size === 8 ? low : (view.getBigUint64(8, true) << 64n) | low;
}

function put(into: Nested, path: readonly string[], value: Nested[string]): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) into[name] = value;
  else {
    into[name] ??= {};
    put(into[name] as Nested, rest, value);
  }
}
