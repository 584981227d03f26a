import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { address } from '../../solana/address.ts';
import { computeDcaCycle } from '../../protocols/jupiter-dca/dca-schedule.ts';
import type { DcaOrder } from '../../protocols/jupiter-dca/dca-order.ts';
import { assertProperty } from '../../testing/random.ts';
import { checkDcaTerms, type DcaKnowledge, type DcaOrderRequest } from './dca-terms.ts';

describe('checkDcaTerms', () => {
  it('divides an amount so that the program trades it in exactly that many cycles', () => {
    const property = fc.property(
      fc.oneof(fc.bigInt(1n, 5_000n), fc.bigInt(1n, 10n ** 12n)),
      fc.integer({ min: 2, max: 400 }),
      (inAmount, numberOfOrders) => {
        const terms = checkDcaTerms({ ...REQUEST, inAmount, numberOfOrders }, KNOWLEDGE);
        if ('kind' in terms) return;
        expect(countCycles(terms.inAmount, terms.inAmountPerCycle)).toBe(numberOfOrders);
      },
    );
    assertProperty(property, { cases: 1_000, seed: 11 });
  });

  it('refuses amounts of few base units that cannot be divided that way', () => {
    const worth = { ...KNOWLEDGE, worthInDollars: () => 1_000 };
    expect(checkDcaTerms({ ...REQUEST, inAmount: 7, numberOfOrders: 4 }, worth)).toMatchObject({
      error: expect.stringContaining('cannot be divided into 4 equal orders'),
    });
    expect(checkDcaTerms({ ...REQUEST, inAmount: 8, numberOfOrders: 4 }, worth)).toMatchObject({
      inAmountPerCycle: 2n,
    });
  });

  it('takes the bounds of times inclusively', () => {
    const check = (changes: Partial<DcaOrderRequest>) => checkDcaTerms({ ...REQUEST, ...changes }, KNOWLEDGE);
    for (const interval of [30, 31_536_000]) expect(check({ interval })).not.toHaveProperty('kind');
    for (const startAt of [NOW - 86_400, NOW, NOW + 31_536_000]) {
      expect(check({ startAt })).toMatchObject({ startAt: BigInt(startAt) });
    }
    for (const startAt of [NOW - 86_401, NOW + 31_536_001]) {
      expect(check({ startAt })).toMatchObject({ kind: 'impossible' });
    }
    for (const startAt of [null, 0, 0n]) expect(check({ startAt })).toMatchObject({ startAt: undefined });
  });

  it('never says that a worth below the minimum is the minimum', () => {
    const worth = { ...KNOWLEDGE, worthInDollars: () => 99.999_999 };
    expect(checkDcaTerms(REQUEST, worth)).toMatchObject({
      error: 'Order is valued at 99.99 USDC, minimum is 100.00 USDC',
    });
    const dust = { ...KNOWLEDGE, worthInDollars: () => 0.009_99 };
    expect(checkDcaTerms(REQUEST, dust)).toMatchObject({
      error: 'Order is valued at less than 0.01 USDC, minimum is 100.00 USDC',
    });
    const exact = { ...KNOWLEDGE, worthInDollars: () => 100 };
    expect(checkDcaTerms(REQUEST, exact)).not.toHaveProperty('kind');
  });
});

const NOW = 1_800_000_000;
const MINT = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

const REQUEST: DcaOrderRequest = {
  user: MINT,
  inputMint: MINT,
  outputMint: MINT,
  inAmount: 104_000_000,
  numberOfOrders: 2,
  interval: 60,
  minPrice: null,
  maxPrice: null,
  startAt: null,
};

const KNOWLEDGE: DcaKnowledge = {
  inputDecimals: 6,
  outputDecimals: 9,
  now: BigInt(NOW),
  worthInDollars: (_, atoms) => Number(atoms) * 60,
};

/** Plays the program until the order is done. */
function countCycles(inDeposited: bigint, inAmountPerCycle: bigint): number {
  let order = { inDeposited, inAmountPerCycle, inWithdrawn: 0n, inUsed: 0n } as DcaOrder;
  let cycles = 0;
  for (; order.inUsed < inDeposited; cycles++) {
    order = { ...order, inUsed: order.inUsed + computeDcaCycle(order) };
  }
  return cycles;
}
