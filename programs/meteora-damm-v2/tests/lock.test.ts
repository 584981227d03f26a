import { beforeEach, describe, expect, it } from 'vitest';
import { deriveDammPositionAddress } from '../../../src/protocols/meteora-damm-v2/program/addresses.ts';
import { readChanges } from '../../../src/protocols/meteora-damm-v2/program/layout.ts';
import { decodeDammVesting } from '../../../src/protocols/meteora-damm-v2/program/layout-position.ts';
import { swap } from '../../../src/protocols/meteora-damm-v2/instructions.ts';
import { METEORA_DAMM_V2_EVENT_AUTHORITY } from '../../../src/protocols/meteora-damm-v2/program/program.ts';
import { sha256 } from '../../../src/solana/encoding/sha256.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { namedAddress } from '../../raydium-cpmm/tests/fixture.ts';
import { parties, USER } from './fixture.ts';
import {
  dataOf,
  expectEveryAtom,
  first,
  LEAST,
  LIQUIDITY,
  makePool,
  NOW,
  pool,
  readDammPosition,
  run,
  second,
  setTime,
  UNIT,
  userHolds,
  codeOf,
} from './funded.ts';
import {
  claimPositionFee,
  closePosition,
  type LockTerms,
  lockInnerPosition,
  lockPosition,
  permanentLockPosition,
  refreshVesting,
  removeAllLiquidity,
  removeLiquidity,
} from './instructions.ts';

const network = openForEach(() => new TestNetwork(['meteora-damm-v2']));
beforeEach(() => makePool(network));

describe('liquidity with a schedule in its position', () => {
  it('unlocks at the cliff and after each period, and is removed then', () => {
    run(network, lockInnerPosition(pool, second, SCHEDULE));
    expect(parts()).toEqual([0n, LIQUIDITY, 0n]);
    expect(codeOf(network, removeAllLiquidity(pool, second, LEAST))).toBe(6023);
    setTime(network, CLIFF - 1n);
    expect(codeOf(network, removeLiquidity(pool, second, 1n << 64n, LEAST))).toBe(6023);
    setTime(network, CLIFF);
    expect(codeOf(network, removeLiquidity(pool, second, QUARTER + 1n, LEAST))).toBe(6023);
    run(network, removeLiquidity(pool, second, QUARTER, LEAST));
    expect(parts()).toEqual([0n, 3n * QUARTER, 0n]);
    setTime(network, CLIFF + 50n);
    run(network, removeAllLiquidity(pool, second, LEAST));
    expect(parts()).toEqual([0n, 2n * QUARTER, 0n]);
    setTime(network, CLIFF + 149n);
    run(network, refreshVesting(pool, second, []));
    expect(parts()).toEqual([QUARTER, QUARTER, 0n]);
    setTime(network, CLIFF + 10_000n);
    run(network, removeAllLiquidity(pool, second, LEAST));
    expect(readDammPosition(network, second).schedule).toMatchObject({ cliffPoint: 0n, released: 0n });
    run(network, closePosition(pool, second));
    expect(readChanges(dataOf(network, pool.address)).liquidity).toBe(LIQUIDITY);
    expectEveryAtom(network);
  });

  it('earns fees as before', () => {
    run(network, lockInnerPosition(pool, second, { ...SCHEDULE, cliffLiquidity: QUARTER / 2n }));
    run(network, permanentLockPosition(pool, second, QUARTER / 2n));
    run(network, swap(pool, parties(false), 10n * UNIT, 0n));
    const [, before] = userHolds(network);
    run(network, claimPositionFee(pool, second));
    const [, after] = userHolds(network);
    // The protocol keeps a fifth of 1 % of ten units. The two positions are equal, and shares are rounded down.
    expect(after - before).toBe(((10n * UNIT) / 100n / 5n) * 2n - 1n);
    expectEveryAtom(network);
  });

  it('may begin at once, without a part at the cliff', () => {
    const terms = { ...SCHEDULE, cliffPoint: null, cliffLiquidity: 0n };
    run(network, lockInnerPosition(pool, second, terms));
    setTime(network, NOW + 49n);
    run(network, refreshVesting(pool, second, []));
    expect(parts()).toEqual([QUARTER, 3n * QUARTER, 0n]);
    setTime(network, NOW + 50n);
    run(network, refreshVesting(pool, second, []));
    expect(parts()).toEqual([2n * QUARTER, 2n * QUARTER, 0n]);
  });

  it('is locked by a new schedule after the end of the last one', () => {
    run(network, lockInnerPosition(pool, second, SCHEDULE));
    setTime(network, CLIFF + 150n);
    const next = { ...SCHEDULE, cliffPoint: CLIFF + 200n };
    run(network, lockInnerPosition(pool, second, next));
    expect(readDammPosition(network, second)).toMatchObject({
      vested: LIQUIDITY,
      schedule: { cliffPoint: CLIFF + 200n, released: 0n, periods: 3 },
    });
  });
});

describe('liquidity with schedules in accounts', () => {
  it('unlocks by each of them when anybody asks, and the rent goes to the holder at the end', () => {
    const half = { ...SCHEDULE, cliffLiquidity: 0n, liquidityPerPeriod: QUARTER / 2n, periods: 4 };
    run(network, lockPosition(pool, second, { ...half, vesting: ONE }));
    run(network, lockPosition(pool, second, { ...half, cliffPoint: CLIFF + 100n, vesting: OTHER }));
    expect(parts()).toEqual([0n, LIQUIDITY, 0n]);
    expect(decodeDammVesting(dataOf(network, ONE))).toEqual({
      position: deriveDammPositionAddress(second.positionMint),
      schedule: { ...pick(half), released: 0n },
    });
    setTime(network, CLIFF + 100n);
    // A removal reads the schedule of the position only.
    expect(codeOf(network, removeAllLiquidity(pool, second, LEAST))).toBe(6023);
    run(network, refreshVesting(pool, second, [ONE, OTHER]));
    expect(parts()).toEqual([QUARTER, 3n * QUARTER, 0n]);
    expect(decodeDammVesting(dataOf(network, ONE)).schedule.released).toBe(QUARTER);
    setTime(network, CLIFF + 200n);
    const rent = network.account(ONE)?.lamports ?? 0n;
    const before = network.account(USER)?.lamports ?? 0n;
    run(network, refreshVesting(pool, second, [ONE, OTHER]));
    expect(network.account(ONE)).toBeNull();
    expect(network.account(USER)?.lamports).toBe(before + rent);
    expect(parts()).toEqual([3n * QUARTER, QUARTER, 0n]);
    setTime(network, CLIFF + 300n);
    run(network, refreshVesting(pool, second, [OTHER]));
    run(network, removeAllLiquidity(pool, second, LEAST));
    run(network, closePosition(pool, second));
    expectEveryAtom(network);
  });
});

describe('liquidity that is locked for ever', () => {
  it('is counted by the pool, and never leaves', () => {
    run(network, permanentLockPosition(pool, second, QUARTER));
    run(network, permanentLockPosition(pool, first, QUARTER));
    expect(parts()).toEqual([3n * QUARTER, 0n, QUARTER]);
    const data = Buffer.from(dataOf(network, pool.address));
    expect((data.readBigUInt64LE(560) << 64n) | data.readBigUInt64LE(552)).toBe(2n * QUARTER);
    run(network, removeAllLiquidity(pool, second, LEAST));
    setTime(network, NOW + 100n * 365n * 86_400n);
    run(network, refreshVesting(pool, second, []));
    expect(codeOf(network, removeAllLiquidity(pool, second, LEAST))).toBe(6023);
    expect(codeOf(network, closePosition(pool, second))).toBe(6039);
    expectEveryAtom(network);
  });
});

it('locks record their events', () => {
  const eventsOf = (name: string, instruction: Parameters<typeof run>[1]) => {
    const { error, logs, inner } = network.send([instruction]);
    expect(error, logs.join('\n')).toBeNull();
    const call = inner.flat().at(-1);
    expect(call?.accounts).toEqual([METEORA_DAMM_V2_EVENT_AUTHORITY]);
    const tag = sha256(Buffer.from(`event:${name}`)).subarray(0, 8);
    expect(Buffer.from(call?.data.subarray(8, 16) ?? [])).toEqual(Buffer.from(tag));
    return call?.data.length;
  };
  expect(eventsOf('EvtPermanentLockPosition', permanentLockPosition(pool, first, QUARTER))).toBe(16 + 96);
  expect(eventsOf('EvtLockPosition', lockInnerPosition(pool, second, SCHEDULE))).toBe(16 + 128 + 50);
});

const QUARTER = LIQUIDITY / 4n;
const CLIFF = NOW + 100n;
const [ONE, OTHER] = [namedAddress('damm vesting one'), namedAddress('damm vesting other')];
/** A quarter at the cliff, and a quarter after each of three periods. */
const SCHEDULE: LockTerms = {
  cliffPoint: CLIFF,
  periodFrequency: 50n,
  cliffLiquidity: QUARTER,
  liquidityPerPeriod: QUARTER,
  periods: 3,
};

/** What of the second position is unlocked, vested and locked for ever. */
function parts(): readonly bigint[] {
  const { unlocked, vested, permanentlyLocked } = readDammPosition(network, second);
  return [unlocked, vested, permanentlyLocked];
}

function pick({ cliffPoint, ...terms }: LockTerms) {
  return { ...terms, cliffPoint: cliffPoint ?? NOW };
}
