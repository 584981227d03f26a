import {
  aprToApy,
  apyToApr,
  fixUsdValue,
  getElementLendingValues,
  getUsdValueSum,
  type PortfolioAsset,
  reduceYieldElements,
  sortAssets,
} from '@sonarwatch/portfolio-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import { type Address, toAddress } from '../../../solana/address.ts';
import type { BorrowLendElement, TokenAsset, TradeElement } from '../../../protocol/positions/element.ts';
import { toWholeTokens } from '../../../solana/programs/token/display-amount.ts';
import { roundValue, sumKnown, createYieldFromApr, createYieldFromApy } from './money.ts';
import { toYieldingItems, computeNetApy } from './net-apy.ts';
import { compareAssets } from './sort.ts';
import { type PricedMint, valueToken } from './value-asset.ts';
import { listElementMints, valueElement } from './value-element.ts';

// The formulas are compared with the npm package of the team whose engine defined them.

const MINTS = Array.from({ length: 6 }, (_, index) => toAddress(new Uint8Array(32).fill(index + 1)));

const priced = fc.record({
  decimals: fc.integer({ min: 0, max: 12 }),
  price: fc.option(fc.double({ min: 1e-6, max: 1e5, noNaN: true }), { freq: 5 }),
  yields: fc.constant([]),
});
const prices: fc.Arbitrary<ReadonlyMap<Address, PricedMint>> = fc
  .array(priced, { minLength: MINTS.length, maxLength: MINTS.length })
  .map((each) => new Map(MINTS.map((mint, index) => [mint, each[index] as PricedMint])));
const token: fc.Arbitrary<TokenAsset> = fc.record({
  type: fc.constant('token' as const),
  mint: fc.constantFrom(...MINTS),
  amount: fc.bigInt({ min: 1n, max: 1n << 60n }),
});
const tokens = fc.array(token, { maxLength: 4 });

describe('valueElement', () => {
  it('values loans as the published formulas do', async () => {
    await assertProperty(
      fc.asyncProperty(prices, tokens, tokens, tokens, async (mints, supplied, borrowed, rewards) => {
        const thresholds = supplied.map((_, index) => 0.5 + index / 10);
        const element: BorrowLendElement = {
          type: 'borrowlend',
          label: 'Lending',
          suppliedAssets: supplied,
          borrowedAssets: borrowed,
          rewardAssets: rewards,
          suppliedYields: [],
          borrowedYields: [],
          liquidationThresholds: thresholds,
        };
        const valued = await valueElement(element, FETCHER, mints);
        if (supplied.length + borrowed.length + rewards.length === 0) {
          expect(valued).toBeNull();
          return;
        }
        const [suppliedAssets, borrowedAssets, rewardAssets] = [supplied, borrowed, rewards].map((assets) =>
          assets.map((asset) => published(asset, mints)),
        ) as [PortfolioAsset[], PortfolioAsset[], PortfolioAsset[]];
        const expected = getElementLendingValues({
          suppliedAssets,
          borrowedAssets,
          rewardAssets,
          suppliedLtvs: thresholds,
        });
        expect(valued).toMatchObject({
          suppliedValue: expected.suppliedValue,
          borrowedValue: expected.borrowedValue,
          rewardValue: expected.rewardValue,
        });
        if (expected.value === null) expect(valued?.value).toBeNull();
        else expect(valued?.value).toBeCloseTo(expected.value, 6);
        // With an unknown value among them, the published ratio drops what came before it; ours is unknown.
        const isKnown = expected.suppliedValue !== null && expected.borrowedValue !== null;
        const ratio = valued?.type === 'borrowlend' ? valued.healthRatio : undefined;
        if (!isKnown) expect(ratio === null || borrowed.length === 0).toBe(true);
        else if (expected.healthRatio === null) expect(ratio).toBeNull();
        else expect(ratio).toBeCloseTo(expected.healthRatio, 6);
      }),
      { cases: 300, seed: 15, against: 'the published formulas' },
    );
  });

  it('leaves out what holds nothing, and never shows a loan as worth less than nothing', async () => {
    await assertProperty(
      fc.asyncProperty(prices, tokens, tokens, async (mints, supplied, borrowed) => {
        const element: BorrowLendElement = {
          type: 'borrowlend',
          label: 'Lending',
          suppliedAssets: supplied,
          borrowedAssets: borrowed,
          rewardAssets: [],
          suppliedYields: [],
          borrowedYields: [],
          liquidationThresholds: null,
        };
        expect((await valueElement(element, FETCHER, mints))?.value ?? 0).toBeGreaterThanOrEqual(0);
      }),
      { cases: 200, seed: 16 },
    );
  });

  it('shows how much of an order is filled as a fraction, and drops orders that hold nothing', async () => {
    await assertProperty(
      fc.asyncProperty(
        prices,
        fc.bigInt({ min: 0n, max: 1n << 62n }),
        fc.nat(100),
        async (mints, initial, percent) => {
          const remaining = (initial * BigInt(percent)) / 100n;
          const order: TradeElement = {
            type: 'trade',
            label: 'LimitOrder',
            inputMint: MINTS[0] as Address,
            outputMint: MINTS[1] as Address,
            initialInput: initial,
            remainingInput: remaining,
            heldOutput: 0n,
            withdrawnOutput: 0n,
          };
          const valued = await valueElement(order, FETCHER, mints);
          if (remaining === 0n) {
            expect(valued).toBeNull();
            return;
          }
          const filled = valued?.type === 'trade' ? valued.filledPercentage : -1;
          expect(filled).toBeGreaterThanOrEqual(0);
          expect(filled).toBeCloseTo(1 - Number(remaining) / Number(initial), 9);
        },
      ),
      { cases: 200, seed: 17 },
    );
  });

  it('names every mint that it needs', () => {
    const order: TradeElement = {
      type: 'trade',
      label: 'DCA',
      inputMint: MINTS[0] as Address,
      outputMint: MINTS[1] as Address,
      initialInput: 1n,
      remainingInput: 1n,
      heldOutput: 0n,
      withdrawnOutput: 0n,
    };
    expect(listElementMints(order)).toEqual([MINTS[0], MINTS[1]]);
  });
});

describe('computeNetApy', () => {
  it('is what the published helper reduces the yields of an element to', () => {
    assertProperty(
      fc.property(yielding, worth, (all, value) => {
        const items = all.flatMap((each) => toYieldingItems([{ apy: each.apy, apr: each.apy }], each.value));
        const expected = reduceYieldElements(all, value);
        expect(computeNetApy(items, value) ?? 0).toBeCloseTo(expected, 9);
        // Nothing that yields is not the same as a yield of zero.
        if (all.every((each) => each.apy === 0)) expect(computeNetApy(items, value)).toBeNull();
      }),
      { cases: 300, seed: 22, against: 'the published helper' },
    );
  });

  const apy = fc.oneof(fc.constant(0), fc.double({ min: -0.9, max: 3, noNaN: true }));
  const worth = fc.double({ min: 0.01, max: 1e7, noNaN: true });
  const yielding = fc.array(fc.record({ apy, value: worth }), { maxLength: 6 });
});

describe('compareAssets', () => {
  it('sorts as the published helper does, unknown values first', () => {
    assertProperty(
      fc.property(prices, fc.array(token, { maxLength: 12 }), (mints, assets) => {
        const ours = assets.map((asset) => valueToken(asset, mints)).sort(compareAssets);
        const theirs = assets.map((asset) => published(asset, mints)).sort(sortAssets);
        expect(ours.map(({ value }) => value)).toEqual(theirs.map(({ value }) => value));
      }),
      { cases: 200, seed: 18, against: 'the published helper' },
    );
  });
});

describe('money', () => {
  it('rounds values, and converts yields, as the published helpers do', () => {
    assertProperty(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (value) => {
        expect(roundValue(value) + 0).toBe((fixUsdValue(value) ?? Number.NaN) + 0);
      }),
      { cases: 500, seed: 19, against: 'the published helper' },
    );
    assertProperty(
      fc.property(fc.double({ min: -0.9, max: 3, noNaN: true }), (rate) => {
        expect(createYieldFromApr(rate).apy).toBeCloseTo(aprToApy(rate), 9);
        expect(createYieldFromApy(rate).apr).toBeCloseTo(apyToApr(rate), 9);
      }),
      { cases: 500, seed: 20, against: 'the published helper' },
    );
  });

  it('adds known values up as the published helper does', () => {
    assertProperty(
      fc.property(fc.array(fc.option(fc.double({ min: -1e9, max: 1e9, noNaN: true }))), (values) => {
        expect(sumKnown(values)).toBe(getUsdValueSum(values));
      }),
      { cases: 300, seed: 23, against: 'the published helper' },
    );
  });

  it('converts atoms to the nearest double', () => {
    assertProperty(
      fc.property(
        fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
        fc.integer({ min: 0, max: 18 }),
        (atoms, decimals) => {
          expect(toWholeTokens(atoms, decimals)).toBe(Number(`${atoms}e-${decimals}`));
        },
      ),
      { cases: 500, seed: 21 },
    );
  });
});

const FETCHER = { id: 'test-fetcher', platformId: 'test' };

function published(asset: TokenAsset, mints: ReadonlyMap<Address, PricedMint>) {
  const { amount, price, value } = valueToken(asset, mints);
  const data = { address: asset.mint, amount, price };
  return { type: 'token', networkId: 'solana', value, attributes: {}, data } as unknown as PortfolioAsset;
}
