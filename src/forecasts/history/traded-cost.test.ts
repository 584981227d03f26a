import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { addPurchase, NOTHING_TRADED, takeSold, type TradedCost } from './traded-cost.ts';

const lesser = (one: bigint, other: bigint) => (one < other ? one : other);
const held = (contracts: bigint, cost: bigint): TradedCost => ({ contracts, cost, realizedPnl: 0n });

describe('takeSold', () => {
  it('takes the average cost of what is sold, rounded down, and leaves the rest', () => {
    expect(takeSold(held(3n, 100n), { contracts: 1n, proceeds: 40n })).toEqual({
      cost: 33n,
      pnl: 7n,
      left: { contracts: 2n, cost: 67n, realizedPnl: 7n },
    });
    expect(takeSold(held(3n, 100n), { contracts: 3n, proceeds: 40n }).left).toEqual({
      contracts: 0n,
      cost: 0n,
      realizedPnl: -60n,
    });
  });

  it('realizes nothing of tokens that were not bought', () => {
    expect(takeSold(NOTHING_TRADED, { contracts: 5n, proceeds: 5n })).toEqual({
      cost: 0n,
      pnl: 0n,
      left: NOTHING_TRADED,
    });
    // Two of four tokens were bought, so half of the proceeds counts.
    expect(takeSold(held(2n, 10n), { contracts: 4n, proceeds: 50n })).toMatchObject({ cost: 10n, pnl: 15n });
  });

  it('never realizes more than what all wallets together have gained, whatever they send each other', async () => {
    const step = fc.record({
      wallet: fc.nat({ max: 2 }),
      to: fc.nat({ max: 2 }),
      kind: fc.constantFrom('buy' as const, 'sell' as const, 'send' as const),
      contracts: fc.bigInt({ min: 1n, max: 1_000n }),
      price: fc.bigInt({ min: 10n, max: 990n }),
    });
    const property = fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const wallets = [0, 1, 2].map(() => ({ cost: NOTHING_TRADED, tokens: 0n, gains: 0n, paid: 0n }));
      for (const { wallet, to, kind, contracts, price } of steps) {
        const [from, other] = [wallets[wallet], wallets[to]];
        if (from === undefined || other === undefined) throw new Error('no wallet');
        const moved = lesser(contracts, from.tokens);
        const money = (kind === 'buy' ? contracts : moved) * price;
        if (kind === 'buy') {
          from.tokens += contracts;
          from.paid += money;
          from.cost = addPurchase(from.cost, { contracts, cost: money });
        } else if (kind === 'send') {
          from.tokens -= moved;
          other.tokens += moved;
        } else if (moved > 0n) {
          const { left, cost, pnl } = takeSold(from.cost, { contracts: moved, proceeds: money });
          expect(cost + left.cost).toBe(from.cost.cost);
          expect(left.realizedPnl - from.cost.realizedPnl).toBe(pnl);
          from.tokens -= moved;
          from.gains += money;
          from.cost = left;
        }
      }
      for (const { cost, gains, paid } of wallets) {
        expect(cost.cost >= 0n && cost.contracts >= 0n).toBe(true);
        // What a wallet is said to have gained is never more than what it got less what the sold tokens have cost it.
        expect(cost.realizedPnl <= gains - (paid - cost.cost)).toBe(true);
      }
    });
    await assertProperty(property, { cases: 500, seed: 43_020 });
  });
});
