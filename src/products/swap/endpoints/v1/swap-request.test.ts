import { describe, expect, it } from 'vitest';
import { U64_MAX } from '../../../../solana/units.ts';
import { parsePrioritization } from './prioritization.ts';
import type { QuoteResponse } from './quote.ts';
import type { SwapBody } from './swap-request.ts';
import { parseSwapRequest } from './swap-request.ts';

describe('parseSwapRequest', () => {
  it('uses defaults for absent fields', () => {
    expect(parseSwapRequest(body({}))).toEqual({
      quote: {
        inputMint: SOL,
        outputMint: USDC,
        inAmount: 5n,
        outAmount: 4n,
        swapMode: 'ExactIn',
        slippageBps: 50,
        version: 'V1',
        routePlan: [],
      },
      taker: WALLET,
      payer: WALLET,
      wrapAndUnwrapSol: true,
      sharedAccounts: false,
      spendsArrivals: false,
      platformFee: undefined,
      trackingAccount: undefined,
      prioritization: { fee: { kind: 'auto', times: 1n }, tip: null },
      legacy: false,
      destination: { kind: 'taker' },
      measuresComputeUnits: false,
      skipsLookups: false,
      estimatedSlippage: null,
      blockhashSlotsToExpiry: null,
    });
  });

  it.each<[Partial<SwapBody>, string]>([
    [{ userPublicKey: 'me' }, 'userPublicKey must be an address of 32 bytes in base58, got "me"'],
    [{ userPublicKey: '' }, 'userPublicKey is missing'],
    [{ payer: 'x' }, 'payer must be an address'],
    [{ trackingAccount: 'x' }, 'trackingAccount must be an address'],
    [
      { dynamicSlippage: { minBps: 60, maxBps: 50 } },
      'minBps must be at most dynamicSlippage.maxBps, got 60 and 50',
    ],
    [
      { quoteResponse: { ...QUOTE, ...FEE } },
      'feeAccount is missing: quoteResponse.platformFee.feeBps is 20',
    ],
    [
      { quoteResponse: { ...QUOTE, platformFee: { feeBps: 256 } }, feeAccount: USDC },
      'quoteResponse.platformFee.feeBps must be a whole number from 0 to 255, got 256',
    ],
    [{ destinationTokenAccount: USDC, nativeDestinationAccount: SOL }, 'exclude each other'],
    [{ nativeDestinationAccount: WALLET }, 'nativeDestinationAccount receives SOL, so outputMint must be'],
    [{ quoteResponse: { ...QUOTE, inputMint: 'SOL' } }, 'quoteResponse.inputMint must be an address'],
    [{ quoteResponse: { ...QUOTE, inAmount: '0' } }, 'quoteResponse.inAmount must be a whole number'],
  ])('refuses %j', (fields, message) => {
    expect(() => parseSwapRequest(body(fields))).toThrow(message);
  });

  it('accepts null for every optional field', () => {
    const nothing = {
      payer: null,
      feeAccount: null,
      trackingAccount: null,
      destinationTokenAccount: null,
      nativeDestinationAccount: null,
      wrapAndUnwrapSol: null,
      useSharedAccounts: null,
      prioritizationFeeLamports: null,
      computeUnitPriceMicroLamports: null,
      asLegacyTransaction: null,
      dynamicComputeUnitLimit: null,
      skipUserAccountsRpcCalls: null,
      dynamicSlippage: null,
      blockhashSlotsToExpiry: null,
      useTokenLedger: null,
      keyedUiAccounts: null,
    };
    expect(parseSwapRequest(body(nothing))).toEqual(parseSwapRequest(body({})));
  });

  it('accepts a step with a share in percent only', () => {
    const swapInfo = {
      ammKey: WALLET,
      label: null,
      inputMint: SOL,
      outputMint: USDC,
      inAmount: '5',
      outAmount: '4',
      feeAmount: null,
      feeMint: null,
    };
    const quoteResponse = { ...QUOTE, contextSlot: null, routePlan: [{ swapInfo, percent: 100, bps: null }] };
    expect(parseSwapRequest(body({ quoteResponse })).quote.routePlan).toMatchObject([{ bps: 10_000 }]);
  });

  it.each<[NonNullable<SwapBody['dynamicSlippage']>, unknown]>([
    [true, { min: 0, max: 10_000 }],
    [
      { minBps: 50, maxBps: 300 },
      { min: 50, max: 300 },
    ],
    [{ maxBps: 300 }, { min: 0, max: 300 }],
    [
      { minBps: null, maxBps: null },
      { min: 0, max: 10_000 },
    ],
    [false, null],
  ])('estimates the slippage for %j', (dynamicSlippage, bounds) => {
    expect(parseSwapRequest(body({ dynamicSlippage })).estimatedSlippage).toEqual(bounds);
  });

  it('ignores an account for a fee of zero', () => {
    expect(parseSwapRequest(body({ feeAccount: USDC })).platformFee).toBeUndefined();
  });

  it('accepts a fee with its account', () => {
    const { platformFee } = parseSwapRequest(body({ quoteResponse: { ...QUOTE, ...FEE }, feeAccount: USDC }));
    expect(platformFee).toEqual({ bps: 20, account: USDC });
  });
});

describe('parsePrioritization', () => {
  const level = { priorityLevel: 'high', maxLamports: 9 };

  it.each<[Partial<SwapBody>, unknown]>([
    [{}, { fee: { kind: 'auto', times: 1n }, tip: null }],
    [{ [FIELD]: null }, { fee: { kind: 'auto', times: 1n }, tip: null }],
    [{ [FIELD]: 'auto' }, { fee: { kind: 'auto', times: 1n }, tip: null }],
    [{ [FIELD]: { autoMultiplier: 3 } }, { fee: { kind: 'auto', times: 3n }, tip: null }],
    [{ computeUnitPriceMicroLamports: 'auto' }, { fee: { kind: 'auto', times: 1n }, tip: null }],
    [{ [FIELD]: 'disabled' }, { fee: { kind: 'exact', lamports: 0n }, tip: null }],
    [
      { [FIELD]: { jitoTipLamports: null, priorityLevelWithMaxLamports: { ...level, global: null } } },
      { fee: { kind: 'level', percentile: 5_000, maxLamports: 9n, global: false }, tip: null },
    ],
    [{ [FIELD]: 70 }, { fee: { kind: 'exact', lamports: 70n }, tip: null }],
    [{ [FIELD]: { jitoTipLamports: 8 } }, { fee: null, tip: { lamports: 8n, payer: null } }],
    [
      { [FIELD]: { jitoTipLamportsWithPayer: { lamports: 8, payer: WALLET } } },
      { fee: null, tip: { lamports: 8n, payer: WALLET } },
    ],
    [
      { [FIELD]: { priorityLevelWithMaxLamports: { ...level, global: true } } },
      { fee: { kind: 'level', percentile: 5_000, maxLamports: 9n, global: true }, tip: null },
    ],
    [{ computeUnitPriceMicroLamports: 6 }, { fee: { kind: 'unit-price', microLamports: 6n }, tip: null }],
    [{ [FIELD]: 10_000_000_001 }, { fee: { kind: 'exact', lamports: 10_000_000_001n }, tip: null }],
    [{ [FIELD]: { jitoTipLamports: LARGEST } }, { fee: null, tip: { lamports: U64_MAX, payer: null } }],
    [
      { [FIELD]: { priorityLevelWithMaxLamports: { ...level, maxLamports: LARGEST } } },
      { fee: { kind: 'level', percentile: 5_000, maxLamports: U64_MAX, global: false }, tip: null },
    ],
    [
      { computeUnitPriceMicroLamports: LARGEST },
      { fee: { kind: 'unit-price', microLamports: U64_MAX }, tip: null },
    ],
  ])('reads %j', (fields, expected) => {
    expect(parsePrioritization(body(fields))).toEqual(expected);
  });

  it.each<[Partial<SwapBody>, string]>([
    [{ [FIELD]: {} }, `${FIELD} must be lamports, "auto", "disabled", or an object`],
    [{ [FIELD]: [] }, `${FIELD} must be lamports, "auto", "disabled", or an object`],
    [{ [FIELD]: 'fast' }, `${FIELD} must be lamports, "auto", "disabled", or an object`],
    [{ [FIELD]: -1 }, `${FIELD} must be a whole number from 0 to 18446744073709551615, got -1`],
    [{ [FIELD]: { autoMultiplier: 1_000_001 } }, `${FIELD}.autoMultiplier must be a whole number from 0`],
    [{ [FIELD]: 1.5 }, `${FIELD} must be a whole number from 0 to 18446744073709551615, got 1.5`],
    [{ [FIELD]: { jitoTipLamports: '8' } }, `${FIELD}.jitoTipLamports must be a whole number`],
    [{ [FIELD]: { jitoTipLamports: 8, priorityLevelWithMaxLamports: level } }, 'an object with just one of'],
    [
      { [FIELD]: { jitoTipLamportsWithPayer: 8 } },
      `${FIELD}.jitoTipLamportsWithPayer must be an object, got 8`,
    ],
    [{ [FIELD]: { jitoTipLamportsWithPayer: { lamports: 8 } } }, '.payer must be an address'],
    [
      { [FIELD]: { priorityLevelWithMaxLamports: { ...level, priorityLevel: 'low' } } },
      'medium, high, veryHigh',
    ],
    [
      { [FIELD]: { priorityLevelWithMaxLamports: { ...level, global: 1 } } },
      '.global must be true or false, got 1',
    ],
    [{ [FIELD]: { priorityLevelWithMaxLamports: { ...level, tip: 1 } } }, 'has the field "tip"; known are'],
    [{ [FIELD]: 5, computeUnitPriceMicroLamports: 6 }, 'exclude each other'],
    [{ [FIELD]: 2 ** 65 }, `${FIELD} must be a whole number from 0 to 18446744073709551615`],
    [{ computeUnitPriceMicroLamports: -6 }, 'computeUnitPriceMicroLamports must be a whole number from 0 to'],
  ])('refuses %j', (fields, message) => {
    expect(() => parsePrioritization(body(fields))).toThrow(message);
  });

  it('refuses a price together with a fee, with the code that clients know', () => {
    const both = body({ [FIELD]: 5, computeUnitPriceMicroLamports: 6 });
    expect(() => parsePrioritization(both)).toThrow(
      expect.objectContaining({ errorCode: 'INVALID_COMPUTE_UNIT_PRICE_AND_PRIORITIZATION_FEE' }),
    );
  });
});

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const WALLET = 'A5yMoCcVUnEjRBLFfh6WvYtaCUXY2oSdPEVsFEfyGvCL';
const QUOTE: QuoteResponse = {
  inputMint: SOL,
  outputMint: USDC,
  inAmount: '5',
  outAmount: '4',
  otherAmountThreshold: '3',
  swapMode: 'ExactIn',
  slippageBps: 50,
  priceImpactPct: '0',
  routePlan: [],
};
const FEE = { platformFee: { feeBps: 20 } };
const FIELD = 'prioritizationFeeLamports';
/** The largest integer of 64 bits, as JSON parses it. */
const LARGEST = JSON.parse('18446744073709551615');

function body(fields: Partial<SwapBody>): SwapBody {
  return { userPublicKey: WALLET, quoteResponse: QUOTE, ...fields };
}
