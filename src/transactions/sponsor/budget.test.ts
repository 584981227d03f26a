import { describe, expect, it } from 'vitest';
import type { Address } from '../../solana/address.ts';
import { describeBudgetRefusal, findLimitRefusal } from './budget.ts';

describe('findLimitRefusal', () => {
  it.each([
    [{ byTaker: 0n, inAll: 0n }, 60n],
    [{ byTaker: 59n, inAll: 99n }, 1n],
  ])('returns null within both limits', (spent, lamports) => {
    expect(findLimitRefusal(spent, LIMITS, TAKER, lamports)).toBeNull();
  });

  it('names the limit that would be exceeded', () => {
    const ofTaker = findLimitRefusal({ byTaker: 60n, inAll: 60n }, LIMITS, TAKER, 1n);
    expect(ofTaker).toEqual({ kind: 'taker-limit', taker: TAKER, lamports: 61n, limit: 60n });
    const ofAll = findLimitRefusal({ byTaker: 0n, inAll: 60n }, LIMITS, TAKER, 41n);
    expect(ofAll).toEqual({ kind: 'total-limit', spent: 60n, limit: 100n });
  });
});

describe('describeBudgetRefusal', () => {
  it.each([
    [
      { kind: 'taker-limit', taker: TAKER, lamports: 61n, limit: 60n } as const,
      'the swaps of taker would cost 61 lamports within an hour, at most 60 are sponsored',
    ],
    [
      { kind: 'total-limit', spent: 60n, limit: 100n } as const,
      'what is sponsored within an hour is used up (60 of 100 lamports)',
    ],
    [{ kind: 'unknown' } as const, 'what was spent before cannot be looked up at the moment'],
    [{ kind: 'uncountable' } as const, 'what is spent cannot be counted at the moment'],
  ])('says which limit was exceeded, and what is sponsored', (refusal, text) => {
    expect(describeBudgetRefusal(refusal, 'swaps')).toBe(text);
  });
});

const TAKER = 'taker' as unknown as Address;
const LIMITS = { perTaker: 60n, inAll: 100n };
