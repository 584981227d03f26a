import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../../../../src/testing/random.ts';
import { SOL_MINT, USDC_MINT } from '../../../../base/mints.ts';
import { cutSides, toPoolSides } from './depth-points.ts';

describe('toPoolSides', () => {
  it('says what selling and buying an amount brings, and how far that is from the price', () => {
    const { bids, asks } = toPoolSides(POOL, ORIENTED, 200);
    expect(bids.map(({ readout }) => readout)).toEqual([
      'Selling 10 SOL gets 1\u202f994.2 USDC: 199.42 USDC for one, 0.29% below the price.',
    ]);
    expect(asks.map(({ readout }) => readout)).toEqual([
      'Buying 9.9 SOL takes 2\u202f000 USDC: 202.02 USDC for one, 1.01% above the price.',
    ]);
    expect([bids[0]?.size, bids[0]?.price, asks[0]?.size]).toEqual([10, 199.42, 9.9]);
  });

  it('turns both sides when the prices are shown in the other token', () => {
    const { bids, asks } = toPoolSides(POOL, { base: USDC, quote: SOL }, 1 / 200);
    expect(bids[0]).toMatchObject({ size: 2_000, baseAmount: 2_000_000_000n, quoteAmount: 9_900_000_000n });
    expect(asks[0]).toMatchObject({ size: 1_994.2, baseAmount: 1_994_200_000n });
  });

  it('has places with finite numbers only, whatever the amounts', () => {
    const property = fc.property(
      fc.bigInt(0n, 1n << 70n),
      fc.bigInt(0n, 1n << 70n),
      (inAmount, outAmount) => {
        const price = Number(outAmount) / Number(inAmount);
        const curve = { ...CURVES[0], points: [{ inAmount, outAmount, price, impact: 0 }] };
        const { bids } = toPoolSides({ depth: { revision: 1, curves: [curve] } }, ORIENTED, null);
        for (const place of bids)
          expect([place.price > 0, Number.isFinite(place.size)]).toEqual([true, true]);
        expect(bids.length).toBe(inAmount > 0n && outAmount > 0n ? 1 : 0);
      },
    );
    assertProperty(property, { cases: 300, seed: 20_261_130 });
  });

  it('has no places where nothing is quoted', () => {
    expect(toPoolSides({ depth: null }, ORIENTED, 200)).toEqual({ bids: [], asks: [] });
  });
});

describe('cutSides', () => {
  it('keeps what is within a share of the price, and all without one', () => {
    const sides = toPoolSides(POOL, ORIENTED, 200);
    expect(cutSides(sides, 200, 0.01)).toEqual({ bids: sides.bids, asks: [] });
    expect(cutSides(sides, 200, null)).toEqual(sides);
    expect(cutSides(sides, null, 0.01)).toEqual(sides);
  });
});

const SOL = { mint: SOL_MINT, symbol: 'SOL', decimals: 9, isVerified: true };
const USDC = { mint: USDC_MINT, symbol: 'USDC', decimals: 6, isVerified: true };
const ORIENTED = { base: SOL, quote: USDC };
const CURVES = [
  {
    inputMint: SOL_MINT,
    marginalPrice: 199.5,
    end: 'half-price',
    points: [{ inAmount: 10_000_000_000n, outAmount: 1_994_200_000n, price: 199.42, impact: 0.0004 }],
  },
  {
    inputMint: USDC_MINT,
    marginalPrice: 0.00499,
    end: 'half-price',
    points: [{ inAmount: 2_000_000_000n, outAmount: 9_900_000_000n, price: 0.00495, impact: 0.008 }],
  },
] as const;
const POOL = { depth: { revision: 1, curves: CURVES } };
