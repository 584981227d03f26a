import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressFromBytes } from '../solana/address.ts';
import { buildJson } from './build-json.ts';
import type { BuildResponse } from './schema.ts';

const address = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => addressFromBytes(bytes));
const instruction = fc.record({
  programId: address,
  accounts: fc.array(fc.record({ pubkey: address, isWritable: fc.boolean(), isSigner: fc.boolean() })),
  data: fc.base64String(),
});
const response: fc.Arbitrary<BuildResponse> = fc.record({
  inputMint: address,
  outputMint: address,
  inAmount: fc.string(),
  outAmount: fc.string(),
  otherAmountThreshold: fc.string(),
  swapMode: fc.constant('ExactIn'),
  slippageBps: fc.integer({ min: 0, max: 10_000 }),
  priceImpactPct: fc.string(),
  routePlan: fc.constant([]),
  computeBudgetInstructions: fc.array(instruction, { maxLength: 2 }),
  setupInstructions: fc.array(instruction, { maxLength: 2 }),
  swapInstruction: instruction,
  cleanupInstruction: fc.option(instruction),
  otherInstructions: fc.constant([]),
  tipInstruction: fc.option(instruction),
  addressesByLookupTableAddress: fc.option(fc.dictionary(address, fc.array(address), { maxKeys: 3 })),
  blockhashWithMetadata: fc.record({
    blockhash: fc.array(fc.nat(255), { minLength: 32, maxLength: 32 }),
    lastValidBlockHeight: fc.nat(),
    fetchedAt: fc.record({ secs_since_epoch: fc.nat(), nanos_since_epoch: fc.nat() }),
  }),
});

describe('the text of an answer', () => {
  it('is JSON of the answer, the first time and again', () => {
    fc.assert(
      fc.property(response, (each) => {
        expect(JSON.parse(buildJson(each))).toEqual(JSON.parse(JSON.stringify(each)));
        expect(JSON.parse(buildJson(each))).toEqual(JSON.parse(JSON.stringify(each)));
      }),
      { seed: 20_261_121, numRuns: 100 },
    );
  });
});
