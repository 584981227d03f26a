import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SETTLED_CLOCK } from '../../protocol/venue/venue.ts';
import {
  createRoundWorld,
  decodeRoundPool,
  ROUND_CLOCK,
  ROUND_PRICE,
  type RoundChange,
} from '../../testing/protocols/forecast-round.ts';
import { assertProperty } from '../../testing/random.ts';
import { quoteRoundPrices } from './round-pool-quote.ts';

import { bisonFi } from './venue.ts';

describe('a side of a round', () => {
  it('is a pool of USDC and its token, which depends on the round, its feed, its vault and the mint', () => {
    const { accounts, side, round, feed, vault, mint, usdc } = createRoundWorld();
    const account = accounts.get(side);
    if (account === undefined) throw new Error('no side');
    expect(bisonFi.isPool(account)).toBe(true);
    for (const other of [round, feed, vault, mint]) {
      expect(bisonFi.isPool(accounts.get(other) ?? account)).toBe(false);
    }
    expect(bisonFi.dependencies(side, account)).toEqual([round, feed, vault, mint]);
    expect(decodeRoundPool()).toMatchObject({ address: side, mints: [usdc, mint], side: 'up' });
  });

  it.each<[string, RoundChange, RegExp]>([
    ['has a result', { round: { status: 'up' } }, /has the result up/],
    ['has lost its round', { missing: 'round' }, /does not exist/],
    ['has lost its feed', { missing: 'feed' }, /does not exist/],
    ['has a frozen vault', { vaultState: 'frozen' }, /vault is frozen/],
    ['has lost its mint', { missing: 'mint' }, /does not exist/],
  ])('cannot be used when it %s', (_, change, reason) => {
    const { accounts, side } = createRoundWorld(change);
    const state = bisonFi.decode(side, (address) => accounts.get(address) ?? null);
    expect('unusable' in state ? state.unusable : null).toMatch(reason);
  });

  it.each<[string, RoundChange, bigint]>([
    ['the last 15 seconds', {}, 285n],
    ['a price that is too old', { feed: { publishTime: ROUND_CLOCK.unixTimestamp - 61n } }, 0n],
    ['a price that is from the future', { feed: { publishTime: ROUND_CLOCK.unixTimestamp + 1n } }, 0n],
    ['a price that is too uncertain', { feed: { confidence: ROUND_PRICE / 50n + 1n } }, 0n],
    ['another exponent', { feed: { exponent: -7 } }, 0n],
    ['a price that is not above zero', { feed: { price: 0n } }, 0n],
  ])('is not traded in or with %s', (_, change, later) => {
    const pool = decodeRoundPool({
      ...change,
      feed: { publishTime: ROUND_CLOCK.unixTimestamp + later, ...change.feed },
    });
    const clock = { ...ROUND_CLOCK, unixTimestamp: ROUND_CLOCK.unixTimestamp + later };
    for (const mint of pool.mints) {
      expect(bisonFi.quoteExactIn(pool, mint, 1_000_000n, clock)).toBeNull();
      expect(bisonFi.quoteExactOut(pool, mint, 1_000_000n, clock)).toBeNull();
      expect(bisonFi.estimate(pool, mint, 1e6, clock)).toBe(0);
    }
    expect(quoteRoundPrices(pool, clock)).toBeNull();
  });

  it('is traded by a clock of an earlier slot than that of the price', () => {
    const pool = decodeRoundPool({ feed: { publishTime: ROUND_CLOCK.unixTimestamp + 1n, postedSlot: 101n } });
    const clock = { ...ROUND_CLOCK, slot: 100n };
    expect(bisonFi.quoteExactIn(pool, pool.mints[0], 1_000_000n, clock)).not.toBeNull();
  });

  it('has a price for the first token on both sides, until it is beyond what the house sells for or buys at', () => {
    expect(quoteRoundPrices(decodeRoundPool(), ROUND_CLOCK)).toEqual({
      buy: 510_000n,
      sell: 490_000n,
      fair: 500_000n,
    });
    const sure = decodeRoundPool({ feed: { price: ROUND_PRICE * 2n } });
    expect(quoteRoundPrices(sure, ROUND_CLOCK)).toEqual({ buy: null, sell: 989_968n, fair: 999_968n });
  });

  it('sells no more than its vault could pay for, and buys no more than there is', () => {
    const pool = decodeRoundPool({ vaultAmount: 3_000_000n, round: { upOutstanding: 2_000_000n } });
    const quote = bisonFi.quoteExactIn(pool, pool.mints[0], 1_000_000n, ROUND_CLOCK);
    expect(quote?.outAmount).toBeGreaterThan(1_900_000n);
    expect(bisonFi.quoteExactIn(pool, pool.mints[0], 3_000_000n, ROUND_CLOCK)).toBeNull();
    expect(bisonFi.quoteExactIn(pool, pool.mints[1], 2_000_000n, ROUND_CLOCK)).not.toBeNull();
    expect(bisonFi.quoteExactIn(pool, pool.mints[1], 2_000_001n, ROUND_CLOCK)).toBeNull();
  });

  it('takes the least input that pays an exact output', () => {
    assertProperty(
      fc.property(change, fc.boolean(), fc.bigInt(1n, 5_000_000_000n), (changed, buys, amount) => {
        const pool = decodeRoundPool(changed);
        const input = pool.mints[buys ? 0 : 1];
        const quote = bisonFi.quoteExactOut(pool, input, amount, ROUND_CLOCK);
        if (quote === null) return;
        expect(quote.outAmount).toBeGreaterThanOrEqual(amount);
        expect(bisonFi.quoteExactIn(pool, input, quote.inAmount, ROUND_CLOCK)).toEqual(quote);
        const less = bisonFi.quoteExactIn(pool, input, quote.inAmount - 1n, ROUND_CLOCK);
        expect(less?.outAmount ?? 0n).toBeLessThan(amount);
      }),
      { cases: 2_000, seed: 1 },
    );
  });

  it('estimates what it quotes, within the rounding, and nothing where it quotes nothing', () => {
    assertProperty(
      fc.property(change, fc.boolean(), fc.bigInt(1n, 60_000_000_000n), (changed, buys, amount) => {
        const pool = decodeRoundPool(changed);
        const input = pool.mints[buys ? 0 : 1];
        const quote = (size: bigint) => bisonFi.quoteExactIn(pool, input, size, ROUND_CLOCK)?.outAmount ?? 0n;
        const estimated = bisonFi.estimate(pool, input, Number(amount), ROUND_CLOCK);
        const quoted = Number(quote(amount));
        if (quoted > 0 && estimated > 0) {
          expect(Math.abs(quoted - estimated)).toBeLessThan(2 + quoted * 1e-6);
        } else if (estimated > 2) {
          // Next to a limit, the rounding decides.
          expect(quote((amount * 999n) / 1_000n)).toBeGreaterThan(0n);
        } else if (quoted > 2) {
          expect(bisonFi.estimate(pool, input, Number(amount) * 0.999, ROUND_CLOCK)).toBeGreaterThan(0);
        }
      }),
      { cases: 2_000, seed: 2 },
    );
  });

  it('has no price among tokens that last', () => {
    const pool = decodeRoundPool();
    for (const mint of pool.mints) expect(bisonFi.estimate(pool, mint, 1, SETTLED_CLOCK)).toBe(0);
  });
});

const change: fc.Arbitrary<RoundChange> = fc.record({
  feed: fc.record({ price: fc.bigInt(ROUND_PRICE - ROUND_PRICE / 400n, ROUND_PRICE + ROUND_PRICE / 400n) }),
  vaultAmount: fc.bigInt(5_000_000_000n, 50_000_000_000n),
  round: fc.record({
    upOutstanding: fc.bigInt(0n, 5_000_000_000n),
    downOutstanding: fc.bigInt(0n, 5_000_000_000n),
  }),
});
