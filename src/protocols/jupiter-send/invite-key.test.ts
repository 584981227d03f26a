import { describe, expect, it } from 'vitest';
import { deriveInviteKey } from './invite-key.ts';
import { deriveInvite } from './invite-program.ts';

describe('deriveInviteKey', () => {
  it.each([
    [
      '111111111111',
      '8ae430dd793160aa74baf48d822146040ce826864ce2d7a6a9e6e9b23082e112',
      '8fYNrjeZpBahbmyLU94fkqfEpeYHzYxSdNsomi61rfUy',
      'G2ntsEVYWdCu4Z8DCihwXbcdnkwjYmas3UoJoHbMm78p',
      254,
    ],
    [
      'abcdefghijkm',
      'e01dd528f2d0b245b065eb0ff4fd074e48502918993d888c24843456386af2c0',
      '79LbfvbBYULZHSFeqqumoMiQsi3AAeyq7NqyqUEiK84Q',
      'XukKXwrnVjUjfFe5zJdwSudw1io3c9yWcTxWB6xr1BW',
      255,
    ],
    [
      '3mJr7AoUXx2W',
      'a8ca2e2a46e33c505fdf15c9248134920910e52b422da5984d65795a717736b6',
      'EeQyWsZ9kCxZ4oiBTvWNMDmXWKkhfQveARTEF2r8keM6',
      '3EUpNgcWUv1y9diYXQYrF79fa1JZKG6o2o6vtcEzdmGh',
      250,
    ],
  ])('derives the seed, key and invite of %s', (code, seed, key, invite, bump) => {
    const { address, secretKey } = deriveInviteKey(code);
    expect(Buffer.from(secretKey.subarray(0, 32)).toString('hex')).toBe(seed);
    expect(address).toBe(key);
    expect(deriveInvite(address)).toEqual({ address: invite, bump });
  });

  it('takes any other text, and tells texts apart by every byte', () => {
    const codes = ['', ' ', 'é', '111111111111 ', 'IIII'];
    expect(new Set(codes.map((code) => deriveInviteKey(code).address)).size).toBe(codes.length);
  });
});
