import { describe, expect, it } from 'vitest';
import { SOL_MINT } from '../../../../base/mints.ts';
import { findTokenWallet } from './token-wallet.ts';

describe('findTokenWallet', () => {
  it('reads the wallet of a token', () => {
    expect(findTokenWallet(write({ sub: SOL_MINT, note: 'ÿ?>~' }))).toBe(SOL_MINT);
  });

  it.each(['', 'x', 'a.b.c', write(null), write({}), write({ sub: 7 }), write({ sub: 'no address' }), '.%.'])(
    'finds none in %s',
    (token) => {
      expect(findTokenWallet(token)).toBeNull();
    },
  );
});

function write(payload: unknown): string {
  return `head.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.signature`;
}
