import { describe, expect, it } from 'vitest';
import { openTestMarket } from '../../../../testing/genesis-market/open.ts';
import { quoteV1, buildSwapInstructionsV1, swapV1 } from '../../../../testing/genesis-market/swap-v1.ts';
import { address } from '../../../../solana/address.ts';
import { parseMessage } from '../../../../solana/messages/message.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../../solana/program-addresses.ts';
import { parseTransaction } from '../../../../solana/messages/transaction.ts';
import type { Query } from '../../../parameters/parameter.ts';
import { SYSTEM_TIMERS } from '../../../../common/ports/timers.ts';
import type { QuoteResponse } from '../../endpoints/v1/quote.ts';
import type { SwapBody } from '../../endpoints/v1/swap-request.ts';

describe('the transaction of a quote', () => {
  it('is unsigned, and states its lifetime and costs', async () => {
    const { wire, lastValidBlockHeight, ...costs } = await transaction(quote(SOL_TO_USDC), {
      prioritizationFeeLamports: 70_000,
    });
    const { message, signatures } = parseTransaction(wire);
    expect(message.version).toBe(0);
    expect(message.staticAccounts[0]).toBe(market.wallet);
    expect(signatures).toEqual([new Uint8Array(64)]);
    expect(lastValidBlockHeight).toBe(Number(market.chain.recentBlockhash().lastValidBlockHeight));
    expect(costs).toMatchObject({
      computeUnitLimit: 1_400_000,
      prioritizationFeeLamports: 70_000,
      simulationError: null,
    });
  });

  it('is signed by the payer, too', async () => {
    const payer = market.network.newWallet();
    const { message } = parseTransaction((await transaction(quote(SOL_TO_USDC), { payer })).wire);
    expect(message.staticAccounts.slice(0, message.signers)).toEqual([payer, market.wallet]);
  });

  it('cannot be paid for by a program that it calls', async () => {
    await expect(transaction(quote(SOL_TO_USDC), { payer: TOKEN_PROGRAM })).rejects.toThrow(
      `the swap makes no valid transaction: the fee payer ${TOKEN_PROGRAM} is invoked as a program`,
    );
  });

  it('is a legacy one on request, for a quote that fits one', async () => {
    const large = { ...USDC_TO_JUP, amount: '1000000000000' };
    const answer = quote({ ...large, asLegacyTransaction: 'true' });
    const { wire } = await transaction(answer, { asLegacyTransaction: true });
    expect(parseTransaction(wire).message.version).toBe('legacy');
    const wide = quote(large);
    expect(wide.routePlan.length).toBeGreaterThan(answer.routePlan.length);
    const body = { userPublicKey: market.wallet, quoteResponse: wide, asLegacyTransaction: true };
    for (const answer of [swapV1, buildSwapInstructionsV1]) {
      await expect(answer(market, body)).rejects.toThrow(
        /does not fit a transaction.*asLegacyTransaction=true/,
      );
    }
  });

  it('has a measured compute-unit limit on request', async () => {
    const answer = quote(USDC_TO_JUP);
    const { computeUnitLimit, simulationError } = await transaction(answer, {
      dynamicComputeUnitLimit: true,
    });
    expect(simulationError).toBeNull();
    expect(computeUnitLimit).toBeGreaterThan(10_000);
    expect(computeUnitLimit).toBeLessThan(400_000);
  });

  it.each([
    [{ prioritizationFeeLamports: 1_400 }, 1_000],
    [{ computeUnitPriceMicroLamports: 25_715 }, 25_715],
  ])('says which price per compute unit %j comes to, and what others pay', async (fields, microLamports) => {
    market.chain.fees.push({ slot: 1n, microLamports: 777n });
    const { prioritizationType } = await transaction(quote(SOL_TO_USDC), fields);
    market.chain.fees.pop();
    expect(prioritizationType).toEqual({ computeBudget: { microLamports, estimatedMicroLamports: 777 } });
  });

  it('states the fee rounded down, as clients compute it', async () => {
    const fields = { computeUnitPriceMicroLamports: 25_715, dynamicComputeUnitLimit: true };
    const { computeUnitLimit, prioritizationFeeLamports } = await transaction(quote(USDC_TO_JUP), fields);
    expect(prioritizationFeeLamports).toBe(Math.floor((computeUnitLimit * 25_715) / 1e6));
  });

  it('states the tip that is paid instead of a priority fee', async () => {
    const prioritizationFeeLamports = { jitoTipLamports: 1_234 };
    const answer = await transaction(quote(SOL_TO_USDC), { prioritizationFeeLamports });
    expect(answer.prioritizationType).toEqual({ jito: { lamports: 1_234 } });
  });

  it('states no slippage unless it is to be estimated', async () => {
    expect((await transaction(quote(SOL_TO_USDC))).dynamicSlippageReport).toBeNull();
  });

  it('can have the largest fee that a request can name', async () => {
    for (const fields of [
      { prioritizationFeeLamports: 2 ** 64 },
      { computeUnitPriceMicroLamports: 2 ** 64 },
    ]) {
      const { wire } = await transaction(quote(SOL_TO_USDC), fields);
      expect(parseTransaction(wire).message.version).toBe(0);
    }
  });

  it('cannot have a token ledger, because nothing could be paid in within it', async () => {
    await expect(transaction(quote(SOL_TO_USDC), { useTokenLedger: true })).rejects.toThrow(
      expect.objectContaining({ errorCode: 'NOT_SUPPORTED' }),
    );
  });

  it('states the reason if the simulation fails', async () => {
    const answer = { ...quote(USDC_TO_JUP), outAmount: '999999999999' };
    const { computeUnitLimit, simulationError } = await transaction(answer, {
      dynamicComputeUnitLimit: true,
    });
    expect(computeUnitLimit).toBe(1_400_000);
    expect(simulationError?.error).toContain('SlippageToleranceExceeded');
  });

  it('allows the estimated slippage instead of the quoted one on request', async () => {
    const answer = quote({ ...USDC_TO_JUP, slippageBps: '9000' });
    const { dynamicSlippageReport } = await transaction(answer, { dynamicSlippage: true });
    const { slippageBps = 0, otherAmount = 0n } = dynamicSlippageReport ?? {};
    expect(slippageBps).toBeLessThanOrEqual(300);
    const least = (BigInt(answer.outAmount) * BigInt(10_000 - slippageBps) + 9_999n) / 10_000n;
    expect(otherAmount).toBe(least);
    const bounded = await transaction(answer, { dynamicSlippage: { minBps: 431, maxBps: 500 } });
    expect(bounded.dynamicSlippageReport?.slippageBps).toBe(431);
    const capped = await transaction(answer, { dynamicSlippage: { maxBps: 1 } });
    expect(capped.dynamicSlippageReport?.slippageBps).toBe(1);
  });

  it('is never larger than the network accepts, whatever is quoted', async () => {
    const mostSteps = { V1: 0, V2: 0 };
    for (const amount of ['1000000000', '1000000000000', '20000000000000', '90000000000000']) {
      for (const instructionVersion of ['V1', 'V2'] as const) {
        const answer = quote({ ...USDC_TO_JUP, amount, instructionVersion });
        mostSteps[instructionVersion] = Math.max(mostSteps[instructionVersion], answer.routePlan.length);
        const { wire } = await transaction(answer);
        expect(wire.length).toBeLessThanOrEqual(1_232);
        expect(parseMessage(parseTransaction(wire).messageBytes).staticAccounts.length).toBeLessThanOrEqual(
          64,
        );
      }
    }
  });

  it('pays what recent transactions do, by level, within bounds, or exactly', async () => {
    const samples = [10n, 20n, 30n, 40_000n].map((microLamports, slot) => ({
      slot: BigInt(slot),
      microLamports,
    }));
    const answer = quote(USDC_TO_JUP);
    const fee = async (prioritizationFeeLamports: unknown) =>
      (await transaction(answer, { prioritizationFeeLamports })).prioritizationFeeLamports;
    const level = (priorityLevel: string, maxLamports: number) =>
      fee({ priorityLevelWithMaxLamports: { priorityLevel, maxLamports } });
    market.chain.fees.push(...samples);
    try {
      expect(await level('medium', 1_000_000)).toBe(14);
      expect(await level('high', 1_000_000)).toBe(28);
      expect(await level('veryHigh', 1_000_000)).toBe(42);
      expect(await level('veryHigh', 20)).toBeLessThanOrEqual(20);
      expect(await fee('auto')).toBe(42);
      expect(await fee(undefined)).toBe(42);
      expect(await fee(0)).toBe(0);
    } finally {
      market.chain.fees.length = 0;
    }
    const { prioritizationFeeLamports } = await transaction(answer, { computeUnitPriceMicroLamports: 1_000 });
    expect(prioritizationFeeLamports).toBe(1_400);
  });
});

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const JUP = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');
const LABELS = ['Raydium CP'];
const SOL_TO_USDC = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: '1000000000' };
const USDC_TO_JUP = { inputMint: USDC, outputMint: JUP, amount: '5000000' };

const market = await openTestMarket();

function quote(query: Query): QuoteResponse {
  return quoteV1({ ...market, timers: SYSTEM_TIMERS }, query, LABELS);
}

type Fields = Partial<Omit<SwapBody, 'quoteResponse'>>;

async function transaction(quoteResponse: QuoteResponse, fields: Fields = {}) {
  const body: SwapBody = { userPublicKey: market.wallet, quoteResponse, ...fields };
  const answer = await swapV1(market, body);
  return { ...answer, wire: Uint8Array.from(Buffer.from(answer.swapTransaction, 'base64')) };
}
