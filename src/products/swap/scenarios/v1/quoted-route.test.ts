import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { assertProperty, countCases } from '../../../../testing/random.ts';
import { openTestMarket } from '../../../../testing/genesis-market/open.ts';
import { quoteV1, buildSwapInstructionsV1 } from '../../../../testing/genesis-market/swap-v1.ts';
import { address } from '../../../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../../../solana/program-addresses.ts';
import { SwapRefused } from '../../../../swaps/refusals.ts';
import { SYSTEM_TIMERS } from '../../../../common/ports/timers.ts';
import type { QuoteResponse } from '../../endpoints/v1/quote.ts';

/** Over one pool. */
let direct: QuoteResponse;
/** Over two consecutive pools. */
let chained: QuoteResponse;
/** Over several parallel pools. */
let split: QuoteResponse;
beforeAll(setUp);

describe('a quote in a request', () => {
  it('is accepted as it was returned, however it was transported', async () => {
    for (const quote of [direct, chained, split]) {
      expect((await accept(JSON.parse(JSON.stringify(quote)))).swapInstruction.data).not.toBe('');
    }
    expect(chained.routePlan.length).toBeGreaterThan(1);
    expect(split.routePlan.length).toBeGreaterThan(2);
  });

  it('has shares in percent if it has no basis points', async () => {
    const percentOnly = withSteps(split, (steps) => steps.map(({ bps: _, ...step }) => step));
    expect((await accept(percentOnly)).swapInstruction).toEqual((await accept(split)).swapInstruction);
  });

  it('provides only its terms: amounts of steps, labels and reports change nothing', async () => {
    const lying = withSteps(direct, (steps) =>
      steps.map((step) => withInfo(step, { inAmount: '1', outAmount: '9', label: 'x', feeAmount: 'y' })),
    );
    const altered = {
      ...lying,
      otherAmountThreshold: '-',
      priceImpactPct: '7',
      contextSlot: 0,
      timeTaken: 9,
    };
    expect((await accept(altered)).swapInstruction).toEqual((await accept(direct)).swapInstruction);
  });

  it('is refused for an unknown pool, one that trades other mints, and one that is used twice', async () => {
    const stranger = withSteps(direct, ([step]) => [withInfo(step, { ammKey: market.wallet })]);
    await expect(accept(stranger)).rejects.toThrow(
      `quoteResponse.routePlan[0] names ${market.wallet}, which is no pool that can be used now`,
    );
    const other = chained.routePlan[0]?.swapInfo.ammKey ?? '';
    const swapped = withSteps(direct, ([step]) => [withInfo(step, { ammKey: other })]);
    await expect(accept(swapped)).rejects.toThrow(/routePlan\[0\] swaps \w+ for \w+, but \w+ trades/);
    const twice = withSteps(direct, ([step]) =>
      [step, step].map((each) => ({ ...withInfo(each, {}), bps: 5_000, percent: 50 })),
    );
    await expect(accept(twice)).rejects.toThrow('routePlan[1] uses the pool');
  });

  it('is refused for mints that no pool trades', async () => {
    const unknown = market.network.newAddress();
    await expect(accept({ ...direct, inputMint: unknown })).rejects.toThrow(`no pool trades ${unknown}`);
    await expect(accept({ ...direct, outputMint: WRAPPED_SOL_MINT })).rejects.toThrow('must differ');
  });

  it('is refused if shares do not make a whole or cannot be encoded', async () => {
    const change = (bps: number, percent: number) =>
      withSteps(direct, ([step]) => [{ ...withInfo(step, {}), bps, percent }]);
    await expect(accept(change(9_900, 99))).rejects.toThrow('must add up to 10000 bps, not 9900');
    await expect(accept(change(10_000, 50))).rejects.toThrow('bps 10000 and percent 50');
    await expect(accept(change(10_100, 101))).rejects.toThrow(
      'must be a whole number from 0 to 10000, got 10100',
    );
    const fine = withSteps(direct, ([step]) => [{ ...withInfo(step, {}), bps: 9_950, percent: null }]);
    await expect(accept(fine)).rejects.toThrow('in whole percents with instructionVersion V1, got 9950');
    await expect(accept(withSteps(direct, () => []))).rejects.toThrow('must add up to 10000 bps, not 0');
    const shareless = withSteps(direct, ([step]) => [{ swapInfo: withInfo(step, {}).swapInfo }]);
    await expect(accept(shareless)).rejects.toThrow('has neither bps nor percent');
  });

  it('is refused if tokens would go in a cycle or remain', async () => {
    await expect(accept(withSteps(chained, (steps) => steps.toReversed()))).rejects.toThrow(
      /routePlan\[0\] spends \w+ before any step pays it/,
    );
    await expect(accept(withSteps(chained, (steps) => steps.slice(0, 1)))).rejects.toThrow(
      'never pays outputMint',
    );
    await expect(
      accept({ ...chained, outputMint: chained.routePlan[0]?.swapInfo.outputMint ?? '' }),
    ).rejects.toThrow('spends outputMint');
    const back = withSteps(chained, ([first, ...rest]) => {
      const { inputMint, outputMint } = withInfo(first, {}).swapInfo;
      return [
        withInfo(first, {}),
        withInfo(first, { inputMint: outputMint, outputMint: inputMint }),
        ...rest.slice(1),
      ];
    });
    await expect(accept(back)).rejects.toThrow('which the route has spent already');
  });

  it('is refused for impossible amounts', async () => {
    await expect(accept({ ...direct, inAmount: '18446744073709551616' })).rejects.toThrow(
      'quoteResponse.inAmount',
    );
    await expect(accept({ ...direct, inAmount: '-1' })).rejects.toThrow('quoteResponse.inAmount');
    await expect(accept({ ...direct, outAmount: '1e9' })).rejects.toThrow('quoteResponse.outAmount');
    await expect(accept({ ...direct, slippageBps: 10_001 })).rejects.toThrow('quoteResponse.slippageBps');
    await expect(accept({ ...chained, inAmount: '1' })).rejects.toThrow('refuse this amount now');
  });

  it('is refused with the codes that clients know', async () => {
    const code = (errorCode: string) => expect.objectContaining({ errorCode });
    const stranger = withSteps(direct, ([step]) => [withInfo(step, { ammKey: market.wallet })]);
    await expect(accept(stranger)).rejects.toThrow(code('MARKET_NOT_FOUND'));
    const part = withSteps(direct, ([step]) => [{ ...withInfo(step, {}), bps: 9_900, percent: 99 }]);
    await expect(accept(part)).rejects.toThrow(code('ROUTE_PLAN_DOES_NOT_CONSUME_ALL_THE_AMOUNT'));
    const untradable = { ...direct, inputMint: market.network.newAddress() };
    await expect(accept(untradable)).rejects.toThrow(code('TOKEN_NOT_TRADABLE'));
    const circular = { ...direct, outputMint: direct.inputMint };
    await expect(accept(circular)).rejects.toThrow(code('CIRCULAR_ARBITRAGE_IS_DISABLED'));
    const steep = { ...direct, slippageBps: 10_001 };
    await expect(accept(steep)).rejects.toThrow(code('CANNOT_COMPUTE_OTHER_AMOUNT_THRESHOLD'));
    const tiny = { ...chained, inAmount: '1' };
    await expect(accept(tiny)).rejects.toThrow(code('FAILED_TO_GET_SWAP_AND_ACCOUNT_METAS'));
  });

  it('is answered or refused, never more, however it is altered', async () => {
    const mints = [WRAPPED_SOL_MINT, USDC, JUP, BONK, market.wallet];
    const pools = [direct, chained, split].flatMap(({ routePlan }) =>
      routePlan.map((step) => step.swapInfo.ammKey),
    );
    const step = fc.record({
      swapInfo: fc.record({
        ammKey: fc.constantFrom(...pools, market.wallet),
        inputMint: fc.constantFrom(...mints),
        outputMint: fc.constantFrom(...mints),
        inAmount: fc.constant('0'),
        outAmount: fc.constant(''),
      }),
      bps: fc.constantFrom(0, 100, 5_000, 10_000),
    });
    let refused = 0;
    const property = fc.asyncProperty(
      fc.array(step, { maxLength: 6 }),
      fc.constantFrom('ExactIn' as const, 'ExactOut' as const),
      fc.constantFrom('V1' as const, 'V2' as const),
      async (routePlan, swapMode, instructionVersion) => {
        const quote = { ...direct, routePlan, swapMode, instructionVersion };
        await accept(quote).catch((error: unknown) => {
          expect(error).toBeInstanceOf(SwapRefused);
          refused++;
        });
      },
    );
    const suite = { cases: 1_000, seed: SEED };
    await assertProperty(property, suite);
    expect(refused).toBeGreaterThan(0.9 * countCases(suite));
  });
});

const SEED = 20_261_121;
const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const JUP = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');
const BONK = address('DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263');

type Step = QuoteResponse['routePlan'][number];

const market = await openTestMarket();

function setUp(): void {
  const quote = (inputMint: string, outputMint: string, amount: string, more = {}) =>
    quoteV1({ ...market, timers: SYSTEM_TIMERS }, { inputMint, outputMint, amount, ...more }, []);
  direct = quote(WRAPPED_SOL_MINT, USDC, '1000000000', { onlyDirectRoutes: 'true' });
  chained = quote(BONK, JUP, '1000000000', { asLegacyTransaction: 'true' });
  split = quote(USDC, JUP, '1000000000000');
}

function accept(quoteResponse: QuoteResponse) {
  const body = { userPublicKey: market.wallet, quoteResponse };
  return buildSwapInstructionsV1(market, body);
}

function withSteps(quote: QuoteResponse, change: (steps: Step[]) => Step[]): QuoteResponse {
  return { ...quote, routePlan: change(structuredClone(quote.routePlan)) };
}

function withInfo(step: Step | undefined, info: Partial<Step['swapInfo']>): Step {
  if (step === undefined) throw new Error('the quote has too few steps');
  return { ...step, swapInfo: { ...step.swapInfo, ...info } };
}
