import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../../../src/testing/random.ts';
import { parsePrice } from '../../../base/market-price.ts';
import { parseRouteAnswer, type RouteAnswer } from './route-answer.ts';
import { SOL_MINT, USDC_MINT } from '../../../base/mints.ts';
import { computeLegLoss, computeSwapCosts } from './swap-costs.ts';

describe('parseRouteAnswer', () => {
  it('reads an order', () => {
    expect(ORDER).toMatchObject({
      router: 'metis',
      outAmount: 19_950_000n,
      threshold: 19_900_000n,
      sponsorBps: 5,
    });
    expect(ORDER.legs[0]).toMatchObject({ venue: 'Whirlpool', bps: 10_000, fee: { amount: 40_000n } });
    expect(ORDER.network?.rentLamports).toBe(2_039_280n);
  });

  it('reads a quote, which has no taker and says seconds', () => {
    const others = { taker: undefined, totalTime: undefined, platformFee: null, feeBps: undefined };
    const quote = parseRouteAnswer(createBody({ ...others, timeTaken: 0.083 }));
    expect(quote).toMatchObject({ tookMs: 83, platformFee: null, network: null, sponsorBps: 0 });
  });

  it('reads the price impact as a loss, which orders state below zero and quotes above', () => {
    expect(parseRouteAnswer(createBody({ priceImpactPct: '-0.0025' })).impact).toBe(2_500n);
    expect(parseRouteAnswer(createBody({ priceImpactPct: '0.0025' })).impact).toBe(-2_500n);
    expect(parseRouteAnswer(createBody({ priceImpactPct: '0.0025', router: undefined })).impact).toBe(2_500n);
    expect(parseRouteAnswer(createBody({ priceImpactPct: '1e-7' })).impact).toBeNull();
  });

  it('says what a taker lacks', () => {
    const refused = parseRouteAnswer(
      createBody({ errorCode: 1, errorMessage: 'Insufficient funds', details: 'has 0' }),
    );
    expect(refused.lacking).toBe('has 0');
  });

  it.each([
    null,
    [],
    'text',
    {},
    createBody({ routePlan: {} }),
    createBody({ routePlan: [null] }),
    createBody({ inAmount: '-1' }),
    createBody({ outAmount: 1.5 }),
    createBody({ outAmount: '9'.repeat(10_000) }),
  ])('refuses what is no answer: %j', (body) => {
    expect(() => parseRouteAnswer(body)).toThrow('a form that this page does not know');
  });
});

describe('computeSwapCosts', () => {
  it('splits what does not arrive into fees and the rest, and takes off what the network takes', () => {
    expect(computeSwapCosts(ORDER, MARKET)).toEqual({
      paidDollars: 20_000_000_000n,
      receivedDollars: 19_950_000_000n,
      marketOut: 20_000_000n,
      tradeCost: 50_000n,
      tradeCostDollars: 50_000_000n,
      poolFeeDollars: 8_000_000n,
      platformFeeDollars: 10_000_000n,
      sponsorDollars: 10_000_000n,
      restDollars: 22_000_000n,
      networkLamports: 2_044_280n,
      networkDollars: 408_856_000n,
      netOut: 19_541_144n,
      allInShare: 22_942n,
    });
  });

  it('takes lamports off an output of SOL as they are', () => {
    const order = parseRouteAnswer(createBody({ inputMint: USDC_MINT, outputMint: SOL_MINT }));
    expect(computeSwapCosts(order, () => ({ decimals: null, price: null })).netOut).toBe(
      19_950_000n - 2_044_280n,
    );
  });

  it('counts nothing that another wallet pays', () => {
    const payers = { signatureFeePayer: 'other', prioritizationFeePayer: 'other', rentFeePayer: 'other' };
    expect(computeSwapCosts(parseRouteAnswer(createBody(payers)), MARKET).networkLamports).toBe(0n);
  });

  it('knows nothing of dollars where no pool prices a token, and makes no number up', () => {
    const costs = computeSwapCosts(ORDER, () => ({ decimals: 6, price: null }));
    expect([costs.paidDollars, costs.marketOut, costs.restDollars, costs.netOut, costs.allInShare]).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  it('has parts that add up to the whole, whatever the amounts', () => {
    const amounts = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n });
    assertProperty(
      fc.property(amounts, amounts, amounts, (inAmount, outAmount, fee) => {
        const answer = {
          ...ORDER,
          inAmount,
          outAmount,
          platformFee: { amount: fee, mint: USDC_MINT, bps: 5 },
        };
        const costs = computeSwapCosts(answer, MARKET);
        const parts = [
          costs.poolFeeDollars,
          costs.platformFeeDollars,
          costs.sponsorDollars,
          costs.restDollars,
        ];
        expect(parts.reduce<bigint>((sum, part) => sum + (part ?? 0n), 0n)).toBe(costs.tradeCostDollars);
        expect(costs.netOut).toBe(outAmount - 408_856n);
      }),
      { cases: 100, seed: 4424 },
    );
  });
});

describe('computeLegLoss', () => {
  it('is negative where a step pays more than the market', () => {
    const leg = { ...(ORDER.legs[0] as RouteAnswer['legs'][number]), outAmount: 20_200_000n };
    expect(computeLegLoss(leg, MARKET)).toBe(-10_000n);
  });
});

const MARKET = (mint: string) =>
  mint === SOL_MINT
    ? { decimals: 9, price: parsePrice(200) }
    : mint === USDC_MINT
      ? { decimals: 6, price: parsePrice(1) }
      : { decimals: null, price: null };

const ORDER = parseRouteAnswer(createBody());

/** An order of 0.1 SOL for USDC, as the endpoint answers it. */
function createBody(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const taker = 'A5yMoCcVUnEjRBLFfh6WvYtaCUXY2oSdPEVsFEfyGvCL';
  const swap = { inputMint: SOL_MINT, outputMint: USDC_MINT, inAmount: '100000000', outAmount: '19950000' };
  const swapInfo = { ...swap, ammKey: 'pool', label: 'Whirlpool', feeAmount: '40000', feeMint: SOL_MINT };
  return {
    ...swap,
    otherAmountThreshold: '19900000',
    swapMode: 'ExactIn',
    slippageBps: 20,
    routePlan: [{ swapInfo, percent: 100, bps: 10_000 }],
    platformFee: { amount: '10000', feeBps: 5, feeMint: USDC_MINT },
    feeBps: 10,
    signatureFeeLamports: 5_000,
    signatureFeePayer: taker,
    prioritizationFeeLamports: 0,
    prioritizationFeePayer: taker,
    rentFeeLamports: 2_039_280,
    rentFeePayer: taker,
    router: 'metis',
    taker,
    totalTime: 12,
    ...changes,
  };
}
