import { describe, expect, it } from 'vitest';
import type { Address } from '../../solana/address.ts';
import { numbered } from '../../testing/test-tokens.ts';
import type { CompleteLaunch } from '../launch.ts';
import { GraduationRetries } from './graduation-retries.ts';

describe('GraduationRetries', () => {
  it('tries a launch again after pauses that double, to an hour', () => {
    const retries = new GraduationRetries();
    const pauses: number[] = [];
    let now = 0;
    for (let failure = 0; failure < 14; failure++) {
      retries.noteFailure(BAD, true, now);
      const failedAt = now;
      while (pick(retries, [BAD], now).length === 0) now += 1_000;
      pauses.push((now - failedAt) / 1_000);
    }
    expect(pauses.slice(0, 5)).toEqual([4, 8, 16, 32, 64]);
    expect(pauses.slice(-3)).toEqual([3_600, 3_600, 3_600]);
  });

  it('waits a minute at most for what all launches need', () => {
    const retries = new GraduationRetries();
    for (let failure = 0; failure < 20; failure++) retries.noteFailure(BAD, false, 0);
    expect(pick(retries, [BAD], 59_999)).toEqual([]);
    expect(pick(retries, [BAD], 60_000)).toEqual([BAD]);
  });

  it('puts launches that have failed behind those that have not, however many they are', () => {
    const retries = new GraduationRetries();
    const bad = Array.from({ length: 1_000 }, (_, index) => numbered(index + 10));
    for (const pool of bad) retries.noteFailure(pool, true, 0);
    expect(pick(retries, [...bad, GOOD], 10_000, 3)).toEqual([GOOD, bad[0], bad[1]]);
  });

  it('forgets a failure after a step, and launches that are not complete any more', () => {
    const retries = new GraduationRetries();
    retries.noteFailure(BAD, true, 0);
    retries.noteFailure(GOOD, true, 0);
    retries.noteStep(GOOD);
    expect(pick(retries, [BAD, GOOD], 0)).toEqual([GOOD]);
    expect(retries.size).toBe(1);
    retries.keepOnly([]);
    expect(retries.size).toBe(0);
  });

  it('puts launches that are worth more first, of those that have failed equally often', () => {
    const retries = new GraduationRetries();
    const worth = new Map([
      [BAD, 500],
      [GOOD, 20],
      [MINT, 90],
    ]);
    retries.noteFailure(BAD, true, 0);
    const launches = [GOOD, MINT, BAD].map(toLaunch);
    const toWorth = ({ pool }: CompleteLaunch) => worth.get(pool) ?? 0;
    const picked = retries.pickDue(launches, () => true, toWorth, { now: 10_000, limit: 5 });
    expect(picked.map(({ pool }) => pool)).toEqual([MINT, GOOD, BAD]);
  });

  it('leaves out launches that are not free', () => {
    const launches = [BAD, GOOD].map(toLaunch);
    const picked = new GraduationRetries().pickDue(launches, ({ pool }) => pool === GOOD, isWorthOne, {
      now: 0,
      limit: 5,
    });
    expect(picked).toEqual([toLaunch(GOOD)]);
  });
});

const [BAD, GOOD, CONFIG, MINT] = [numbered(1), numbered(2), numbered(3), numbered(4)];

const isWorthOne = () => 1;

function toLaunch(pool: Address): CompleteLaunch {
  return { pool, config: CONFIG, mint: MINT, quoteReserve: 1n, quoteMint: null };
}

function pick(retries: GraduationRetries, pools: readonly Address[], now: number, limit = 8): Address[] {
  return retries.pickDue(pools.map(toLaunch), () => true, isWorthOne, { now, limit }).map(({ pool }) => pool);
}
