import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countCases } from '../../../testing/random.ts';
import { openTestMarket } from '../../../testing/genesis-market/open.ts';
import { BuildClient } from '../../../testing/genesis-market/builds.ts';
import { buildSwapInstructionsV2, quoteV2, swapV2 } from '../../../testing/genesis-market/quote-and-swap.ts';
import { quoteV1 } from '../../../testing/genesis-market/swap-v1.ts';
import { SYSTEM_TIMERS } from '../../../common/ports/timers.ts';
import { type Address, address } from '../../../solana/address.ts';
import type { QuoteResponse } from '../endpoints/v1/quote.ts';

describe('a quote of swap v2', () => {
  it('is that of swap v1 for the same input, for random pairs, sizes, fees and slippages', () => {
    let quoted = 0;
    const property = fc.property(pair, size, bps, bps, (mints, amount, slippageBps, platformFeeBps) => {
      const query = { ...mints, amount: `${amount}`, slippageBps: `${slippageBps}` };
      const request = platformFeeBps % 2 === 0 ? query : { ...query, platformFeeBps: `${platformFeeBps}` };
      const one = attempt(() => quoteV1(market, { ...request, instructionVersion: 'V2' }, LABELS));
      const other = attempt(() => quoteV2(market, request, LABELS));
      if (typeof one === 'string' || typeof other === 'string') {
        expect(other).toEqual(one);
        return;
      }
      const { timeTaken: _, ...rest } = one;
      const { timeTaken, platformFee = null, ...answer } = other;
      expect(timeTaken).toEqual(expect.any(Number));
      expect({ platformFee, ...answer }).toEqual(rest);
      quoted++;
    });
    assertProperty(property, SUITE);
    expect(quoted).toBeGreaterThan(countCases(SUITE) / 2);
  });

  it('has a platform fee only if one was asked for', () => {
    expect(quote(SOL_TO_USDC)).not.toHaveProperty('platformFee');
    const { platformFee, outAmount } = quote({ ...SOL_TO_USDC, platformFeeBps: '1000' });
    const whole = BigInt(outAmount) + BigInt(platformFee?.amount ?? 0);
    expect(whole).toBe(BigInt(quote(SOL_TO_USDC).outAmount));
    expect(platformFee).toEqual({ amount: `${(whole + 9n) / 10n}`, feeBps: 1_000 });
  });

  it('is not split over pools with dynamicSwap=false', () => {
    const large = { ...SOL_TO_USDC, amount: '20000000000000' };
    const whole = quote({ ...large, dynamicSwap: 'false' });
    expect(whole.routePlan.every(({ bps }) => bps === 10_000)).toBe(true);
    const split = quote(large);
    expect(split.routePlan.some(({ bps }) => bps !== 10_000)).toBe(true);
    expect(BigInt(split.outAmount)).toBeGreaterThan(BigInt(whole.outAmount));
    expect(quote({ ...large, dynamicSwap: 'true' })).toEqual({ ...split, timeTaken: expect.any(Number) });
  });

  it.each<[Record<string, string>, string]>([
    [{ inputMint: '' }, 'inputMint is missing'],
    [{ outputMint: SOL }, 'inputMint and outputMint must differ'],
    [{ amount: '0' }, 'amount must be a whole number of token atoms from 1'],
    [{ slippageBps: '10001' }, 'slippageBps must be a whole number from 0 to 10000, got "10001"'],
    [{ platformFeeBps: '10001' }, 'platformFeeBps must be a whole number from 0 to 10000'],
    [{ dexes: 'Raydium CP', excludeDexes: 'Whirlpool' }, 'dexes and excludeDexes exclude each other'],
    [{ dynamicSwap: 'yes' }, 'dynamicSwap must be true or false, got "yes"'],
    [{ useIncurredSlippageForQuoting: '1' }, 'useIncurredSlippageForQuoting must be true or false, got "1"'],
  ])('is refused with %j', (change, message) => {
    expect(() => quote({ ...SOL_TO_USDC, ...change })).toThrow(message);
  });
});

describe('the instructions of a quote of swap v2', () => {
  it('move exactly what is quoted, for random pairs and sizes', async () => {
    let swapped = 0;
    const property = fc.asyncProperty(pair, size, async (mints, amount) => {
      const before = holdings(mints);
      fc.pre(BigInt(amount) < before.input / 20n);
      // A few atoms may be worth less than one atom of the other token, and then have no route.
      const answer = attempt(() => quote({ ...mints, amount: `${amount}` }));
      fc.pre(typeof answer !== 'string');
      const built = await instructions(answer, { payer: sponsor });
      const { error, logs } = client.execute(built, sponsor);
      expect(error, logs.join('\n')).toBeNull();
      const after = holdings(mints);
      expect(before.input - after.input).toBe(BigInt(amount));
      expect(after.output - before.output).toBe(BigInt(answer.outAmount));
      swapped++;
    });
    await assertProperty(property, SUITE);
    expect(swapped).toBeGreaterThan(countCases(SUITE) / 2);
  });

  it('collect a fee above what the older instruction can encode', async () => {
    const answer = quote({ ...SOL_TO_USDC, platformFeeBps: '1000' });
    const body = { taker: market.wallet, quoteResponse: answer };
    await expect(buildSwapInstructionsV2(market, body)).rejects.toThrow(
      'feeAccount is missing: quoteResponse.platformFee.feeBps is 1000',
    );
    const feeAccount = client.ata(market.wallet, USDC);
    const before = client.holding(market.wallet, USDC);
    // The account is the taker's own, which so receives the whole.
    const { error } = client.execute(await instructions(answer, { feeAccount }), market.wallet);
    expect(error).toBeNull();
    const whole = BigInt(answer.outAmount) + BigInt(answer.platformFee?.amount ?? 0);
    expect(client.holding(market.wallet, USDC) - before).toBe(whole);
  });

  it('tip beside the priority fee', async () => {
    const { tipInstruction, computeBudgetInstructions, otherInstructions } = await instructions(
      quote(SOL_TO_USDC),
      { tipAmount: '1000000', payer: sponsor },
    );
    expect(tipInstruction?.accounts.map(({ pubkey }) => pubkey)).toEqual([sponsor, expect.any(String)]);
    expect(Buffer.from(tipInstruction?.data ?? '', 'base64').readBigUInt64LE(4)).toBe(1_000_000n);
    expect(computeBudgetInstructions).toHaveLength(2);
    expect(otherInstructions).not.toContainEqual(tipInstruction);
    expect((await instructions(quote(SOL_TO_USDC), {})).tipInstruction).toBeNull();
  });

  it('use the newer generation if the quote does not name one', async () => {
    const answer = quote(SOL_TO_USDC);
    const { instructionVersion: _, ...older } = answer;
    expect((await instructions(older)).swapInstruction).toEqual((await instructions(answer)).swapInstruction);
  });

  it.each<[Fields, string]>([
    [{ taker: 'me' }, 'taker must be an address of 32 bytes in base58, got "me"'],
    [{ payer: 'x' }, 'payer must be an address'],
    [{ feeAccount: 'x' }, 'feeAccount must be an address'],
    [{ destinationTokenAccount: 'x' }, 'destinationTokenAccount must be an address'],
    [{ destinationTokenAccount: USDC, nativeDestinationAccount: SOL }, 'exclude each other'],
    [{ tipAmount: '999999' }, 'tipAmount must be at least 1000000 lamports, got "999999"'],
    [{ tipAmount: '-1' }, 'tipAmount must be a whole number of lamports from 0 to'],
  ])('are refused with %j', async (fields, message) => {
    await expect(async () => instructions(quote(SOL_TO_USDC), fields)).rejects.toThrow(message);
  });
});

describe('the transaction of a quote of swap v2', () => {
  it.each<[Fields['computeUnitPricePercentile'], string]>([
    [undefined, '20'],
    ['medium', '10'],
    ['high', '20'],
    ['veryHigh', '30'],
    [10_000, '40'],
  ])('has the price of the percentile %s for the pinned limit', async (computeUnitPricePercentile, price) => {
    for (const microLamports of [10n, 20n, 30n, 40n]) market.chain.fees.push({ slot: 1n, microLamports });
    const fields = computeUnitPricePercentile === undefined ? {} : { computeUnitPricePercentile };
    const answer = await swapV2(market, { ...TAKEN, quoteResponse: quote(SOL_TO_USDC), ...fields });
    market.chain.fees.splice(-4);
    expect(answer).toEqual({
      swapTransaction: expect.any(String),
      lastValidBlockHeight: Number(market.chain.recentBlockhash(150).lastValidBlockHeight),
      prioritizationFeeLamports: Math.floor((Number(price) * 1_400_000) / 1e6),
      computeUnitPrice: price,
    });
  });

  it.each<Fields['computeUnitPricePercentile']>([undefined, 'high', 10_000])(
    'pays at most 0.005 SOL for the percentile %s, however much others paid',
    async (computeUnitPricePercentile) => {
      // Whoever writes a pool's account with few compute units pays little for a price that would cost a swap 1,400 SOL.
      market.chain.fees.push({ slot: 1n, microLamports: 1_000_000_000_000n });
      const quoteResponse = quote(SOL_TO_USDC);
      const body = {
        ...TAKEN,
        quoteResponse,
        ...(computeUnitPricePercentile && { computeUnitPricePercentile }),
      };
      const answer = await swapV2(market, body);
      market.chain.fees.splice(-1);
      expect(answer).toMatchObject({ prioritizationFeeLamports: 4_999_999, computeUnitPrice: '3571428' });
    },
  );
});

type Fields = Partial<Omit<Parameters<typeof swapV2>[1], 'quoteResponse'>>;

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const SOL = address('So11111111111111111111111111111111111111112');
const SOL_TO_USDC = { inputMint: SOL, outputMint: USDC, amount: '1000000000' };
const LABELS = ['Raydium CP', 'Whirlpool'];
const SUITE = { cases: 1_000, short: 60, seed: 35, against: 'the program' } as const;

const opened = await openTestMarket();
const market = { ...opened, timers: SYSTEM_TIMERS };
const client = new BuildClient(opened);
const sponsor = opened.network.newWallet();
const TAKEN = { taker: opened.wallet };
const mint = fc.constantFrom(...opened.genesis.tokens.map((token) => token.mint));
const pair = fc
  .record({ inputMint: mint, outputMint: mint })
  .filter(({ inputMint, outputMint }) => inputMint !== outputMint);
const size = fc.integer({ min: 1_000, max: 50_000_000 });
const bps = fc.integer({ min: 0, max: 9_000 });

function quote(query: Record<string, string>): QuoteResponse {
  return quoteV2(market, query, LABELS);
}

function attempt(answer: () => QuoteResponse): QuoteResponse | string {
  try {
    return answer();
  } catch (error) {
    return (error as Error).message;
  }
}

function instructions(quoteResponse: QuoteResponse, fields: Fields = {}) {
  return buildSwapInstructionsV2(market, { ...TAKEN, quoteResponse, ...fields });
}

function holdings({ inputMint, outputMint }: Record<'inputMint' | 'outputMint', Address>) {
  return {
    input: client.holding(opened.wallet, inputMint),
    output: client.holding(opened.wallet, outputMint),
  };
}
