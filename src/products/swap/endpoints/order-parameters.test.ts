import { describe, expect, it } from 'vitest';
import { SwapRefused } from '../../../swaps/refusals.ts';
import type { OrderRequest } from '../../../swaps/engines/order-request.ts';
import { parseOrderRequest } from './order-parameters.ts';
import type { Query } from '../../parameters/parameter.ts';

describe('parseOrderRequest', () => {
  it('leaves everything that is absent to the service', () => {
    expect(parse({ swapMode: 'ExactIn' })).toEqual({
      inputMint: SOL,
      outputMint: USDC,
      amount: 1_000_000n,
      taker: TAKER,
      receiver: null,
      payer: null,
      slippageBps: null,
      referral: null,
      priorityFee: null,
      tipLamports: 0n,
      venues: undefined,
      excludedRouters: new Set(),
      mode: 'ultra',
      swapMode: 'ExactIn',
      vault: null,
      wrapsSol: true,
      webhookId: null,
    });
    expect(parse({ taker: undefined }).taker).toBeNull();
  });

  it.each<[Query, Partial<OrderRequest>]>([
    [{ receiver: OTHER }, { receiver: OTHER as OrderRequest['receiver'] }],
    [{ payer: OTHER }, { payer: OTHER as OrderRequest['payer'] }],
    [{ slippageBps: '0' }, { slippageBps: 0 as OrderRequest['slippageBps'] }],
    [
      { priorityFeeLamports: '10000000001' },
      { priorityFee: { lamports: 10_000_000_001n, kind: 'exactFee' } },
    ],
    [{ jitoTipLamports: '0' }, { tipLamports: 0n }],
    [{ excludeRouters: 'iris,hashflow' }, { excludedRouters: new Set(['metis', 'hashflow']) }],
    [{ excludeDexes: 'Meteora DLMM' }, { venues: { kind: 'except', labels: new Set(['Meteora DLMM']) } }],
    [{ priorityFeeLamports: '7' }, { priorityFee: { lamports: 7n, kind: 'exactFee' } }],
    [
      { priorityFeeLamports: '7', broadcastFeeType: 'maxCap' },
      { priorityFee: { lamports: 7n, kind: 'maxCap' } },
    ],
    [{ broadcastFeeType: 'maxCap' }, { priorityFee: null }],
    [{ jitoTipLamports: '1000' }, { tipLamports: 1_000n }],
    [{ excludeRouters: 'jupiterz, okx' }, { excludedRouters: new Set(['jupiterz', 'okx']) }],
    [{ excludeDexes: 'Whirlpool' }, { venues: { kind: 'except', labels: new Set(['Whirlpool']) } }],
  ])('reads %j, and calls the mode manual', (extra, expected) => {
    expect(parse(extra)).toMatchObject({ ...expected, mode: 'manual' });
  });

  it('reads exact outputs, and the one maker to ask', () => {
    expect(parse({ swapMode: 'ExactOut', webhookId: 'acme' })).toMatchObject({
      swapMode: 'ExactOut',
      webhookId: 'acme',
    });
  });

  it('keeps the mode if an option has no effect', () => {
    expect(parse({ payer: TAKER, receiver: '', slippageBps: undefined, other: '1' })).toMatchObject({
      payer: null,
      receiver: null,
      mode: 'ultra',
    });
  });

  it.each<[Query, RegExp]>([
    [{ outputMint: SOL }, /^inputMint and outputMint must differ/],
    [{ amount: '0' }, /^amount must be a whole number of token atoms from 1/],
    [{ swapMode: 'exactOut' }, /^swapMode must be ExactIn or ExactOut, got "exactOut"/],
    [{ taker: undefined, payer: OTHER }, /^payer pays for the transaction of a taker: taker is missing/],
    [{ slippageBps: 'rtse' }, /^slippageBps must be a whole number from 0 to 10000, got "rtse"/],
    [{ referralAccount: OTHER }, /^referralFee is missing: referralAccount is given/],
    [{ referralFee: '50' }, /^referralAccount is missing: referralFee is given/],
    [{ referralAccount: OTHER, referralFee: '49' }, /^referralFee must be a whole number from 50 to 255/],
    [{ referralAccount: OTHER, referralFee: '256' }, /^referralFee must be a whole number from 50 to 255/],
    [
      { priorityFeeLamports: '-1' },
      /^priorityFeeLamports must be a whole number of lamports from 1 to 18446744073709551615/,
    ],
    [{ priorityFeeLamports: '0' }, /^priorityFeeLamports must be .*, got "0"$/],
    [{ receiver: TAKER }, /^receiver must be another wallet than taker/],
    [{ priorityFeeLamports: '1.5' }, /^priorityFeeLamports must be a whole number/],
    [{ jitoTipLamports: '999' }, /^jitoTipLamports must be 0 or at least 1000, got 999/],
    [{ broadcastFeeType: 'most' }, /^broadcastFeeType must be maxCap or exactFee, got "most"/],
    [
      { excludeRouters: 'metis,hermes' },
      /^excludeRouters names "hermes", which is not one of: metis, jupiterz/,
    ],
    [
      { excludeDexes: 'Nowhere' },
      /^excludeDexes names "Nowhere", which is not one of: Raydium CP, Whirlpool/,
    ],
  ])('refuses %j', (extra, sentence) => {
    expect(() => parse(extra)).toThrow(SwapRefused);
    expect(() => parse(extra)).toThrow(sentence);
  });
});

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const TAKER = 'GGztQqQ6pCPaJQnNpXBgELr5cs3WwDakRbh1iEMzjgSJ';
const OTHER = '2MFoS3MPtvyQ4Wh4M9pdfPjz6UhVoNbFbGJAskCPCj3h';
const LABELS = ['Raydium CP', 'Whirlpool'];

function parse(extra: Query): OrderRequest {
  return parseOrderRequest(
    { inputMint: SOL, outputMint: USDC, amount: '1000000', taker: TAKER, ...extra },
    LABELS,
  );
}
