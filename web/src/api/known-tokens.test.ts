import { describe, expect, it } from 'vitest';
import { USDC_MINT } from '../base/mints.ts';
import { nameKnownToken, parseToken } from './known-tokens.ts';

describe('parseToken', () => {
  it('reads a token, and leaves markup as the text that it is', () => {
    const entry = { id: USDC_MINT, symbol: '<b>x</b>', name: '<img src=x>', decimals: 6, isVerified: true };
    expect(parseToken(entry)).toEqual({
      mint: USDC_MINT,
      symbol: '<b>x</b>',
      name: '<img src=x>',
      decimals: 6,
      isVerified: true,
    });
  });

  it('shortens long names, and drops characters that nobody sees', () => {
    const entry = { id: USDC_MINT, symbol: 'US\u202eDC\u0000', name: 'x'.repeat(500), decimals: 6 };
    const token = parseToken(entry);
    expect(token?.symbol).toBe('USDC');
    expect(token?.name).toHaveLength(48);
    expect(token?.isVerified).toBe(false);
  });

  it('names a token without a symbol by its mint', () => {
    expect(parseToken({ id: USDC_MINT, decimals: 0, symbol: ' \u200b ', name: 5 })).toMatchObject({
      symbol: 'EPjF…Dt1v',
      name: 'Token without a name',
    });
  });

  it.each([
    null,
    'x',
    {},
    { id: 'x', decimals: 6 },
    { id: USDC_MINT, decimals: 1.5 },
    { id: USDC_MINT, decimals: 500 },
  ])('refuses %j', (entry) => {
    expect(parseToken(entry)).toBeNull();
  });
});

describe('nameKnownToken', () => {
  it('shows the mint of a token that nobody has verified, whatever symbol it has', () => {
    const info = { mint: USDC_MINT, symbol: 'USDC', name: 'USD Coin', decimals: 6, isVerified: true };
    expect(nameKnownToken(info, USDC_MINT)).toBe('USDC');
    expect(nameKnownToken({ ...info, isVerified: false }, USDC_MINT)).toBe('USDC EPjF…Dt1v');
    expect(nameKnownToken({ ...info, isVerified: false, symbol: 'EPjF…Dt1v' }, USDC_MINT)).toBe('EPjF…Dt1v');
    expect(nameKnownToken(null, USDC_MINT)).toBe('EPjF…Dt1v');
  });
});
