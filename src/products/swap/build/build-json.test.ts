import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VENUES } from '../../../market/venues/index.ts';
import { JUPITER_RFQ_V2 } from '../../../rfq/index.ts';
import { addressFromBytes } from '../../../solana/address.ts';
import { Role } from '../../../solana/messages/instruction.ts';
import type { BuiltSwap } from './build.ts';
import { buildJson } from './build-json.ts';
import { instructionJson } from '../instruction-json.ts';

const address = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => addressFromBytes(bytes));
const decimal = fc.bigInt({ min: 0n, max: 2n ** 64n }).map(String);
const instruction = fc.record({
  programAddress: address,
  accounts: fc.array(fc.record({ address, role: fc.constantFrom(...Object.values(Role)) })),
  data: fc.uint8Array({ maxLength: 2_000 }),
});
/** Of few accounts, so that many lists begin alike and differ in a role, the order or the length. */
const few = fc.constantFrom(...[1, 2, 3].map((fill) => addressFromBytes(new Uint8Array(32).fill(fill))));
const similar = fc.record({
  programAddress: address,
  accounts: fc.array(fc.record({ address: few, role: fc.constantFrom(...Object.values(Role)) }), {
    maxLength: 5,
  }),
  data: fc.uint8Array({ maxLength: 8 }),
});
const step = fc.record(
  {
    swapInfo: fc.record({
      ammKey: address,
      label: fc.constantFrom(...VENUES.map(({ label }) => label)),
      inputMint: address,
      outputMint: address,
      inAmount: decimal,
      outAmount: decimal,
    }),
    percent: fc.float({ min: 0, max: 100, noNaN: true }),
    bps: fc.nat(10_000),
    usdValue: fc.double({ min: 0, noNaN: true }),
  },
  { requiredKeys: ['swapInfo', 'percent', 'bps'] },
);
const swap: fc.Arbitrary<BuiltSwap> = fc.record({
  inputMint: address,
  outputMint: address,
  inAmount: decimal,
  outAmount: decimal,
  otherAmountThreshold: decimal,
  swapMode: fc.constant('ExactIn'),
  slippageBps: fc.integer({ min: 0, max: 10_000 }),
  priceImpactPct: decimal,
  routePlan: fc.array(step, { maxLength: 3 }),
  computeBudgetInstructions: fc.array(instruction, { maxLength: 2 }),
  setupInstructions: fc.array(instruction, { maxLength: 2 }),
  swapInstruction: instruction,
  cleanupInstruction: fc.option(instruction),
  otherInstructions: fc.constant([]),
  tipInstruction: fc.option(instruction),
  addressesByLookupTableAddress: fc.option(
    fc.dictionary(address, fc.array(address, { maxLength: 256 }), { maxKeys: 3 }),
  ),
  blockhashWithMetadata: fc.record({
    blockhash: fc.array(fc.nat(255), { minLength: 32, maxLength: 32 }),
    lastValidBlockHeight: fc.nat(),
    fetchedAt: fc.record({ secs_since_epoch: fc.nat(), nanos_since_epoch: fc.nat() }),
  }),
});

/** As `JSON.stringify` writes it, field by field. */
function plainText(built: BuiltSwap): string {
  return JSON.stringify({
    ...built,
    computeBudgetInstructions: built.computeBudgetInstructions.map(instructionJson),
    setupInstructions: built.setupInstructions.map(instructionJson),
    swapInstruction: instructionJson(built.swapInstruction),
    cleanupInstruction: built.cleanupInstruction && instructionJson(built.cleanupInstruction),
    tipInstruction: built.tipInstruction && instructionJson(built.tipInstruction),
  });
}

describe('the text of an answer', () => {
  it('is what JSON.stringify makes of it, the first time and again, and stays so', () => {
    const given: { readonly json: Buffer; readonly text: string }[] = [];
    fc.assert(
      fc.property(swap, (each) => {
        const text = plainText(each);
        for (const _ of ['first', 'again']) {
          const json = buildJson(each);
          expect(json.toString()).toBe(text);
          given.push({ json, text });
        }
      }),
      { seed: 20_261_121, numRuns: 100 },
    );
    for (const { json, text } of given) expect(json.toString()).toBe(text);
  });

  it('tells lists of accounts apart that begin alike, more of them than are kept', () => {
    const lists = fc.array(similar, { minLength: 20, maxLength: 40 });
    fc.assert(
      fc.property(swap, lists, (each, setupInstructions) => {
        const built = { ...each, setupInstructions };
        const text = plainText(built);
        for (const _ of ['first', 'again']) expect(buildJson(built).toString()).toBe(text);
      }),
      { seed: 20_261_121, numRuns: 50 },
    );
  });

  it('needs only ASCII for the labels of venues', () => {
    for (const { label } of [...VENUES, JUPITER_RFQ_V2]) expect(label).toMatch(/^[ -~]+$/);
  });
});
