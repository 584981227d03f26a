import type { AccountFilter } from '../../../chain/accounts.ts';
import type { Address } from '../../../solana/address.ts';
import { ByteReader } from '../../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';

/** A pair of values: for token 0 and for token 1 of a pool. */
export type RaydiumSides<T> = readonly [T, T];

/** A fee tier. Rates are millionths; protocol and fund rates are shares of the trade fee. */
export interface AmmConfig {
  readonly bump: number;
  readonly disableCreatePool: boolean;
  readonly index: number;
  readonly tradeFeeRate: bigint;
  readonly protocolFeeRate: bigint;
  readonly fundFeeRate: bigint;
  /** Lamports that creating a pool costs. */
  readonly createPoolFee: bigint;
  readonly protocolOwner: Address;
  readonly fundOwner: Address;
  readonly creatorFeeRate: bigint;
  /** The share of collected creator fees that goes to the protocol. */
  readonly creatorFeeShareRate: bigint;
}

/** Bits of a pool's status; a set bit switches that kind of instruction off. */
export const PoolStatus = { DEPOSIT_OFF: 1, WITHDRAW_OFF: 2, SWAP_OFF: 4 } as const;

/** In which token a pool's creator is paid: whatever comes in, or always the same one. */
export const CreatorFeeOn = { INPUT: 0, TOKEN_0: 1, TOKEN_1: 2 } as const;

/** The pool account as it is stored; amounts in atoms of the token of their side. */
export interface RaydiumPoolAccount {
  readonly config: Address;
  readonly creator: Address;
  readonly vaults: RaydiumSides<Address>;
  readonly lpMint: Address;
  readonly mints: RaydiumSides<Address>;
  readonly tokenPrograms: RaydiumSides<Address>;
  readonly observation: Address;
  readonly authorityBump: number;
  readonly status: number;
  readonly lpDecimals: number;
  readonly decimals: RaydiumSides<number>;
  /** LP atoms minted less those burned, including the 100 that cannot be withdrawn. */
  readonly lpSupply: bigint;
  readonly protocolFees: RaydiumSides<bigint>;
  readonly fundFees: RaydiumSides<bigint>;
  /** Swaps are refused before this Unix second. */
  readonly openTime: bigint;
  readonly recentEpoch: bigint;
  readonly creatorFeeOn: number;
  readonly creatorFeeEnabled: boolean;
  readonly creatorFees: RaydiumSides<bigint>;
}

/** Prices are Q32.32 amounts of the other token per token, times seconds, summed with wrap-around. */
export interface Observation {
  readonly timestamp: bigint;
  readonly cumulativePrices: RaydiumSides<bigint>;
}

/** A ring of 100 observations, at most one every 15 seconds. */
export interface ObservationState {
  readonly initialized: boolean;
  readonly index: number;
  readonly pool: Address;
  readonly observations: readonly Observation[];
  readonly lastUpdateTimestamp: bigint;
}

export const AMM_CONFIG_SIZE = 236;
export const POOL_SIZE = 637;
export const OBSERVATION_STATE_SIZE = 4075;
const OBSERVATION_COUNT = 100;
const OBSERVATION_SIZE = 40;

const AMM_CONFIG_TAG = Uint8Array.of(0xda, 0xf4, 0x21, 0x68, 0xcb, 0xcb, 0x2b, 0x6f);
export const POOL_TAG = Uint8Array.of(0xf7, 0xed, 0xe3, 0xf5, 0xd7, 0xc3, 0xde, 0x46);
const OBSERVATION_TAG = Uint8Array.of(0x7a, 0xae, 0xc5, 0x35, 0x81, 0x09, 0xa5, 0x84);

/** @throws LayoutInvalid when the bytes are not a fee configuration */
export function decodeAmmConfig(data: Uint8Array): AmmConfig {
  const from = new ByteReader(data, 'Raydium CPMM configuration');
  from.expect(AMM_CONFIG_TAG, 'discriminator');
  const config = {
    bump: from.u8(),
    disableCreatePool: from.bool(),
    index: from.u16(),
    tradeFeeRate: from.u64(),
    protocolFeeRate: from.u64(),
    fundFeeRate: from.u64(),
    createPoolFee: from.u64(),
    protocolOwner: from.address(),
    fundOwner: from.address(),
    creatorFeeRate: from.u64(),
    creatorFeeShareRate: from.u64(),
  };
  from.skip(AMM_CONFIG_SIZE - from.offset);
  from.end();
  return config;
}

export function encodeAmmConfig(config: AmmConfig): Uint8Array {
  const to = new ByteWriter(AMM_CONFIG_SIZE)
    .bytes(AMM_CONFIG_TAG)
    .u8(config.bump)
    .bool(config.disableCreatePool)
    .u16(config.index)
    .u64(config.tradeFeeRate)
    .u64(config.protocolFeeRate)
    .u64(config.fundFeeRate)
    .u64(config.createPoolFee)
    .address(config.protocolOwner)
    .address(config.fundOwner)
    .u64(config.creatorFeeRate)
    .u64(config.creatorFeeShareRate);
  return to.zeros(AMM_CONFIG_SIZE - to.length).finish();
}

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
export function decodePool(data: Uint8Array): RaydiumPoolAccount {
  const from = new ByteReader(data, 'Raydium CPMM pool');
  from.expect(POOL_TAG, 'discriminator');
  const addresses = (): RaydiumSides<Address> => [from.address(), from.address()];
  const amounts = (): RaydiumSides<bigint> => [from.u64(), from.u64()];
  const upToFees = {
    config: from.address(),
    creator: from.address(),
    vaults: addresses(),
    lpMint: from.address(),
    mints: addresses(),
    tokenPrograms: addresses(),
    observation: from.address(),
    authorityBump: from.u8(),
    status: from.u8(),
    lpDecimals: from.u8(),
    decimals: [from.u8(), from.u8()] as const,
    lpSupply: from.u64(),
    protocolFees: amounts(),
    fundFees: amounts(),
    openTime: from.u64(),
    recentEpoch: from.u64(),
    creatorFeeOn: from.u8(),
    creatorFeeEnabled: from.u8() !== 0,
  };
  from.skip(6);
  const pool = { ...upToFees, creatorFees: amounts() };
  from.skip(POOL_SIZE - from.offset);
  from.end();
  return pool;
}

const STATUS_AT = 329;
const LP_DECIMALS_AT = 330;
const LP_SUPPLY_AT = 333;
/** Of token 0; those of token 1 follow. */
const PROTOCOL_FEES_AT = 341;
const FUND_FEES_AT = 357;
const OPEN_TIME_AT = 373;
const CREATOR_FEE_ON_AT = 389;
const CREATOR_FEES_AT = 397;

/** Whether the second account is the first pool's, with at most another status, supply, fees, open time and epoch. */
export function hasOnlySwapChanges(before: Uint8Array, after: Uint8Array): boolean {
  return (
    after.length === POOL_SIZE &&
    sameBytes(before, after, 0, STATUS_AT) &&
    sameBytes(before, after, LP_DECIMALS_AT, LP_SUPPLY_AT) &&
    sameBytes(before, after, CREATOR_FEE_ON_AT, CREATOR_FEES_AT)
  );
}

function sameBytes(one: Uint8Array, other: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (one[at] !== other[at]) return false;
  return true;
}

/** The fields that decide a quote among those that `hasOnlySwapChanges` ignores. */
export function readChanges(data: Uint8Array): {
  readonly status: number;
  readonly openTime: bigint;
  readonly owed: RaydiumSides<bigint>;
} {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return {
    status: view.getUint8(STATUS_AT),
    openTime: view.getBigUint64(OPEN_TIME_AT, true),
    owed: [owedAt(view, 0), owedAt(view, 8)],
  };
}

function owedAt(view: DataView, side: 0 | 8): bigint {
  return (
    view.getBigUint64(PROTOCOL_FEES_AT + side, true) +
    view.getBigUint64(FUND_FEES_AT + side, true) +
    view.getBigUint64(CREATOR_FEES_AT + side, true)
  );
}

export function encodePool(pool: RaydiumPoolAccount): Uint8Array {
  const to = new ByteWriter(POOL_SIZE).bytes(POOL_TAG).address(pool.config).address(pool.creator);
  for (const vault of pool.vaults) to.address(vault);
  to.address(pool.lpMint);
  for (const each of [...pool.mints, ...pool.tokenPrograms, pool.observation]) to.address(each);
  to.u8(pool.authorityBump).u8(pool.status).u8(pool.lpDecimals);
  for (const decimals of pool.decimals) to.u8(decimals);
  to.u64(pool.lpSupply);
  for (const fee of [...pool.protocolFees, ...pool.fundFees]) to.u64(fee);
  to.u64(pool.openTime).u64(pool.recentEpoch).u8(pool.creatorFeeOn).bool(pool.creatorFeeEnabled).zeros(6);
  for (const fee of pool.creatorFees) to.u64(fee);
  return to.zeros(POOL_SIZE - to.length).finish();
}

/** @throws LayoutInvalid when the bytes are not an observation account */
export function decodeObservationState(data: Uint8Array): ObservationState {
  const from = new ByteReader(data, 'Raydium CPMM observation account');
  from.expect(OBSERVATION_TAG, 'discriminator');
  const state = {
    initialized: from.bool(),
    index: from.u16(),
    pool: from.address(),
    observations: Array.from({ length: OBSERVATION_COUNT }, () => ({
      timestamp: from.u64(),
      cumulativePrices: [from.u128(), from.u128()] as const,
    })),
    lastUpdateTimestamp: from.u64(),
  };
  from.skip(OBSERVATION_STATE_SIZE - from.offset);
  from.end();
  return state;
}

/** Missing observations are written as zero. At most 100 fit. */
export function encodeObservationState(state: ObservationState): Uint8Array {
  const missing = OBSERVATION_COUNT - state.observations.length;
  if (missing < 0) {
    throw new RangeError(`at most ${OBSERVATION_COUNT} observations fit, got ${state.observations.length}`);
  }
  const to = new ByteWriter(OBSERVATION_STATE_SIZE)
    .bytes(OBSERVATION_TAG)
    .bool(state.initialized)
    .u16(state.index)
    .address(state.pool);
  for (const { timestamp, cumulativePrices } of state.observations) {
    to.u64(timestamp).u128(cumulativePrices[0]).u128(cumulativePrices[1]);
  }
  to.zeros(missing * OBSERVATION_SIZE).u64(state.lastUpdateTimestamp);
  return to.zeros(OBSERVATION_STATE_SIZE - to.length).finish();
}
