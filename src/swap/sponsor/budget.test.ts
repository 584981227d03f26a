import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address } from '../../solana/address.ts';
import { SponsorBudget } from './budget.ts';

const HOUR_MS = 3_600_000;
const TAKERS = ['one', 'two', 'three'] as unknown as readonly Address[];

interface Wish {
  readonly taker: Address;
  readonly lamports: bigint;
  readonly pause: number;
}

const wish: fc.Arbitrary<Wish> = fc.record({
  taker: fc.constantFrom(...TAKERS),
  lamports: fc.bigInt(1n, 40n),
  pause: fc.integer({ min: 0, max: HOUR_MS / 5 }),
});

describe('the budget', () => {
  it('lets within any hour no more through than the limits, and refuses nothing that they admit', () => {
    fc.assert(
      fc.property(fc.array(wish, { maxLength: 80 }), (wishes) => {
        const budget = new SponsorBudget({ perTaker: 60n, inAll: 100n });
        const spent: { at: number; taker: Address; lamports: bigint }[] = [];
        let now = 0;
        for (const { taker, lamports, pause } of wishes) {
          now += pause;
          const recent = spent.filter(({ at }) => at > now - HOUR_MS);
          const sum = (of: typeof spent) => of.reduce((total, each) => total + each.lamports, 0n);
          const ofTaker = sum(recent.filter((each) => each.taker === taker));
          const admitted = ofTaker + lamports <= 60n && sum(recent) + lamports <= 100n;
          expect(budget.refusal(taker, lamports, now) === null).toBe(admitted);
          if (!admitted) continue;
          budget.spend(taker, lamports, now);
          spent.push({ at: now, taker, lamports });
        }
      }),
      { seed: 20_261_121, numRuns: 300 },
    );
  });

  it('says which limit it is', () => {
    const budget = new SponsorBudget({ perTaker: 60n, inAll: 100n });
    const [one, two] = TAKERS as [Address, Address];
    budget.spend(one, 60n, 0);
    expect(budget.refusal(one, 1n, 1)).toBe(
      'the swaps of one would cost 61 lamports within an hour, at most 60 are sponsored',
    );
    expect(budget.refusal(two, 41n, 1)).toBe(
      'what is sponsored within an hour is used up (60 of 100 lamports)',
    );
  });

  it('takes no more entries than it has room for', () => {
    const budget = new SponsorBudget({ perTaker: 1n << 60n, inAll: 1n << 60n });
    const [one] = TAKERS as [Address];
    for (let entry = 0; entry < 50_000; entry++) {
      expect(budget.refusal(one, 1n, entry)).toBeNull();
      budget.spend(one, 1n, entry);
    }
    expect(budget.refusal(one, 1n, 50_000)).toContain('used up');
    expect(budget.refusal(one, 1n, HOUR_MS)).toBeNull();
  });
});
