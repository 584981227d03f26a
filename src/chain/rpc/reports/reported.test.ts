import { describe, expect, it } from 'vitest';
import { isPlausible, type Reported } from './reported.ts';

describe('isPlausible', () => {
  it('takes a reported transaction that landed again as long as its blockhash lives', () => {
    for (const lifetime of [150n, 1_200n]) {
      expect(isPlausible(found(1_000n + lifetime), REPORTED, lifetime)).toBe(true);
      expect(isPlausible(found(1_001n + lifetime), REPORTED, lifetime)).toBe(false);
      expect(isPlausible(found(1_000n - lifetime), REPORTED, lifetime)).toBe(true);
    }
    expect(isPlausible(found(1_000n, 621n), REPORTED, 1_200n)).toBe(false);
  });

  it('takes a listed transaction of its slot and time alone', () => {
    const listed = { ...REPORTED, onEnd: () => {} };
    expect(isPlausible(found(1_000n), listed, 150n)).toBe(true);
    expect(isPlausible(found(1_001n), listed, 150n)).toBe(false);
  });
});

const REPORTED: Reported = { signature: 'one', slot: 1_000n, at: 500, attempts: 0, onEnd: null };
/** A transaction of this slot and time; nothing else is looked at. */
const found = (slot: bigint, time = 500n) => ({ slot, time }) as Parameters<typeof isPlausible>[0];
