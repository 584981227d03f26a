import { describe, expect, it } from 'vitest';
import { parseSearchTarget } from './search-target.ts';

describe('parseSearchTarget', () => {
  it('tells addresses from signatures by their length, with spaces around them', () => {
    expect(parseSearchTarget(` ${SOL}\n`)).toEqual({ kind: 'account', address: SOL });
    expect(parseSearchTarget('1'.repeat(64))).toEqual({ kind: 'transaction', signature: '1'.repeat(64) });
  });

  it('takes a number for a slot, and a word for a token', () => {
    expect(parseSearchTarget('1200')).toEqual({ kind: 'block', slot: '1200' });
    expect(parseSearchTarget(' USDC ')).toEqual({ kind: 'tokens', query: 'USDC' });
  });

  it.each(['', '-1', 'a b', `${SOL.slice(1)}`, `${SOL}${SOL}${SOL}`, '<script>', '1'.repeat(10_000)])(
    'returns null for %s',
    (text) => {
      expect(parseSearchTarget(text)).toBeNull();
    },
  );
});

const SOL = 'So11111111111111111111111111111111111111112';
