import type { AccountFilter } from '../../../chain/accounts.ts';
import type { Address } from '../../../solana/address.ts';
import { ByteReader } from '../../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';

/** A pair of values: for token A and for token B of a pool. */
export type DammSides<T> = readonly [T, T];

/** How a base fee is computed. */
export const BaseFeeMode = {
  TIME_LINEAR: 0,
  TIME_EXPONENTIAL: 1,
  RATE_LIMITER: 2,
  PRICE_LINEAR: 3,
  PRICE_EXPONENTIAL: 4,
} as const;

/** In which token a pool takes its fees; in the third mode a part stays in the reserves. */
export const CollectFeeMode = { OUTPUT: 0, TOKEN_B: 1, COMPOUNDING: 2 } as const;

/** The unit of activation points. */
export const ActivationType = { SLOT: 0, TIMESTAMP: 1 } as const;

/**
 * A base fee in billionths. `middle` and `last` hold what the mode wants: for times the frequency in points and the
 * reduction per period; for prices the step in basis points, with the duration in points above 2^32, and the
 * reduction; for a rate limiter the duration, with the highest fee in basis points above 2^32, and the reference
 * amount, while `periods` is the increment in basis points.
 */
export interface BaseFee {
  readonly cliff: bigint;
  readonly mode: number;
  readonly periods: number;
  readonly middle: bigint;
  readonly last: bigint;
}

/** The terms of a fee that follows volatility. Periods in seconds. */
export interface DynamicFeeTerms {
  readonly maxAccumulator: number;
  readonly control: number;
  readonly binStep: number;
  readonly filterPeriod: number;
  readonly decayPeriod: number;
  readonly reductionBps: number;
  readonly binStepQ64: bigint;
}

/** The part of a dynamic fee that swaps change. */
export interface DammVolatility {
  readonly lastUpdate: bigint;
  readonly referencePrice: bigint;
  readonly accumulator: bigint;
  readonly reference: bigint;
}

/** The terms of a pool, which swaps do not change. */
export interface DammPoolTerms {
  readonly baseFee: BaseFee;
  readonly protocolFeePercent: number;
  readonly referralFeePercent: number;
  readonly compoundingBps: number;
  readonly dynamicFee: DynamicFeeTerms | null;
  readonly initSqrtPrice: bigint;
  readonly mints: DammSides<Address>;
  readonly vaults: DammSides<Address>;
  readonly whitelistedVault: Address;
  readonly sqrtMinPrice: bigint;
  readonly sqrtMaxPrice: bigint;
  readonly activationPoint: bigint;
  readonly activationType: number;
  readonly status: number;
  /** 1 for a Token-2022 mint, otherwise 0, for each token. */
  readonly tokenFlags: DammSides<number>;
  readonly collectFeeMode: number;
  /** 0: created under a configuration; 1: with its creator's own terms. */
  readonly kind: number;
  readonly feeVersion: number;
}

/** The state that swaps and liquidity change, as far as quotes depend on it. */
export interface DammPoolChanges {
  readonly volatility: DammVolatility;
  readonly liquidity: bigint;
  /** Q64.64 square root of token A's price in atoms of token B. */
  readonly sqrtPrice: bigint;
  /** The reserves, where `layoutVersion` is 1. */
  readonly amounts: DammSides<bigint>;
  readonly layoutVersion: number;
}

/** The part of the pool account that instructions here write. */
export interface DammPoolAccount extends DammPoolTerms, DammPoolChanges {
  readonly protocolFees: DammSides<bigint>;
  readonly creator: Address;
  readonly positions: bigint;
  /** The liquidity that can never be removed. Default: none. */
  readonly permanentlyLocked?: bigint;
}

const POOL_SIZE = 1112;

const POOL_TAG = Uint8Array.of(0xf1, 0x9a, 0x6d, 0x04, 0x11, 0xb1, 0x6d, 0xbc);

const VOLATILITY_AT = 80;
const LIQUIDITY_AT = 360;
const SQRT_PRICE_AT = 456;
const AMOUNTS_AT = 680;
const LAYOUT_VERSION_AT = 696;

/** The filter by which RPC nodes tell pools from the program's other accounts. */
export const POOL_FILTER: AccountFilter = {
  dataSize: POOL_SIZE,
  memcmp: { offset: 0, bytes: POOL_TAG },
};

/** Whether the bytes have the size and discriminator of a pool. */
export function isPoolData(data: Uint8Array): boolean {
  return data.length === POOL_SIZE && POOL_TAG.every((byte, i) => data[i] === byte);
}

/** @throws LayoutInvalid unless `isPoolData` */
export function decodeTerms(data: Uint8Array): DammPoolTerms {
  const from = new ByteReader(data, 'Meteora DAMM v2 pool');
  from.expect(POOL_TAG, 'discriminator');
  const baseFee = readBaseFee(from);
  const protocolFeePercent = from.u8();
  from.skip(1);
  const referralFeePercent = from.u8();
  from.skip(3);
  const compoundingBps = from.u16();
  const dynamicFee = readDynamicFee(from);
  const initSqrtPrice = from.u128();
  const mints = [from.address(), from.address()] as const;
  const vaults = [from.address(), from.address()] as const;
  const whitelistedVault = from.address();
  from.skip(96);
  const [sqrtMinPrice, sqrtMaxPrice] = [from.u128(), from.u128()];
  from.skip(16);
  const activationPoint = from.u64();
  const [activationType, status] = [from.u8(), from.u8()];
  const tokenFlags = [from.u8(), from.u8()] as const;
  const [collectFeeMode, kind, feeVersion] = [from.u8(), from.u8(), from.u8()];
  from.skip(POOL_SIZE - from.offset);
  from.end();
  return {
    baseFee,
    protocolFeePercent,
    referralFeePercent,
    compoundingBps,
    dynamicFee,
    initSqrtPrice,
    mints,
    vaults,
    whitelistedVault,
    sqrtMinPrice,
    sqrtMaxPrice,
    activationPoint,
    activationType,
    status,
    tokenFlags,
    collectFeeMode,
    kind,
    feeVersion,
  };
}

function readBaseFee(from: ByteReader): BaseFee {
  const cliff = from.u64();
  const mode = from.u8();
  from.skip(5);
  const fee = { cliff, mode, periods: from.u16(), middle: from.u64(), last: from.u64() };
  from.skip(8);
  return fee;
}

function readDynamicFee(from: ByteReader): DynamicFeeTerms | null {
  const on = from.u8() !== 0;
  from.skip(7);
  const [maxAccumulator, control] = [from.u32(), from.u32()];
  const [binStep, filterPeriod, decayPeriod, reductionBps] = [from.u16(), from.u16(), from.u16(), from.u16()];
  from.skip(8);
  const binStepQ64 = from.u128();
  from.skip(48);
  if (!on) return null;
  return { maxAccumulator, control, binStep, filterPeriod, decayPeriod, reductionBps, binStepQ64 };
}

/** @param data - Bytes for which `isPoolData` holds. */
export function readChanges(data: Uint8Array): DammPoolChanges {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return {
    volatility: {
      lastUpdate: view.getBigUint64(VOLATILITY_AT, true),
      referencePrice: u128At(view, 104),
      accumulator: u128At(view, 120),
      reference: u128At(view, 136),
    },
    liquidity: u128At(view, LIQUIDITY_AT),
    sqrtPrice: u128At(view, SQRT_PRICE_AT),
    amounts: [view.getBigUint64(AMOUNTS_AT, true), view.getBigUint64(AMOUNTS_AT + 8, true)],
    layoutVersion: view.getUint8(LAYOUT_VERSION_AT),
  };
}

function u128At(view: DataView, at: number): bigint {
  const high = view.getBigUint64(at + 8, true);
  const low = view.getBigUint64(at, true);
  return high === 0n ? low : (high << 64n) | low;
}

/** The ranges of bytes that `decodeTerms` reads, without those in between that may change. */
const TERMS_AT: readonly (readonly [from: number, to: number])[] = [
  [8, VOLATILITY_AT],
  [88, 104],
  [152, 328],
  [424, SQRT_PRICE_AT],
  [472, 488],
];

/** Whether two accounts that are pools have the same terms. */
export function hasSameTerms(before: Uint8Array, after: Uint8Array): boolean {
  for (const [from, to] of TERMS_AT) {
    for (let at = from; at < to; at++) if (before[at] !== after[at]) return false;
  }
  return true;
}

/** Writes the 32 bytes of a base fee. */
export function writeBaseFee(to: ByteWriter, fee: BaseFee): ByteWriter {
  return to.u64(fee.cliff).u8(fee.mode).zeros(5).u16(fee.periods).u64(fee.middle).u64(fee.last);
}

/** Fields that are not given, such as earned fees, are zero. */
export function encodePool(pool: DammPoolAccount): Uint8Array {
  const to = new ByteWriter(POOL_SIZE).bytes(POOL_TAG);
  const { baseFee, dynamicFee, volatility } = pool;
  writeBaseFee(to, baseFee);
  to.zeros(8).u8(pool.protocolFeePercent).zeros(1).u8(pool.referralFeePercent).zeros(3);
  to.u16(pool.compoundingBps);
  if (dynamicFee === null) to.zeros(32);
  else {
    to.u8(1).zeros(7).u32(dynamicFee.maxAccumulator).u32(dynamicFee.control).u16(dynamicFee.binStep);
    to.u16(dynamicFee.filterPeriod).u16(dynamicFee.decayPeriod).u16(dynamicFee.reductionBps);
    to.u64(volatility.lastUpdate);
  }
  to.u128(dynamicFee?.binStepQ64 ?? 0n);
  to.u128(volatility.referencePrice).u128(volatility.accumulator).u128(volatility.reference);
  to.u128(pool.initSqrtPrice);
  for (const each of [...pool.mints, ...pool.vaults, pool.whitelistedVault]) to.address(each);
  to.zeros(32).u128(pool.liquidity).zeros(16);
  to.u64(pool.protocolFees[0]).u64(pool.protocolFees[1]).zeros(16);
  to.u128(pool.sqrtMinPrice).u128(pool.sqrtMaxPrice).u128(pool.sqrtPrice).u64(pool.activationPoint);
  to.u8(pool.activationType).u8(pool.status).u8(pool.tokenFlags[0]).u8(pool.tokenFlags[1]);
  to.u8(pool.collectFeeMode)
    .u8(pool.kind)
    .u8(pool.feeVersion)
    .zeros(1 + 64);
  to.u128(pool.permanentlyLocked ?? 0n).zeros(64);
  to.u64(pool.positions).zeros(8).address(pool.creator).u64(pool.amounts[0]).u64(pool.amounts[1]);
  return to
    .u8(pool.layoutVersion)
    .zeros(POOL_SIZE - to.length)
    .finish();
}
