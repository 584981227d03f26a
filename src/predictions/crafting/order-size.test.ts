import { describe, expect, it } from 'vitest';
import {
  computeAveragePrice,
  computeCost,
  computeLowestPrice,
  computePurchasedContracts,
  computeSlippage,
} from './order-size.ts';

describe('computePurchasedContracts', () => {
  it.each([
    [4_996_360n, 200_000n, 23_700_000n],
    [4_996_360n, 986_000n, 4_800_000n],
    [4_996_360n, 182_000n, 26_000_000n],
  ])('gives the recorded contracts of a deposit of %s at up to %s', (deposit, maxPrice, contracts) => {
    expect(computePurchasedContracts(deposit, maxPrice)).toBe(contracts);
  });

  it('asks for nothing when the deposit is not enough for a tenth of a contract', () => {
    expect(computePurchasedContracts(90_000n, 999_000n)).toBe(0n);
  });
});

describe('computeLowestPrice', () => {
  it('gives the recorded price: 2,500 basis points below 0.985, up to a tenth of a cent', () => {
    expect(computeLowestPrice(985_000n, 2_500n)).toBe(739_000n);
  });

  it('is the bid without slippage, and never below a tenth of a cent', () => {
    expect(computeLowestPrice(985_000n, 0n)).toBe(985_000n);
    expect(computeLowestPrice(10_000n, 10_000n)).toBe(1_000n);
  });
});

describe('the price of what was bought', () => {
  it('is its cost for one contract, and 0 of nothing', () => {
    expect(computeAveragePrice(computeCost(23_700_000n, 200_000n), 23_700_000n)).toBe(200_000n);
    expect(computeAveragePrice(0n, 0n)).toBe(0n);
  });

  it('is below the bid by the slippage, rounded up', () => {
    expect(computeSlippage(985_000n, 980_075n)).toBe(50n);
    expect(computeSlippage(985_000n, 980_074n)).toBe(51n);
    expect(computeSlippage(985_000n, 990_000n)).toBe(0n);
  });
});
