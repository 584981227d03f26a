import { describe, expect, it } from 'vitest';
import { toExactJson } from '../../../../base/exact-json.ts';
import { readTokenRow } from './token-row.ts';

describe('readTokenRow', () => {
  it('reads amounts exactly as they stand in the answer', () => {
    const row = readTokenRow(
      toExactJson({
        id: MINT,
        symbol: 'USDC',
        name: 'USD Coin',
        decimals: 6,
        isVerified: true,
        usdPrice: 1.000_000_1,
        liquidity: 200.5,
        stats24h: { priceChange: -0.5, buyVolume: 1, sellVolume: 2 },
        holderCount: 28,
        totalSupply: 153.25,
        mintAuthority: MINT,
      }),
    );
    expect(row).toMatchObject({
      symbol: 'USDC',
      price: 1_000_000_100_000_000_000n,
      change: -50n,
      liquidity: 200_500_000_000n,
      volume: 3_000_000_000n,
      holders: 28n,
      supply: 153_250_000_000n,
      mintAuthority: MINT,
      freezeAuthority: null,
    });
  });

  it('leaves out what is missing or has another form, and shortens names', () => {
    const row = readTokenRow(
      toExactJson({
        id: MINT,
        decimals: 0,
        symbol: `\u202eCDSU${'x'.repeat(99)}`,
        name: 7,
        usdPrice: 'much',
      }),
    );
    expect(row).toMatchObject({ name: null, price: null, volume: null, isVerified: false });
    expect(row?.symbol).toBe('CDSUxxxxxxxxxxx…');
  });

  it.each([null, 7, {}, { id: 'no address', decimals: 6 }, { id: MINT, decimals: 77 }])(
    'is null for %j',
    (token) => {
      expect(readTokenRow(toExactJson(token))).toBeNull();
    },
  );
});

const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
