import { beforeEach, describe, expect, it } from 'vitest';
import {
  deriveDammPositionAddress,
  deriveDammPositionTokenAddress,
} from '../../../src/protocols/meteora-damm-v2/program/addresses.ts';
import { METEORA_DAMM_V2_PROGRAM } from '../../../src/protocols/meteora-damm-v2/program/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { U64_MAX, U128_MAX } from '../../../src/solana/units.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { namedAddress } from '../../raydium-cpmm/tests/fixture.ts';
import { USER } from './fixture.ts';
import {
  codeOf,
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
} from './funded.ts';
import {
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

describe('a lock', () => {
  it.each([
    ['begins in the past', { cliffPoint: NOW - 1n }, 6022],
    ['ends at once', { cliffPoint: NOW, periods: 0 }, 6022],
    ['ends at once, without a cliff', { cliffPoint: null, periods: 0 }, 6022],
    ['has periods of no length', { periodFrequency: 0n }, 6022],
    ['has periods without liquidity', { liquidityPerPeriod: 0n }, 6022],
    ['locks nothing', { cliffLiquidity: 0n, periods: 0 }, 6022],
    ['lasts more than ten years', { cliffPoint: NOW + TEN_YEARS - 149n }, 6022],
    ['lasts longer than numbers go', { periodFrequency: U64_MAX }, 6000],
    ['locks more than numbers go', { liquidityPerPeriod: U128_MAX }, 6000],
    ['locks more than there is', { cliffLiquidity: QUARTER + 1n }, 6023],
  ] as [string, Partial<LockTerms>, number][])('is refused if it %s', (_, changes, error) => {
    const terms = { ...SCHEDULE, ...changes };
    expect(codeOf(network, lockInnerPosition(pool, second, terms))).toBe(error);
    expect(codeOf(network, lockPosition(pool, second, { ...terms, vesting: ONE }))).toBe(error);
    expect(network.account(ONE)).toBeNull();
    expect(readDammPosition(network, second)).toMatchObject({ unlocked: LIQUIDITY, vested: 0n });
  });

  it('may last ten years to the second', () => {
    const terms = { ...SCHEDULE, cliffPoint: NOW + TEN_YEARS - 150n };
    run(network, lockInnerPosition(pool, second, terms));
  });

  it('is refused for more than what earlier locks leave', () => {
    run(network, permanentLockPosition(pool, second, QUARTER));
    expect(codeOf(network, permanentLockPosition(pool, second, 3n * QUARTER + 1n))).toBe(6023);
    expect(codeOf(network, permanentLockPosition(pool, second, U128_MAX))).toBe(6023);
    expect(codeOf(network, lockInnerPosition(pool, second, SCHEDULE))).toBe(6023);
    run(network, lockInnerPosition(pool, second, { ...SCHEDULE, periods: 2 }));
    expect(codeOf(network, permanentLockPosition(pool, second, 1n))).toBe(6023);
  });

  it('is refused in a position that has a schedule, until that one ends', () => {
    run(network, lockInnerPosition(pool, second, { ...SCHEDULE, periods: 1 }));
    const more = { ...SCHEDULE, cliffPoint: CLIFF + 100n, periods: 1 };
    expect(codeOf(network, lockInnerPosition(pool, second, more))).toBe(6024);
    setTime(network, CLIFF + 49n);
    expect(codeOf(network, lockInnerPosition(pool, second, more))).toBe(6024);
    setTime(network, CLIFF + 50n);
    run(network, lockInnerPosition(pool, second, more));
  });

  it('is made by the holder of the position alone, and in its own pool', () => {
    const thief = network.newWallet();
    const foreign = { ...second, owner: thief };
    expect(codeOf(network, permanentLockPosition(pool, foreign, 1n))).toBe(6053);
    expect(codeOf(network, lockInnerPosition(pool, foreign, SCHEDULE))).toBe(6053);
    expect(codeOf(network, lockPosition(pool, foreign, { ...SCHEDULE, vesting: ONE }))).toBe(6053);
    const copy = namedAddress('damm other pool');
    network.setData(copy, METEORA_DAMM_V2_PROGRAM, dataOf(network, pool.address));
    const elsewhere = { ...pool, address: copy };
    expect(codeOf(network, permanentLockPosition(elsewhere, second, 1n))).toBe(2001);
    expect(codeOf(network, lockInnerPosition(elsewhere, second, SCHEDULE))).toBe(2001);
    expect(codeOf(network, refreshVesting(elsewhere, second, []))).toBe(2001);
  });

  it('is refused with the token of another position', () => {
    const wrong = (instruction: Instruction) =>
      withAccount(
        instruction,
        deriveDammPositionTokenAddress(second.positionMint),
        deriveDammPositionTokenAddress(first.positionMint),
      );
    expect(codeOf(network, wrong(permanentLockPosition(pool, second, 1n)))).toBe(2003);
    expect(codeOf(network, wrong(lockInnerPosition(pool, second, SCHEDULE)))).toBe(2003);
    expect(codeOf(network, wrong(refreshVesting(pool, second, [])))).toBe(2003);
  });

  it('does not write over an account that exists', () => {
    run(network, lockPosition(pool, second, { ...SCHEDULE, periods: 1, vesting: ONE }));
    const again = { ...SCHEDULE, cliffLiquidity: 1n, periods: 0, vesting: ONE };
    expect(network.send([lockPosition(pool, second, again)]).error).not.toBeNull();
    const position = { ...again, vesting: deriveDammPositionAddress(first.positionMint) };
    expect(network.send([lockPosition(pool, second, position)]).error).not.toBeNull();
  });

  it('does not turn the wallet that pays into its account', () => {
    expect(codeOf(network, lockPosition(pool, second, { ...SCHEDULE, vesting: USER }))).toBe(4101);
    expect(network.account(USER)?.owner).toBe(SYSTEM_PROGRAM);
  });

  it('is refused while the pool is disabled, but what is due unlocks', () => {
    run(network, lockInnerPosition(pool, second, { ...SCHEDULE, periods: 1 }));
    const data = Uint8Array.from(dataOf(network, pool.address));
    data[481] = 1;
    network.setData(pool.address, METEORA_DAMM_V2_PROGRAM, data);
    expect(codeOf(network, permanentLockPosition(pool, second, 1n))).toBe(6003);
    expect(codeOf(network, lockPosition(pool, second, { ...SCHEDULE, vesting: ONE }))).toBe(6003);
    expect(codeOf(network, lockInnerPosition(pool, first, SCHEDULE))).toBe(6003);
    setTime(network, CLIFF);
    run(network, refreshVesting(pool, second, []));
    run(network, removeLiquidity(pool, second, 3n * QUARTER, LEAST));
  });
});

describe('a refresh', () => {
  it('unlocks nothing early', () => {
    run(network, lockPosition(pool, second, { ...SCHEDULE, vesting: ONE }));
    setTime(network, CLIFF - 1n);
    run(network, refreshVesting(pool, second, [ONE]));
    expect(codeOf(network, removeAllLiquidity(pool, second, LEAST))).toBe(6023);
    expect(codeOf(network, closePosition(pool, second))).toBe(6039);
  });

  it('takes the schedules of its own position alone', () => {
    run(network, lockPosition(pool, first, { ...SCHEDULE, vesting: ONE }));
    run(network, lockPosition(pool, second, { ...SCHEDULE, vesting: OTHER }));
    setTime(network, CLIFF + 1000n);
    expect(codeOf(network, refreshVesting(pool, second, [ONE]))).toBe(6024);
    expect(codeOf(network, refreshVesting(pool, second, [OTHER, ONE]))).toBe(6024);
    const own = deriveDammPositionAddress(second.positionMint);
    expect(codeOf(network, refreshVesting(pool, second, [own]))).toBe(3002);
    expect(codeOf(network, refreshVesting(pool, second, [USER]))).toBe(3007);
    expect(readDammPosition(network, second)).toMatchObject({ unlocked: 0n, vested: LIQUIDITY });
  });

  it('takes no forged schedule, which another program owns', () => {
    run(network, lockPosition(pool, second, { ...SCHEDULE, vesting: ONE }));
    const forged = namedAddress('damm forged vesting');
    network.setData(forged, namedAddress('another program'), dataOf(network, ONE));
    setTime(network, CLIFF + 1000n);
    expect(codeOf(network, refreshVesting(pool, second, [forged]))).toBe(3007);
  });

  it('unlocks once what is given twice', () => {
    run(network, lockPosition(pool, second, { ...SCHEDULE, vesting: ONE }));
    setTime(network, CLIFF + 60n);
    run(network, refreshVesting(pool, second, [ONE, ONE]));
    expect(readDammPosition(network, second)).toMatchObject({ unlocked: 2n * QUARTER, vested: 2n * QUARTER });
    setTime(network, CLIFF + 1000n);
    expect(codeOf(network, refreshVesting(pool, second, [ONE, ONE]))).toBe(3007);
    run(network, refreshVesting(pool, second, [ONE]));
    expect(readDammPosition(network, second)).toMatchObject({ unlocked: LIQUIDITY, vested: 0n });
    expectEveryAtom(network);
  });

  it('needs the holder of the position as the receiver of the rent', () => {
    run(network, lockPosition(pool, second, { ...SCHEDULE, vesting: ONE }));
    setTime(network, CLIFF + 1000n);
    const thief = network.newWallet();
    expect(codeOf(network, refreshVesting(pool, { ...second, owner: thief }, [ONE]))).toBe(2015);
  });

  it('fails when the clock went backwards, and takes nothing back', () => {
    run(network, lockInnerPosition(pool, second, { ...SCHEDULE, periods: 1 }));
    run(network, lockPosition(pool, second, { ...SCHEDULE, periods: 1, vesting: ONE }));
    setTime(network, CLIFF);
    run(network, refreshVesting(pool, second, [ONE]));
    setTime(network, CLIFF - 1n);
    expect(codeOf(network, refreshVesting(pool, second, []))).toBe(6000);
    expect(codeOf(network, removeAllLiquidity(pool, second, LEAST))).toBe(6000);
    expect(codeOf(network, permanentLockPosition(pool, second, 1n))).toBe(6000);
    expect(readDammPosition(network, second)).toMatchObject({ unlocked: 2n * QUARTER, vested: 2n * QUARTER });
    setTime(network, CLIFF + 50n);
    run(network, refreshVesting(pool, second, [ONE]));
    run(network, removeAllLiquidity(pool, second, LEAST));
    run(network, closePosition(pool, second));
    expectEveryAtom(network);
  });
});

const TEN_YEARS = 10n * 365n * 86_400n;
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

function withAccount(instruction: Instruction, from: Address, to: Address): Instruction {
  const accounts = instruction.accounts.map((meta) =>
    meta.address === from ? { ...meta, address: to } : meta,
  );
  return { ...instruction, accounts };
}
