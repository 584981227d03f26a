import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { priorityFee } from './priority-fee.ts';

describe('priorityFee', () => {
  it('follows what others pay, up to 0.005 SOL', () => {
    expect(priorityFee(null, 3_000n, 100_000)).toEqual({ price: 3_000n, lamports: 300n });
    expect(priorityFee(null, 0n, 100_000)).toEqual({ price: 0n, lamports: 0n });
    expect(priorityFee(null, 10n ** 12n, 100_000)).toEqual({ price: 50_000_000n, lamports: 5_000_000n });
  });

  it('never exceeds the requested fee, and comes close to it', () => {
    const given = fc.bigInt({ min: 1n, max: 10_000_000_000n });
    const limit = fc.integer({ min: 1, max: 1_400_000 });
    fc.assert(
      fc.property(given, limit, fc.bigInt({ min: 0n, max: 1n << 40n }), (lamports, units, recent) => {
        const exact = priorityFee({ lamports, kind: 'exactFee' }, recent, units);
        expect(exact.lamports).toBeLessThanOrEqual(lamports);
        expect(lamports - exact.lamports).toBeLessThanOrEqual(1n + BigInt(units) / 1_000_000n);
        const capped = priorityFee({ lamports, kind: 'maxCap' }, recent, units);
        expect(capped.lamports).toBeLessThanOrEqual(exact.lamports);
        expect(capped.price).toBeLessThanOrEqual(priorityFee(null, recent, units).price);
      }),
      { seed: 31 },
    );
  });
});
