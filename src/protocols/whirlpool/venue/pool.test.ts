import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleCases } from '../../../testing/random.ts';
import {
  groupTicksByArray,
  computeCurrentLiquidity,
  type PoolCase,
  poolCase,
} from '../../../testing/whirlpool/cases.ts';
import type { Account } from '../../../chain/accounts.ts';
import { type Address, toAddress } from '../../../solana/address.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import { AccountRole } from '../../../solana/messages/instruction.ts';
import { MEMO_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { encodeMint } from '../../../solana/programs/token/mint.ts';
import { deriveWhirlpoolOracleAddress, deriveTickArrayAddress } from '../program/addresses.ts';
import { whirlpool } from '../venue.ts';
import {
  decodePosition,
  decodeWhirlpool,
  encodePosition,
  encodeWhirlpool,
  type WhirlpoolPosition,
  type RewardInfo,
  type Whirlpool,
} from '../program/layout.ts';
import { type AdaptiveFeeConstants, decodeOracle, encodeOracle, type Oracle } from '../program/oracle.ts';
import type { WhirlpoolPool } from './pool.ts';
import { WHIRLPOOL_PROGRAM } from '../program/program.ts';
import {
  decodeTickArray,
  encodeDynamicTickArray,
  encodeTickArray,
  isTickArrayStart,
  type TickArray,
  computeTickArrayStart,
} from '../program/tick-array.ts';
import { computeSqrtPriceAtTick } from '../program/tick-math.ts';
import { computeTickWindow } from '../program/tick-window.ts';

describe('layouts', () => {
  it('of a pool and a position read back what was written', () => {
    expect(decodeWhirlpool(encodeWhirlpool(PLAIN))).toEqual(PLAIN);
    const position: WhirlpoolPosition = {
      whirlpool: POOL,
      mint: named(9),
      liquidity: 77n,
      lowerTick: -128,
      upperTick: 64,
      feeGrowthCheckpoints: [1n, 2n],
      feesOwed: [3n, 4n],
    };
    expect(decodePosition(encodePosition(position))).toEqual(position);
  });

  it('of an oracle reads back what was written', () => {
    const { data } = oracle({}, {}, -5);
    expect(Buffer.from(encodeOracle(decodeOracle(data))).equals(data)).toBe(true);
    expect(decodeOracle(data)).toMatchObject({ whirlpool: POOL, variables: { tickGroupReference: -5 } });
  });

  it('of tick arrays read back what was written', () => {
    for (const { ranges, tickSpacing } of sampleCases(poolCase, { cases: 200, seed: SEED })) {
      for (const [start, ticks] of groupTicksByArray(ranges, tickSpacing)) {
        const array = { whirlpool: POOL, start, ticks };
        for (const encode of [encodeTickArray, encodeDynamicTickArray]) {
          expect(decodeTickArray(encode(array, tickSpacing), tickSpacing)).toEqual(array);
        }
      }
    }
  });

  /** A dynamic array that uses its slots 3 and 80, changed at one place. */
  function dynamicWith(change: (data: Uint8Array) => Uint8Array): Uint8Array {
    const ticks = [3, 80].map((slot) => ({
      index: slot * 64,
      liquidityNet: 5n,
      liquidityGross: 5n,
      feeGrowthOutside: [0n, 0n] as const,
    }));
    return change(encodeDynamicTickArray({ whirlpool: POOL, start: 0, ticks }, 64));
  }
  const setByte = (at: number, value: number) => (data: Uint8Array) => {
    data[at] = value;
    return data;
  };

  it.each([
    ['tick 3 is in use, but its bitmap says otherwise', setByte(44, 0)],
    ['tick 4 is not in use, but its bitmap says otherwise', setByte(44, 0b11000)],
    ['tick 80 is in use, but its bitmap says otherwise', setByte(54, 0)],
    ['tick 3 is not in use, but its bitmap says otherwise', setByte(63, 0)],
    ['its bitmap names a tick beyond the 88 there are', setByte(55, 1)],
    ['its bitmap names a tick beyond the 88 there are', setByte(59, 0x80)],
    ['a boolean must be 0 or 1, got 2 at byte 63', setByte(63, 2)],
    ['1 bytes left over after byte 372', (data) => Uint8Array.of(...data, 0)],
    ['needs 1 bytes at byte 371', (data) => data.subarray(0, -1)],
    ['needs 8 bytes at byte 64', (data) => data.subarray(0, 70)],
    ['needs 8 bytes at byte 0', (data) => data.subarray(0, 7)],
    ['wrong discriminator', setByte(0, 0)],
  ] as [string, (data: Uint8Array) => Uint8Array][])(
    'of dynamic arrays are refused where %s',
    (reason, change) => {
      expect(() => decodeTickArray(dynamicWith(change), 64)).toThrow(
        `not a valid whirlpool tick array: ${reason}`,
      );
    },
  );

  it('of tick arrays never read as anything else than what they say, whichever byte is changed', () => {
    const changes = fc.tuple(fc.nat(371), fc.integer({ min: 1, max: 255 }));
    for (const [at, by] of sampleCases(changes, { cases: 2_000, seed: SEED })) {
      const data = dynamicWith((whole) => setByte(at, (whole[at] ?? 0) ^ by)(whole));
      let array: TickArray | null = null;
      try {
        array = decodeTickArray(data, 64);
      } catch (error) {
        expect(error).toBeInstanceOf(LayoutInvalid);
      }
      // Growth outside and rewards are not kept whole, so that only what is kept can be compared.
      if (array !== null) expect(array.ticks.map(({ index }) => (index - array.start) / 64)).toEqual([3, 80]);
    }
  });

  it('of tick arrays take only their own ticks', () => {
    const tick = { index: 63, liquidityNet: 1n, liquidityGross: 1n, feeGrowthOutside: [0n, 0n] } as const;
    for (const encode of [encodeTickArray, encodeDynamicTickArray]) {
      expect(() => encode({ whirlpool: POOL, start: 0, ticks: [tick] }, 64)).toThrow('tick 63');
    }
  });
});

describe('the window of tick arrays', () => {
  it('moves on with the first tick above the current one when the price rises', () => {
    expect(computeTickWindow(0, 64)).toEqual({ down: [0, -span, -2 * span], up: [0, span, 2 * span] });
    expect(computeTickWindow(span - 65, 64).up[0]).toBe(0);
    expect(computeTickWindow(span - 64, 64).up[0]).toBe(span);
    expect(computeTickWindow(-1, 64)).toEqual({
      down: [-span, -2 * span, -3 * span],
      up: [0, span, 2 * span],
    });
  });

  it('ends where no array holds a tick within the bounds', () => {
    for (const tick of [-443_636, -443_000, 443_000, 443_635]) {
      const { down, up } = computeTickWindow(tick, 64);
      for (const start of [...down, ...up]) expect(isTickArrayStart(start, 64)).toBe(true);
    }
    expect(computeTickWindow(-443_636, 64).down).toEqual([computeTickArrayStart(-443_636, 64)]);
    expect(computeTickWindow(443_635, 64).up.length).toBeLessThan(3);
  });

  const span = 88 * 64;
});

describe('the venue', () => {
  it('depends on the mints and on the arrays that a swap could reach', () => {
    const at = account(WHIRLPOOL_PROGRAM, encodeWhirlpool(PLAIN));
    const arrays = [0, -5632, -11_264, 5632, 11_264].map((start) => deriveTickArrayAddress(POOL, start));
    expect(whirlpool.isPool(at)).toBe(true);
    expect(whirlpool.isPool({ ...at, owner: SYSTEM_PROGRAM })).toBe(false);
    expect(whirlpool.dependencies(POOL, at)).toEqual([...MINTS, ...arrays]);
  });

  it('depends on the oracle too where the fee is an adaptive one, and reads when it opens', () => {
    const adaptive = { ...PLAIN, feeTierIndex: 1025 };
    const at = account(WHIRLPOOL_PROGRAM, encodeWhirlpool(adaptive));
    expect(whirlpool.dependencies(POOL, at)).toContain(deriveWhirlpoolOracleAddress(POOL));
    const pool = decoded(adaptive, [[deriveWhirlpoolOracleAddress(POOL), oracle()]]);
    expect(pool.oracle?.tradeEnabledAt).toBe(7n);
    const at6 = { slot: 1n, epoch: 0n, unixTimestamp: 6n };
    expect(whirlpool.quoteExactIn(pool, MINTS[0], 1_000n, at6)).toBeNull();
    expect(whirlpool.estimate(pool, MINTS[0], 1_000, at6)).toBe(0);
    expect(decoded(PLAIN, [[deriveWhirlpoolOracleAddress(POOL), oracle()]]).oracle).toBeNull();
  });

  const array = (start: number, owner = POOL) =>
    account(WHIRLPOOL_PROGRAM, encodeTickArray({ whirlpool: owner, start, ticks: [] }, 64));
  const dynamicArray = (start: number, owner = POOL) =>
    account(WHIRLPOOL_PROGRAM, encodeDynamicTickArray({ whirlpool: owner, start, ticks: [] }, 64));
  const first = deriveTickArrayAddress(POOL, 0);

  it.each([
    ['has no oracle', { feeTierIndex: 1025 }, []],
    [
      'is that of',
      { feeTierIndex: 1025 },
      [[deriveWhirlpoolOracleAddress(POOL), oracle({ whirlpool: MINTS[0] })]],
    ],
    [
      'do not divide',
      { feeTierIndex: 1025 },
      [[deriveWhirlpoolOracleAddress(POOL), oracle({}, { tickGroupSize: 48 })]],
    ],
    [
      'greatest volatility',
      { feeTierIndex: 1025 },
      [[deriveWhirlpoolOracleAddress(POOL), oracle({}, { maxVolatility: 2 ** 31 })]],
    ],
    ['out of bounds', { feeTierIndex: 1025 }, [[deriveWhirlpoolOracleAddress(POOL), oracle({}, {}, 6_932)]]],
    ['tick spacing is 0', { tickSpacing: 0 }, []],
    ['protocol fee', { protocolFeeRate: 10_001 }, []],
    ['out of bounds', { sqrtPrice: 5n }, []],
    ['does not exist', {}, [[MINTS[1], null]]],
    ['no token program', {}, [[MINTS[0], account(SYSTEM_PROGRAM, MINT)]]],
    ['not a valid mint', {}, [[MINTS[0], account(TOKEN_PROGRAM, new Uint8Array(5))]]],
    ['is that of', {}, [[first, array(5632)]]],
    ['is that of', {}, [[first, array(0, MINTS[0])]]],
    ['is owned by', {}, [[first, account(TOKEN_PROGRAM, MINT)]]],
    ['not a valid whirlpool tick array', {}, [[first, account(WHIRLPOOL_PROGRAM, new Uint8Array(9988))]]],
    ['is that of', {}, [[first, dynamicArray(5632)]]],
    ['is that of', {}, [[first, dynamicArray(0, MINTS[0])]]],
    [
      'needs 1 bytes at byte 147',
      {},
      [[first, account(WHIRLPOOL_PROGRAM, dynamicArray(0).data.subarray(0, 147))]],
    ],
  ] as [string, Partial<Whirlpool>, [Address, Account | null][]][])(
    'leaves a pool out when: %s',
    (reason, changes, changed) => {
      const state = whirlpool.decode(POOL, createPoolAccounts({ ...PLAIN, ...changes }, changed));
      expect(state).toEqual({ unusable: expect.stringContaining(reason) });
    },
  );

  it('does not take lamports at the address of an array for an array', () => {
    const dust = account(SYSTEM_PROGRAM, new Uint8Array(0));
    expect(decoded(PLAIN, [[first, dust]])).toEqual(decoded(PLAIN));
  });

  it('names the accounts of swap_v2 in a route, with the last array again where there are fewer', () => {
    const tick = -443_600;
    const state = decoded({ ...PLAIN, tick, sqrtPrice: computeSqrtPriceAtTick(tick) });
    const parties = { authority: named(50), source: named(51), destination: named(52) };
    const { accounts, swap } = whirlpool.routeStep(state, MINTS[0], parties);
    const last = deriveTickArrayAddress(POOL, computeTickArrayStart(tick, 64));
    expect(accounts.map(({ address }) => address)).toEqual([
      ...[WHIRLPOOL_PROGRAM, TOKEN_PROGRAM, TOKEN_PROGRAM, MEMO_PROGRAM, parties.authority, POOL, ...MINTS],
      ...[parties.source, PLAIN.vaults[0], parties.destination, PLAIN.vaults[1]],
      ...[last, last, last, deriveWhirlpoolOracleAddress(POOL)],
    ]);
    expect(accounts[4]?.role).toBe(AccountRole.READONLY);
    expect([...swap]).toEqual([47, 1, 0]);
    const back = whirlpool.routeStep(state, MINTS[1], parties);
    expect(back.accounts[8]?.address).toBe(parties.destination);
    expect([...back.swap]).toEqual([47, 0, 0]);
    expect(() => whirlpool.routeStep(state, named(60), parties)).toThrow('trades');
  });
});

describe('estimates', () => {
  it('are near the quotes, rise with the amount, and ever more slowly', () => {
    const amount = fc.integer({ min: 12, max: 55 }).map((bits) => 1n << BigInt(bits));
    const cases = sampleCases(fc.tuple(poolCase, amount, fc.boolean()), { cases: 1_500, seed: SEED });
    let near = 0;
    for (const [each, size, aToB] of cases) {
      const state = stateOf(each);
      const input = MINTS[aToB ? 0 : 1];
      const [half, whole] = [Number(size) / 2, Number(size)].map((x) =>
        whirlpool.estimate(state, input, x, clock),
      );
      // As exactly as doubles are.
      expect(whole).toBeGreaterThanOrEqual((half ?? 0) * (1 - 1e-15));
      expect(whole).toBeLessThanOrEqual((half ?? 0) * 2 * (1 + 1e-5));
      const quote = whirlpool.quoteExactIn(state, input, size, clock);
      // Below, a step of the price is a large part of the swap, and the program's rounding takes most of it.
      if (each.ranges.some(({ liquidity }) => liquidity >> 72n > 0n)) continue;
      if (computePriceSteps(each, size, aToB) < 4_096n) continue;
      // The program takes up to an atom more at each end of a range.
      if (size < 4_096n * BigInt(each.ranges.length)) continue;
      if (quote === null || quote.inAmount !== size || quote.outAmount < 1_000_000n) continue;
      near++;
      expect((whole ?? 0) / Number(quote.outAmount)).toBeCloseTo(1, 3);
    }
    expect(near).toBeGreaterThan(cases.length / 10);
  });

  it('are 0 without liquidity', () => {
    const empty = { tickSpacing: 64, feeRate: 3000, protocolFeeRate: 0, tick: 0, sqrtPrice: 1n << 64n };
    expect(whirlpool.estimate(stateOf({ ...empty, ranges: [] }), MINTS[0], 1e9, clock)).toBe(0);
  });

  const clock = { slot: 1n, epoch: 0n, unixTimestamp: 1_700_000_000n };
  const stateOf = (each: PoolCase) => {
    const arrays = [...groupTicksByArray(each.ranges, each.tickSpacing)].map(([start, ticks]) => {
      const data = encodeTickArray({ whirlpool: POOL, start, ticks }, each.tickSpacing);
      return [deriveTickArrayAddress(POOL, start), account(WHIRLPOOL_PROGRAM, data)] as const;
    });
    const { feeRate, protocolFeeRate, tickSpacing, sqrtPrice, tick } = each;
    const liquidity = computeCurrentLiquidity(each);
    const own = {
      feeRate,
      protocolFeeRate,
      tickSpacing,
      feeTierIndex: tickSpacing,
      sqrtPrice,
      tick,
      liquidity,
    };
    return decoded({ ...PLAIN, ...own }, arrays);
  };

  /** By how many of its smallest steps a swap moves the price, if all liquidity is in its range. */
  function computePriceSteps({ sqrtPrice, ranges }: PoolCase, size: bigint, aToB: boolean): bigint {
    const all = ranges.reduce((sum, { liquidity }) => sum + liquidity, 1n);
    return aToB ? (sqrtPrice ** 2n * size) / (all << 64n) : (size << 64n) / all;
  }
});

const SEED = 20_261_124;
const named = (byte: number): Address => toAddress(new Uint8Array(32).fill(byte));
const POOL = named(1);
const MINTS = [named(2), named(3)] as const;

const reward = (byte: number): RewardInfo => ({
  mint: named(byte),
  vault: named(byte + 1),
  extension: new Uint8Array(32).fill(byte),
  emissionsPerSecond: BigInt(byte) << 100n,
  growthGlobal: BigInt(byte) << 110n,
});

const PLAIN: Whirlpool = {
  config: named(4),
  bump: 254,
  tickSpacing: 64,
  feeTierIndex: 64,
  feeRate: 3000,
  protocolFeeRate: 1300,
  liquidity: 1n << 90n,
  sqrtPrice: 1n << 64n,
  tick: 0,
  protocolFeesOwed: [5n, 6n],
  mints: MINTS,
  vaults: [named(5), named(6)],
  feeGrowth: [(1n << 128n) - 1n, 8n],
  rewardsUpdatedAt: 9n,
  rewards: [reward(20), reward(30), reward(40)],
};

function account(owner: Address, data: Uint8Array): Account {
  return { lamports: 1n, owner, data, executable: false, rentEpoch: 0n };
}

const MINT = encodeMint({
  mintAuthority: null,
  supply: 1n,
  decimals: 6,
  freezeAuthority: null,
  extensions: [],
});

function oracle(
  changes: Partial<Oracle> = {},
  constants: Partial<AdaptiveFeeConstants> = {},
  tickGroupReference = 0,
): Account {
  const data = encodeOracle({
    whirlpool: POOL,
    tradeEnabledAt: 7n,
    constants: {
      filterPeriod: 30,
      decayPeriod: 600,
      reductionFactor: 500,
      controlFactor: 4_000,
      maxVolatility: 350_000,
      tickGroupSize: 64,
      majorSwapTicks: 64,
      ...constants,
    },
    variables: {
      referenceUpdatedAt: 1n,
      majorSwapAt: 2n,
      volatilityReference: 3,
      volatility: 4,
      tickGroupReference,
    },
    ...changes,
  });
  return account(WHIRLPOOL_PROGRAM, data);
}

/** The accounts of a pool, with some of them replaced or gone. */
function createPoolAccounts(pool: Whirlpool, changed: readonly (readonly [Address, Account | null])[] = []) {
  const accounts = new Map<Address, Account | null>([
    [POOL, account(WHIRLPOOL_PROGRAM, encodeWhirlpool(pool))],
    ...MINTS.map((mint) => [mint, account(TOKEN_PROGRAM, MINT)] as const),
    ...changed,
  ]);
  return (address: Address) => accounts.get(address) ?? null;
}

function decoded(
  pool: Whirlpool,
  changed: readonly (readonly [Address, Account | null])[] = [],
): WhirlpoolPool {
  const state = whirlpool.decode(POOL, createPoolAccounts(pool, changed));
  if ('unusable' in state) throw new Error(state.unusable);
  return state;
}
