import { getAddressEncoder, isAddress } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { Address } from './address.ts';
import { TOKENS, findTokenByMint, findTokenBySymbol } from './known-tokens.ts';

describe('genesis tokens', () => {
  it('are distinct, well-formed mints', () => {
    expect(TOKENS.length).toBeGreaterThanOrEqual(20);
    for (const { mint } of TOKENS) {
      expect(isAddress(mint), mint).toBe(true);
      expect(getAddressEncoder().encode(mint)).toHaveLength(32);
    }
    expect(new Set(TOKENS.map(({ mint }) => mint)).size).toBe(TOKENS.length);
    expect(new Set(TOKENS.map(({ symbol }) => symbol.toLowerCase())).size).toBe(TOKENS.length);
  });

  it('have list data that clients can show', () => {
    for (const { symbol, name, logoURI, tags, decimals } of TOKENS) {
      expect(name.length, symbol).toBeGreaterThan(0);
      expect(new URL(logoURI).protocol, symbol).toBe('https:');
      expect(tags, symbol).toContain('verified');
      expect(decimals, symbol).toBeGreaterThanOrEqual(5);
      expect(decimals, symbol).toBeLessThanOrEqual(9);
    }
  });

  it('are found by symbol in any letter case, and by mint', () => {
    expect(findTokenBySymbol('jitosol')?.mint).toBe('J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn');
    expect(findTokenBySymbol('CBBTC')?.decimals).toBe(8);
    expect(findTokenBySymbol('toString')).toBeNull();
    for (const info of TOKENS) expect(findTokenByMint(info.mint)).toBe(info);
    expect(findTokenByMint('11111111111111111111111111111111' as Address)).toBeNull();
  });

  it('include Token-2022 mints, marked as such', () => {
    const marked = TOKENS.filter(({ tags }) => tags.includes('token-2022'));
    expect(marked.map(({ symbol }) => symbol)).toEqual(['PYUSD', 'BERN']);
    expect(TOKENS.filter(({ program }) => program === 'token-2022')).toEqual(marked);
  });
});
