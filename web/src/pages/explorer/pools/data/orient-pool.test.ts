import { describe, expect, it } from 'vitest';
import { SOL_MINT, USDC_MINT } from '../../../../base/mints.ts';
import { orientPool, orientPrice } from './orient-pool.ts';

describe('orientPool', () => {
  it.each([
    [SOL_MINT, USDC_MINT, false, 'SOL in USDC'],
    [USDC_MINT, SOL_MINT, false, 'SOL in USDC'],
    [SOL_MINT, nameToken('t'), false, 'TOKEN in SOL'],
    [nameToken('t'), nameToken('o'), false, 'TOKEN in OTHER'],
    [nameToken('t'), nameToken('o'), true, 'OTHER in TOKEN'],
    [USDC_MINT, SOL_MINT, true, 'USDC in SOL'],
  ])('shows the prices of %s and %s, flipped: %s, as %s', (first, second, isFlipped, expected) => {
    const oriented = orientPool({ pair: [tokenOf(first), tokenOf(second)] }, isFlipped);
    expect(`${oriented?.base.symbol} in ${oriented?.quote.symbol}`).toBe(expected);
    expect(oriented?.isTurned).toBe(oriented?.base.mint !== first);
  });

  it('returns null for a pool that cannot be read', () => {
    expect(orientPool({ pair: null })).toBeNull();
    expect(orientPool({ pair: [tokenOf(SOL_MINT)] })).toBeNull();
  });

  it('takes a symbol as text that anybody has written', () => {
    const written = { ...tokenOf(nameToken('t')), symbol: '\u202eabc'.repeat(20) };
    const symbol = orientPool({ pair: [written, tokenOf(SOL_MINT)] })?.base.symbol ?? '';
    expect([symbol.length <= 16, symbol.includes('\u202e')]).toEqual([true, false]);
    const none = { ...tokenOf(nameToken('t')), symbol: '\u200b' };
    expect(orientPool({ pair: [none, tokenOf(SOL_MINT)] })?.base.symbol).toBe('tttt…tttt');
  });
});

describe('orientPrice', () => {
  it('is turned with the pool, and null where it is no price', () => {
    expect(orientPrice(4, { isTurned: false })).toBe(4);
    expect(orientPrice(4, { isTurned: true })).toBe(0.25);
    for (const price of [null, 0, Number.NaN, Number.POSITIVE_INFINITY, -1])
      expect([orientPrice(price, { isTurned: true }), orientPrice(price, { isTurned: false })]).toEqual([
        null,
        null,
      ]);
  });
});

function nameToken(letter: string): string {
  return letter.repeat(44);
}

function tokenOf(mint: string) {
  const symbols = new Map([
    [SOL_MINT, 'SOL'],
    [USDC_MINT, 'USDC'],
    [nameToken('t'), 'TOKEN'],
    [nameToken('o'), 'OTHER'],
  ]);
  return { mint, symbol: symbols.get(mint) ?? null, decimals: 6, isVerified: true };
}
