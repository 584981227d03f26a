import { describe, expect, it } from 'vitest';
import { U64_MAX } from '../../../solana/units.ts';
import type { BuildRequest } from '../../../swaps/build/build.ts';
import { parseBuildRequest } from './build.ts';
import { SwapRefused } from '../../../swaps/refusals.ts';
import type { Query } from '../../parameters/parameter.ts';

describe('parseBuildRequest', () => {
  it('uses the defaults of the specification', () => {
    expect(parse({})).toEqual({
      inputMint: SOL,
      outputMint: USDC,
      amount: 1_000_000n,
      taker: TAKER,
      payer: TAKER,
      slippageBps: 50,
      fast: false,
      venues: undefined,
      maxAccounts: 64,
      platformFee: undefined,
      wrapAndUnwrapSol: true,
      destination: { kind: 'taker' },
      blockhashSlotsToExpiry: 150,
      instructionVersion: 'V2',
      tipAmount: 0n,
      chargesRent: false,
      computeUnitPricePercentile: 5_000,
    });
  });

  it.each(['0', '-1', '1.5', '1e9', '0x10', ' 1', '+1', '18446744073709551616', '9'.repeat(5_000), 'NaN'])(
    'refuses the amount %s',
    (amount) => {
      const message = refusal({ amount });
      expect(message).toMatch(/^amount must be a whole number of token atoms from 1 to 18446744073709551615/);
      expect(message).toContain(amount.slice(0, 60));
      expect(message.length).toBeLessThan(250);
    },
  );

  it('accepts the largest amount', () => {
    expect(parse({ amount: U64_MAX.toString() }).amount).toBe(U64_MAX);
  });

  it.each(['inputMint', 'outputMint', 'taker', 'payer', 'feeAccount', 'destinationTokenAccount'])(
    'refuses a malformed %s by name and value',
    (name) => {
      const message = refusal({ [name]: 'not-an-address' });
      expect(message).toBe(`${name} must be an address of 32 bytes in base58, got "not-an-address"`);
    },
  );

  it.each(['inputMint', 'outputMint', 'amount', 'taker'])('reports that %s is missing', (name) => {
    expect(refusal({ [name]: undefined })).toBe(`${name} is missing`);
  });

  it.each<[Query, RegExp]>([
    [{ outputMint: SOL }, /^inputMint and outputMint must differ/],
    [{ amount: ['1', '2'] }, /^amount is given 2 times/],
    [{ slippageBps: '10001' }, /^slippageBps must be a whole number from 0 to 10000, got "10001"/],
    [{ maxAccounts: '0' }, /^maxAccounts must be a whole number from 1 to 64/],
    [{ maxAccounts: '65' }, /^maxAccounts must be a whole number from 1 to 64/],
    [{ blockhashSlotsToExpiry: '301' }, /^blockhashSlotsToExpiry must be a whole number from 1 to 300/],
    [{ tipAmount: '-1' }, /^tipAmount must be a whole number/],
    [{ wrapAndUnwrapSol: 'yes' }, /^wrapAndUnwrapSol must be true or false, got "yes"/],
    [{ mode: 'slow' }, /^mode must be fast, got "slow"/],
    [{ swapMode: 'ExactOut' }, /^swapMode must be ExactIn, got "ExactOut"/],
    [{ instructionVersion: 'V3' }, /^instructionVersion must be V1 or V2, got "V3"/],
    [
      { instructionVersion: 'V1', platformFeeBps: '256', feeAccount: TAKER },
      /^platformFeeBps must be at most 255 with instructionVersion V1, got 256/,
    ],
    [{ platformFeeBps: '10' }, /^feeAccount is missing/],
    [{ dexes: 'Whirlpool', excludeDexes: 'Raydium CP' }, /^dexes and excludeDexes exclude each other/],
    [{ dexes: 'Nowhere' }, /^dexes names "Nowhere", which is not one of: Raydium CP, Whirlpool/],
    [
      { destinationTokenAccount: OTHER, nativeDestinationAccount: OTHER },
      /^destinationTokenAccount and nativeDestinationAccount exclude each other/,
    ],
    [
      { nativeDestinationAccount: OTHER },
      /^nativeDestinationAccount receives SOL, so outputMint must be So1/,
    ],
    [{ computeUnitPricePercentile: 'low' }, /medium, high, veryHigh or basis points/],
    [{ computeUnitPricePercentile: '10001' }, /^computeUnitPricePercentile must be a whole number/],
    [{ computeUnitPricePercentile: 'constructor' }, /medium, high, veryHigh or basis points/],
  ])('refuses %j', (extra, sentence) => {
    expect(refusal(extra)).toMatch(sentence);
  });

  it('leaves the slippage to the estimator with rtse', () => {
    expect(parse({ slippageBps: 'rtse' }).slippageBps).toBeNull();
    expect(parse({ slippageBps: '0' }).slippageBps).toBe(0);
  });

  it('reads every named and numeric percentile, and uses the 90th with fast', () => {
    expect(parse({ computeUnitPricePercentile: 'medium' }).computeUnitPricePercentile).toBe(2_500);
    expect(parse({ computeUnitPricePercentile: 'veryHigh' }).computeUnitPricePercentile).toBe(7_500);
    expect(parse({ computeUnitPricePercentile: '1234' }).computeUnitPricePercentile).toBe(1_234);
    expect(parse({ mode: 'fast' }).computeUnitPricePercentile).toBe(9_000);
    expect(parse({ mode: 'fast', computeUnitPricePercentile: 'high' }).computeUnitPricePercentile).toBe(
      5_000,
    );
  });

  it('reads a choice of venues', () => {
    expect(parse({ dexes: 'Whirlpool, Raydium CP' }).venues).toEqual({
      kind: 'only',
      labels: new Set(LABELS.toReversed()),
    });
    expect(parse({ excludeDexes: 'Whirlpool' }).venues).toEqual({
      kind: 'except',
      labels: new Set(['Whirlpool']),
    });
  });

  it('ignores the fee account without a fee', () => {
    expect(parse({ platformFeeBps: '0', feeAccount: OTHER }).platformFee).toBeUndefined();
    expect(parse({ platformFeeBps: '25', feeAccount: OTHER }).platformFee).toEqual({
      bps: 25,
      account: OTHER,
    });
  });
});

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const TAKER = 'GGztQqQ6pCPaJQnNpXBgELr5cs3WwDakRbh1iEMzjgSJ';
const OTHER = '2MFoS3MPtvyQ4Wh4M9pdfPjz6UhVoNbFbGJAskCPCj3h';
const LABELS = ['Raydium CP', 'Whirlpool'];
const base: Query = { inputMint: SOL, outputMint: USDC, amount: '1000000', taker: TAKER };

function parse(extra: Query): BuildRequest {
  return parseBuildRequest({ ...base, ...extra }, LABELS);
}

function refusal(extra: Query): string {
  try {
    parse(extra);
  } catch (error) {
    expect(error).toBeInstanceOf(SwapRefused);
    return (error as SwapRefused).message;
  }
  throw new Error(`accepted ${JSON.stringify(extra)}`);
}
