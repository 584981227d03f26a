import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, sampleCases } from '../../../testing/random.ts';
import { type Address, toAddressBytes, toAddress } from '../../../solana/address.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import {
  AMM_CONFIG_SIZE,
  decodeAmmConfig,
  decodeObservationState,
  decodePool,
  encodeAmmConfig,
  encodeObservationState,
  encodePool,
  isPoolData,
  OBSERVATION_STATE_SIZE,
  POOL_SIZE,
} from './layout.ts';

describe('the configuration', () => {
  it('comes back from its bytes', () => {
    assertProperty(
      fc.property(config, (each) => {
        const data = encodeAmmConfig(each);
        expect(data.length).toBe(AMM_CONFIG_SIZE);
        expect(decodeAmmConfig(data)).toEqual(each);
      }),
      SUITE,
    );
  });

  it('has its fields where the program has them', () => {
    assertProperty(
      fc.property(config, (each) => {
        const data = Buffer.from(encodeAmmConfig(each));
        expect(data.subarray(0, 8).toString('hex')).toBe('daf42168cbcb2b6f');
        expect(data.readUInt16LE(10)).toBe(each.index);
        expect(data.readBigUInt64LE(12)).toBe(each.tradeFeeRate);
        expect(data.readBigUInt64LE(36)).toBe(each.createPoolFee);
        expect(data.subarray(76, 108)).toEqual(Buffer.from(toAddressBytes(each.fundOwner)));
        expect(data.readBigUInt64LE(116)).toBe(each.creatorFeeShareRate);
      }),
      SUITE,
    );
  });
});

describe('the pool', () => {
  it('comes back from its bytes', () => {
    assertProperty(
      fc.property(pool, (each) => {
        const data = encodePool(each);
        expect(data.length).toBe(POOL_SIZE);
        expect(decodePool(data)).toEqual(each);
      }),
      SUITE,
    );
  });

  it('has its fields where the program has them', () => {
    assertProperty(
      fc.property(pool, (each) => {
        const data = Buffer.from(encodePool(each));
        const at = (offset: number): Address => toAddress(data, offset);
        expect(data.subarray(0, 8).toString('hex')).toBe('f7ede3f5d7c3de46');
        expect([at(8), at(72), at(104), at(136)]).toEqual([each.config, ...each.vaults, each.lpMint]);
        expect([at(168), at(200), at(232), at(264)]).toEqual([...each.mints, ...each.tokenPrograms]);
        expect(at(296)).toBe(each.observation);
        expect([data[328], data[329], data[331], data[332]]).toEqual([
          each.authorityBump,
          each.status,
          ...each.decimals,
        ]);
        expect(data.readBigUInt64LE(333)).toBe(each.lpSupply);
        expect(data.readBigUInt64LE(365)).toBe(each.fundFees[1]);
        expect(data.readBigUInt64LE(373)).toBe(each.openTime);
        expect([data[389], data[390]]).toEqual([each.creatorFeeOn, each.creatorFeeEnabled ? 1 : 0]);
        expect(data.readBigUInt64LE(405)).toBe(each.creatorFees[1]);
      }),
      SUITE,
    );
  });
});

describe('the observations', () => {
  it('come back from their bytes', () => {
    assertProperty(
      fc.property(observations, (each) => {
        const data = encodeObservationState(each);
        expect(data.length).toBe(OBSERVATION_STATE_SIZE);
        expect(decodeObservationState(data)).toEqual(each);
      }),
      { ...SUITE, cases: 50 },
    );
  });

  it('are at most 100', () => {
    const [first] = sampleCases(observations, { cases: 1, seed: 1 });
    if (first === undefined) throw new Error('no sample');
    const extra = { timestamp: 0n, cumulativePrices: [0n, 0n] as const };
    expect(() => encodeObservationState({ ...first, observations: [...first.observations, extra] })).toThrow(
      RangeError,
    );
  });
});

describe('other bytes', () => {
  it('are none of the accounts', () => {
    for (const size of [0, 7, AMM_CONFIG_SIZE, POOL_SIZE, OBSERVATION_STATE_SIZE]) {
      const data = new Uint8Array(size);
      expect(() => decodeAmmConfig(data)).toThrow(LayoutInvalid);
      expect(() => decodePool(data)).toThrow(LayoutInvalid);
      expect(() => decodeObservationState(data)).toThrow(LayoutInvalid);
      expect(isPoolData(data)).toBe(false);
    }
  });

  it('are no pool when one byte is missing or too many', () => {
    const [each] = sampleCases(pool, { cases: 1, seed: 1 });
    if (each === undefined) throw new Error('no sample');
    const data = encodePool(each);
    for (const wrong of [data.subarray(0, POOL_SIZE - 1), Uint8Array.of(...data, 0)]) {
      expect(isPoolData(wrong)).toBe(false);
      expect(() => decodePool(wrong)).toThrow(LayoutInvalid);
    }
  });
});

const SUITE = { cases: 300, seed: 20_261_121 };

const anyAddress = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => toAddress(bytes));
const u8 = fc.integer({ min: 0, max: 255 });
const u64 = fc.bigInt(0n, (1n << 64n) - 1n);
const u128 = fc.bigInt(0n, (1n << 128n) - 1n);
const sides = <T>(each: fc.Arbitrary<T>) => fc.tuple(each, each);

const config = fc.record({
  bump: u8,
  disableCreatePool: fc.boolean(),
  index: fc.integer({ min: 0, max: 65_535 }),
  tradeFeeRate: u64,
  protocolFeeRate: u64,
  fundFeeRate: u64,
  createPoolFee: u64,
  protocolOwner: anyAddress,
  fundOwner: anyAddress,
  creatorFeeRate: u64,
  creatorFeeShareRate: u64,
});

const pool = fc.record({
  config: anyAddress,
  creator: anyAddress,
  vaults: sides(anyAddress),
  lpMint: anyAddress,
  mints: sides(anyAddress),
  tokenPrograms: sides(anyAddress),
  observation: anyAddress,
  authorityBump: u8,
  status: u8,
  lpDecimals: u8,
  decimals: sides(u8),
  lpSupply: u64,
  protocolFees: sides(u64),
  fundFees: sides(u64),
  openTime: u64,
  recentEpoch: u64,
  creatorFeeOn: u8,
  creatorFeeEnabled: fc.boolean(),
  creatorFees: sides(u64),
});

const observations = fc.record({
  initialized: fc.boolean(),
  index: fc.integer({ min: 0, max: 99 }),
  pool: anyAddress,
  observations: fc.array(fc.record({ timestamp: u64, cumulativePrices: sides(u128) }), {
    minLength: 100,
    maxLength: 100,
  }),
  lastUpdateTimestamp: u64,
});
