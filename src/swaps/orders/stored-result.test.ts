import { describe, expect, it } from 'vitest';
import { address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { type ExecutionResult, createSwapFailure } from './execution-result.ts';
import { readResult, writeResult } from './stored-result.ts';

describe('readResult', () => {
  it.each(STORED)('reads %s as it is stored', (_, text, result) => {
    expect(readResult(text)).toEqual(result);
  });

  it('refuses what is not JSON', () => {
    expect(() => readResult('')).toThrow(SyntaxError);
  });
});

describe('writeResult', () => {
  it.each(STORED)('encodes %s as in every version', (_, text, result) => {
    expect(writeResult(result)).toBe(text);
  });

  it('keeps a balance that decreased', () => {
    const result: ExecutionResult = {
      kind: 'succeeded',
      signature: 'sig',
      slot: 2n ** 64n - 1n,
      amounts: { totalInput: -5n, totalOutput: -1n, routeInput: 0n, routeOutput: 2n ** 64n - 1n, steps: [] },
    };
    expect(readResult(writeResult(result))).toEqual(result);
  });
});

const USDC_MINT = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

/** Results in version 1 of the form, byte for byte, because databases of operators contain them. */
const STORED: readonly (readonly [string, string, ExecutionResult])[] = [
  [
    'a swap that was made',
    `{"status":"Success","signature":"sig","slot":"12","code":0,"totalInputAmount":"1000000000",\
"totalOutputAmount":"150123456","inputAmountResult":"1000000000","outputAmountResult":"150273729","swapEvents":[\
{"inputMint":"${WRAPPED_SOL_MINT}","inputAmount":"1000000000","outputMint":"${USDC_MINT}","outputAmount":"150273729"}]}`,
    {
      kind: 'succeeded',
      signature: 'sig',
      slot: 12n,
      amounts: {
        totalInput: 1_000_000_000n,
        totalOutput: 150_123_456n,
        routeInput: 1_000_000_000n,
        routeOutput: 150_273_729n,
        steps: [
          {
            inputMint: WRAPPED_SOL_MINT,
            inputAmount: 1_000_000_000n,
            outputMint: USDC_MINT,
            outputAmount: 150_273_729n,
          },
        ],
      },
    },
  ],
  [
    'a swap that was made by a transaction that could not be read',
    '{"status":"Success","signature":"sig","slot":"12","code":0}',
    { kind: 'succeeded', signature: 'sig', slot: 12n, amounts: null },
  ],
  [
    'a transaction that failed on the chain',
    '{"status":"Failed","code":6001,"error":"SlippageToleranceExceeded","signature":"sig","slot":"12",\
"totalInputAmount":"0","totalOutputAmount":"0","inputAmountResult":"0","outputAmountResult":"0","swapEvents":[]}',
    { kind: 'failed', code: 6001, reason: 'SlippageToleranceExceeded', signature: 'sig', slot: 12n },
  ],
  [
    'a transaction that is not on the chain',
    '{"status":"Failed","code":-2003,"error":"the maker did not sign within 10 seconds","signature":"sig"}',
    createSwapFailure(-2003, 'the maker did not sign within 10 seconds', 'sig'),
  ],
  [
    'a transaction that was not sent',
    '{"status":"Failed","code":-2004,"error":"no makers are connected here"}',
    createSwapFailure(-2004, 'no makers are connected here'),
  ],
];
