import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../../testing/random.ts';
import { openTestMarket } from '../../../../testing/genesis-market/open.ts';
import { quoteV1 } from '../../../../testing/genesis-market/swap-v1.ts';
import { address } from '../../../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../../../solana/program-addresses.ts';
import { bps, U64_MAX } from '../../../../solana/units.ts';
import type { Query } from '../../../parameters/parameter.ts';
import { computeInputFee, computeMaximumInput } from '../../../../swaps/quoted-swaps/exact-out.ts';
import { parseQuoteRequest, type QuoteResponse } from '../../endpoints/v1/quote.ts';

describe('quoteSwap', () => {
  it('states the amounts, the terms, the route, the slot and the time it took', () => {
    const answer = quote({ ...SOL_TO_USDC, slippageBps: '100' });
    expect(answer).toMatchObject({
      inputMint: WRAPPED_SOL_MINT,
      outputMint: USDC,
      inAmount: '1000000000',
      swapMode: 'ExactIn',
      slippageBps: 100,
      instructionVersion: 'V1',
      contextSlot: Number(market.chain.slot('processed')),
      timeTaken: 0.25,
    });
    const [step] = answer.routePlan;
    expect(step).toMatchObject({ percent: 100, bps: 10_000 });
    expect(step?.swapInfo).toMatchObject({ inAmount: answer.inAmount, outAmount: answer.outAmount });
    expect(BigInt(step?.swapInfo.feeAmount ?? 0)).toBeGreaterThan(0n);
    expect(answer.otherAmountThreshold).toBe(
      ((BigInt(answer.outAmount) * 9_900n + 9_999n) / 10_000n).toString(),
    );
    expect(Number(answer.priceImpactPct)).toBeLessThan(0.01);
    expect(answer.platformFee).toBeNull();
  });

  it('reports what single pools of the pair would pay, none more than the route', () => {
    const answer = quote(SOL_TO_USDC);
    const reported = Object.values(answer.mostReliableAmmsQuoteReport?.info ?? {}).map(BigInt);
    expect(reported.length).toBeGreaterThan(0);
    expect(reported).toEqual(reported.toSorted((one, other) => (one > other ? -1 : 1)));
    for (const out of reported) expect(out).toBeLessThanOrEqual(BigInt(answer.outAmount));
  });

  it('takes the fee from the output', () => {
    const [free, charged] = [quote(SOL_TO_USDC), quote({ ...SOL_TO_USDC, platformFeeBps: '200' })];
    const fee = (BigInt(free.outAmount) * 200n) / 10_000n;
    expect(charged.platformFee).toEqual({ amount: fee.toString(), feeBps: 200 });
    expect(BigInt(charged.outAmount)).toBe(BigInt(free.outAmount) - fee);
  });

  it('refuses a fee that leaves nothing of the output', () => {
    const all = { ...SOL_TO_USDC, platformFeeBps: '10000', instructionVersion: 'V2' };
    expect(() => quote(all)).toThrow('platformFeeBps leaves nothing of the output');
    expect(quote({ ...all, platformFeeBps: '9999' }).outAmount).not.toBe('0');
  });

  it('states for an exact output what is spent, and what at most', () => {
    const answer = quote({ ...SOL_TO_USDC, amount: '5000000', swapMode: 'ExactOut', slippageBps: '100' });
    expect(answer).toMatchObject({ outAmount: '5000000', swapMode: 'ExactOut' });
    expect(answer.otherAmountThreshold).toBe(
      ((BigInt(answer.inAmount) * 10_100n + 9_999n) / 10_000n).toString(),
    );
    expect(answer.routePlan[0]?.swapInfo.inAmount).toBe(answer.inAmount);
    const charged = quote({ ...SOL_TO_USDC, amount: '5000000', swapMode: 'ExactOut', platformFeeBps: '100' });
    expect(charged.outAmount).toBe('5000000');
    // The input pays the fee, a hundredth of the whole, in addition to what the route takes.
    const taken = BigInt(answer.inAmount);
    expect(charged.platformFee?.amount).toBe((taken / 99n).toString());
    expect(charged.inAmount).toBe((taken + taken / 99n).toString());
  });

  it.each(['ExactIn', 'ExactOut'])('uses a single pool when the request asks for it (%s)', (swapMode) => {
    const answer = quote({ ...SOL_TO_USDC, amount: '100000000', swapMode, onlyDirectRoutes: 'true' });
    expect(answer.routePlan).toHaveLength(1);
    expect(() => quote({ ...BONK_TO_JUP, amount: '100000', swapMode, onlyDirectRoutes: 'true' })).toThrow(
      /^no route from inputMint/,
    );
  });

  it('splits an exact output over pools, in shares of the output, and takes less than any of them alone', () => {
    const wanted = { ...SOL_TO_USDC, amount: '3000000000000', swapMode: 'ExactOut' };
    const answer = quote(wanted);
    expect(answer.routePlan.length).toBeGreaterThan(1);
    expect(answer.routePlan.reduce((sum, { percent }) => sum + (percent ?? 0), 0)).toBe(100);
    const delivered = answer.routePlan.map(({ swapInfo }) => BigInt(swapInfo.outAmount));
    expect(delivered.reduce((sum, each) => sum + each, 0n)).toBe(3_000_000_000_000n);
    const alone = quote({ ...wanted, onlyDirectRoutes: 'true' });
    expect(alone.routePlan).toHaveLength(1);
    expect(BigInt(answer.inAmount)).toBeLessThan(BigInt(alone.inAmount));
  });

  it('finds no route for an exact output over pools whose swaps the program does not work out', () => {
    const none = expect.objectContaining({ errorCode: 'COULD_NOT_FIND_ANY_ROUTE' });
    expect(() => quote({ ...BONK_TO_JUP, amount: '100000', swapMode: 'ExactOut' })).toThrow(none);
    const over = { ...SOL_TO_USDC, amount: '5000000', swapMode: 'ExactOut' };
    expect(() => quote({ ...over, dexes: 'Raydium CP' })).toThrow(none);
    expect(quote(over).routePlan.every(({ swapInfo }) => swapInfo.label === 'Whirlpool')).toBe(true);
  });

  it('uses only the most traded intermediate tokens by default', () => {
    const hubs = market.pools.hubs();
    for (const { swapInfo } of quote(BONK_TO_JUP).routePlan.slice(0, -1)) {
      expect([...hubs, JUP]).toContain(swapInfo.outputMint);
    }
    const free = quote({ ...BONK_TO_JUP, restrictIntermediateTokens: 'false' });
    expect(BigInt(free.outAmount)).toBeGreaterThanOrEqual(BigInt(quote(BONK_TO_JUP).outAmount));
  });

  it('uses the requested venues, given as a list or as repeated parameters', () => {
    const labels = (answer: QuoteResponse) => new Set(answer.routePlan.map(({ swapInfo }) => swapInfo.label));
    expect(labels(quote({ ...SOL_TO_USDC, dexes: ['Raydium CP'] }))).toEqual(new Set(['Raydium CP']));
    expect(labels(quote({ ...SOL_TO_USDC, excludeDexes: 'Raydium CP' }))).toEqual(new Set(['Whirlpool']));
    const elsewhere = ['Meteora DLMM', 'Raydium CLMM', 'Orca V2'];
    expect(labels(quote({ ...SOL_TO_USDC, dexes: ['Raydium CP', ...elsewhere] }))).toEqual(
      new Set(['Raydium CP']),
    );
    expect(quote({ ...SOL_TO_USDC, excludeDexes: elsewhere }).outAmount).toBe(quote(SOL_TO_USDC).outAmount);
    expect(() => quote({ ...SOL_TO_USDC, dexes: elsewhere })).toThrow(
      expect.objectContaining({ errorCode: 'COULD_NOT_FIND_ANY_ROUTE' }),
    );
    expect(() => quote({ ...SOL_TO_USDC, dexes: ['Raydium CP', 'Orca'] })).toThrow(
      'dexes names "Orca", which is not one of: Raydium CP, Whirlpool',
    );
  });

  it('names at most the requested number of accounts, and uses shares in percent except for V2', () => {
    const large = { ...SOL_TO_USDC, amount: '20000000000000' };
    expect(quote({ ...large, maxAccounts: '30' }).routePlan.length).toBeLessThan(
      quote(large).routePlan.length,
    );
    expect(() => quote({ ...large, maxAccounts: '5' })).toThrow(/^no route needs 5 accounts or fewer/);
    for (const { bps: share, percent } of quote(large).routePlan) expect(percent).toBe((share ?? 0) / 100);
    const fine = quote({ ...large, instructionVersion: 'V2' }).routePlan;
    expect(fine.some(({ percent }) => percent === null)).toBe(true);
  });
});

describe('parseQuoteRequest', () => {
  it.each<[Query, string]>([
    [{ inputMint: undefined }, 'inputMint is missing'],
    [{ outputMint: 'x' }, 'outputMint must be an address'],
    [{ outputMint: WRAPPED_SOL_MINT }, 'inputMint and outputMint must differ'],
    [{ amount: '0' }, 'amount must be a whole number of token atoms from 1'],
    [{ amount: '1.5' }, 'amount must be a whole number of token atoms from 1'],
    [{ slippageBps: '10001' }, 'slippageBps must be a whole number from 0 to 10000, got "10001"'],
    [{ swapMode: 'exactIn' }, 'swapMode must be ExactIn or ExactOut, got "exactIn"'],
    [{ dexes: 'Raydium CP', excludeDexes: 'Whirlpool' }, 'dexes and excludeDexes exclude each other'],
    [{ excludeDexes: 'Nothing' }, 'excludeDexes names "Nothing", which is not one of: Raydium CP, Whirlpool'],
    [{ restrictIntermediateTokens: '1' }, 'restrictIntermediateTokens must be true or false, got "1"'],
    [{ onlyDirectRoutes: 'yes' }, 'onlyDirectRoutes must be true or false, got "yes"'],
    [{ asLegacyTransaction: 'no' }, 'asLegacyTransaction must be true or false, got "no"'],
    [{ platformFeeBps: '256' }, 'platformFeeBps must be at most 255 with instructionVersion V1, got 256'],
    [
      { platformFeeBps: '10001', instructionVersion: 'V2' },
      'platformFeeBps must be a whole number from 0 to 10000',
    ],
    [{ maxAccounts: '0' }, 'maxAccounts must be a whole number from 1 to'],
    [{ instructionVersion: 'V3' }, 'instructionVersion must be V1 or V2, got "V3"'],
    [{ dynamicSlippage: 'x' }, 'dynamicSlippage must be true or false, got "x"'],
    [{ forJitoBundle: 'x' }, 'forJitoBundle must be true or false, got "x"'],
    [{ amount: ['1', '2'] }, 'amount is given 2 times; give it once'],
  ])('refuses %j', (change, message) => {
    expect(() => parseQuoteRequest({ ...SOL_TO_USDC, ...change }, LABELS)).toThrow(message);
  });

  it('uses the maximum number of accounts if the request allows more', () => {
    expect(parseQuoteRequest({ ...SOL_TO_USDC, maxAccounts: '128' }, LABELS).maxAccounts).toBe(64);
  });

  it('accepts options that have no effect on a quote', () => {
    const plain = parseQuoteRequest(SOL_TO_USDC, LABELS);
    const query = { ...SOL_TO_USDC, dynamicSlippage: 'true', forJitoBundle: 'true' };
    expect(parseQuoteRequest(query, LABELS)).toEqual(plain);
  });
});

describe('amounts of an exact output', () => {
  it('are charged a share of input and fee together, rounded down', () => {
    const property = fc.property(
      fc.bigInt({ min: 1n, max: 1n << 60n }),
      fc.integer({ min: 0, max: 9_999 }),
      (taken, bpsOfAll) => {
        const fee = computeInputFee(taken, bps(bpsOfAll));
        const isMost = (amount: bigint) => amount * 10_000n <= (taken + amount) * BigInt(bpsOfAll);
        expect(isMost(fee)).toBe(true);
        expect(isMost(fee + 1n)).toBe(false);
      },
    );
    assertProperty(property, { cases: 10_000, seed: SEED });
  });

  it('are bounded by what an account can hold', () => {
    expect(computeMaximumInput(U64_MAX, bps(1))).toBe(U64_MAX);
    expect(computeMaximumInput(999n, bps(50))).toBe(1_004n);
    expect(computeMaximumInput(999n, bps(0))).toBe(999n);
  });
});

const SEED = 20_261_121;
const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const JUP = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');
const BONK = address('DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263');
const LABELS = ['Raydium CP', 'Whirlpool'];
const SOL_TO_USDC = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: '1000000000' };
const BONK_TO_JUP = { inputMint: BONK, outputMint: JUP, amount: '1000000000000' };

const market = await openTestMarket('without programs');

function quote(query: Query): QuoteResponse {
  let now = 1_000;
  const timers = { now: () => (now += 250), after: () => () => undefined };
  return quoteV1({ ...market, timers }, query, LABELS);
}
