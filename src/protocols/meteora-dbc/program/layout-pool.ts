import type { AccountFilter, AddressField } from '../../../chain/accounts.ts';
import type { Address } from '../../../solana/address.ts';
import { ByteReader } from '../../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';

/** The part of a dynamic fee that swaps change. */
export interface DbcVolatility {
  readonly lastUpdateTimestamp: bigint;
  readonly sqrtPriceReference: bigint;
  readonly volatilityAccumulator: bigint;
  readonly volatilityReference: bigint;
}

/** What a curve has earned since its launch, claimed or not. */
export interface DbcPoolMetrics {
  readonly totalProtocolBaseFee: bigint;
  readonly totalProtocolQuoteFee: bigint;
  readonly totalTradingBaseFee: bigint;
  readonly totalTradingQuoteFee: bigint;
}

/** A launched token's curve. Fees are those that nobody has claimed yet. */
export interface DbcVirtualPool {
  readonly volatilityTracker: DbcVolatility;
  readonly config: Address;
  readonly creator: Address;
  readonly baseMint: Address;
  readonly baseVault: Address;
  readonly quoteVault: Address;
  readonly baseReserve: bigint;
  readonly quoteReserve: bigint;
  readonly protocolBaseFee: bigint;
  readonly protocolQuoteFee: bigint;
  readonly partnerBaseFee: bigint;
  readonly partnerQuoteFee: bigint;
  readonly sqrtPrice: bigint;
  readonly activationPoint: bigint;
  readonly poolType: number;
  readonly isMigrated: number;
  readonly isPartnerWithdrawSurplus: number;
  readonly isProtocolWithdrawSurplus: number;
  readonly migrationProgress: number;
  readonly isWithdrawLeftover: number;
  readonly isCreatorWithdrawSurplus: number;
  /** Bit 1 is set when the creator has withdrawn its share, bit 2 when the partner has. */
  readonly migrationFeeWithdrawStatus: number;
  readonly metrics: DbcPoolMetrics;
  /** The Unix second at which the curve was completed, or 0. */
  readonly finishCurveTimestamp: bigint;
  readonly creatorBaseFee: bigint;
  readonly creatorQuoteFee: bigint;
  readonly legacyCreationFeeBits: number;
  readonly creationFeeBits: number;
  readonly hasSwap: number;
  readonly protocolLiquidityMigrationFeeBps: number;
  readonly protocolMigrationBaseFeeAmount: bigint;
  readonly protocolMigrationQuoteFeeAmount: bigint;
}

const POOL_SIZE = 424;
const POOL_TAG = Uint8Array.of(213, 224, 5, 209, 98, 69, 119, 92);

/** Where the fields are by which curves are searched. */
export const DBC_POOL_OFFSETS = {
  config: 72,
  creator: 104,
  baseMint: 136,
  isMigrated: 305,
  migrationProgress: 308,
} as const;

/** The filter by which RPC nodes tell curves from the program's other accounts. */
export const DBC_POOL_FILTER: AccountFilter = {
  dataSize: POOL_SIZE,
  memcmp: { offset: 0, bytes: POOL_TAG },
};

/** The field by which the launches of a creator are found. */
export const DBC_CREATOR_FIELD: AddressField = {
  offset: DBC_POOL_OFFSETS.creator,
  dataSize: POOL_SIZE,
  startsWith: POOL_TAG,
};

/** Whether the bytes have the size and discriminator of a curve. */
export function isDbcPoolData(data: Uint8Array): boolean {
  return data.length === POOL_SIZE && POOL_TAG.every((byte, i) => data[i] === byte);
}

/** @throws LayoutInvalid unless `isDbcPoolData` */
export function decodeDbcPool(data: Uint8Array): DbcVirtualPool {
  const from = new ByteReader(data, 'bonding curve');
  from.expect(POOL_TAG, 'discriminator');
  const volatilityTracker = readVolatility(from);
  const accounts = {
    config: from.address(),
    creator: from.address(),
    baseMint: from.address(),
    baseVault: from.address(),
    quoteVault: from.address(),
  };
  const amounts = {
    baseReserve: from.u64(),
    quoteReserve: from.u64(),
    protocolBaseFee: from.u64(),
    protocolQuoteFee: from.u64(),
    partnerBaseFee: from.u64(),
    partnerQuoteFee: from.u64(),
    sqrtPrice: from.u128(),
    activationPoint: from.u64(),
  };
  const states = {
    poolType: from.u8(),
    isMigrated: from.u8(),
    isPartnerWithdrawSurplus: from.u8(),
    isProtocolWithdrawSurplus: from.u8(),
    migrationProgress: from.u8(),
    isWithdrawLeftover: from.u8(),
    isCreatorWithdrawSurplus: from.u8(),
    migrationFeeWithdrawStatus: from.u8(),
  };
  const metrics = {
    totalProtocolBaseFee: from.u64(),
    totalProtocolQuoteFee: from.u64(),
    totalTradingBaseFee: from.u64(),
    totalTradingQuoteFee: from.u64(),
  };
  const later = {
    finishCurveTimestamp: from.u64(),
    creatorBaseFee: from.u64(),
    creatorQuoteFee: from.u64(),
    legacyCreationFeeBits: from.u8(),
    creationFeeBits: from.u8(),
    hasSwap: from.u8(),
  };
  from.skip(5);
  const protocolLiquidityMigrationFeeBps = from.u16();
  from.skip(6);
  const protocolMigrationBaseFeeAmount = from.u64();
  const protocolMigrationQuoteFeeAmount = from.u64();
  from.skip(24);
  from.end();
  return {
    volatilityTracker,
    ...accounts,
    ...amounts,
    ...states,
    metrics,
    ...later,
    protocolLiquidityMigrationFeeBps,
    protocolMigrationBaseFeeAmount,
    protocolMigrationQuoteFeeAmount,
  };
}

function readVolatility(from: ByteReader): DbcVolatility {
  const lastUpdateTimestamp = from.u64();
  from.skip(8);
  return {
    lastUpdateTimestamp,
    sqrtPriceReference: from.u128(),
    volatilityAccumulator: from.u128(),
    volatilityReference: from.u128(),
  };
}

export function encodeDbcPool(pool: DbcVirtualPool): Uint8Array {
  const to = new ByteWriter(POOL_SIZE).bytes(POOL_TAG);
  const { volatilityTracker, metrics } = pool;
  to.u64(volatilityTracker.lastUpdateTimestamp).zeros(8).u128(volatilityTracker.sqrtPriceReference);
  to.u128(volatilityTracker.volatilityAccumulator).u128(volatilityTracker.volatilityReference);
  to.address(pool.config).address(pool.creator).address(pool.baseMint);
  to.address(pool.baseVault).address(pool.quoteVault).u64(pool.baseReserve).u64(pool.quoteReserve);
  to.u64(pool.protocolBaseFee).u64(pool.protocolQuoteFee).u64(pool.partnerBaseFee).u64(pool.partnerQuoteFee);
  to.u128(pool.sqrtPrice).u64(pool.activationPoint).u8(pool.poolType).u8(pool.isMigrated);
  to.u8(pool.isPartnerWithdrawSurplus).u8(pool.isProtocolWithdrawSurplus).u8(pool.migrationProgress);
  to.u8(pool.isWithdrawLeftover).u8(pool.isCreatorWithdrawSurplus).u8(pool.migrationFeeWithdrawStatus);
  to.u64(metrics.totalProtocolBaseFee).u64(metrics.totalProtocolQuoteFee);
  to.u64(metrics.totalTradingBaseFee).u64(metrics.totalTradingQuoteFee).u64(pool.finishCurveTimestamp);
  to.u64(pool.creatorBaseFee).u64(pool.creatorQuoteFee).u8(pool.legacyCreationFeeBits);
  to.u8(pool.creationFeeBits).u8(pool.hasSwap).zeros(5).u16(pool.protocolLiquidityMigrationFeeBps).zeros(6);
  to.u64(pool.protocolMigrationBaseFeeAmount).u64(pool.protocolMigrationQuoteFeeAmount);
  return to.zeros(POOL_SIZE - to.length).finish();
}
