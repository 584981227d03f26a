import { describe, expect, it } from 'vitest';
import { findGiftToken, NATIVE_SOL } from './give-tokens.ts';

describe('findGiftToken', () => {
  it('tells SOL from wrapped SOL', () => {
    expect(findGiftToken('sol', [])).toBe(NATIVE_SOL);
    expect(findGiftToken('wSOL', [])?.mint).toBe('So11111111111111111111111111111111111111112');
  });

  it('prefers an address to a symbol, and returns null for what is not there', () => {
    const tokens = [
      { mint: 'A', symbol: 'B', decimals: 1 },
      { mint: 'B', symbol: 'A', decimals: 2 },
    ];
    expect(findGiftToken('A', tokens)?.decimals).toBe(1);
    expect(findGiftToken('b', tokens)?.decimals).toBe(1);
    expect(findGiftToken('c', tokens)).toBeNull();
  });
});
