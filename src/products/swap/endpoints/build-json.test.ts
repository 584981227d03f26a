import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import { VENUES } from '../../../protocols/venues.ts';
import { JUPITER_RFQ_V2 } from '../../../rfq/index.ts';
import { toAddress } from '../../../solana/address.ts';
import { AccountRole } from '../../../solana/messages/instruction.ts';
import { bps } from '../../../solana/units.ts';
import { writeBuildJson, type WrittenSwap } from './build-json.ts';
import { toInstructionJson } from './instruction-json.ts';
import type { BuildResponse } from './build.ts';
import type { RoutePlanStepJson } from './route-plan-json.ts';

describe('writeBuildJson', () => {
  it('encodes as JSON.stringify does, also from its caches, and never changes a returned text', () => {
    const given: { readonly json: Buffer; readonly text: string }[] = [];
    assertProperty(
      fc.property(swap, steps, (each, routePlan) => {
        const text = plainText(each, routePlan);
        for (const _ of ['first', 'again']) {
          const json = writeBuildJson(each, routePlan);
          expect(json.toString()).toBe(text);
          given.push({ json, text });
        }
      }),
      { cases: 100, seed: 20_261_121, against: 'JSON.stringify' },
    );
    for (const { json, text } of given) expect(json.toString()).toBe(text);
  });

  it('distinguishes lists of accounts that begin alike, also when there are more than are cached', () => {
    const lists = fc.array(similar, { minLength: 20, maxLength: 40 });
    assertProperty(
      fc.property(swap, steps, lists, (each, routePlan, setup) => {
        const built = { ...each, setup };
        const text = plainText(built, routePlan);
        for (const _ of ['first', 'again']) expect(writeBuildJson(built, routePlan).toString()).toBe(text);
      }),
      { cases: 50, seed: 20_261_121 },
    );
  });

  it('relies on labels of venues that are ASCII', () => {
    for (const { label } of [...VENUES, JUPITER_RFQ_V2]) expect(label).toMatch(/^[ -~]+$/);
  });
});

const address = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => toAddress(bytes));
const decimal = fc.bigInt({ min: 0n, max: 2n ** 64n }).map(String);
const instruction = fc.record({
  programAddress: address,
  accounts: fc.array(fc.record({ address, role: fc.constantFrom(...Object.values(AccountRole)) })),
  data: fc.uint8Array({ maxLength: 2_000 }),
});
/** A few accounts, so that many lists begin alike and differ in a role, the order or the length. */
const few = fc.constantFrom(...[1, 2, 3].map((fill) => toAddress(new Uint8Array(32).fill(fill))));
const similar = fc.record({
  programAddress: address,
  accounts: fc.array(fc.record({ address: few, role: fc.constantFrom(...Object.values(AccountRole)) }), {
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
const amount = fc.bigInt({ min: 0n, max: 2n ** 64n });
const steps = fc.array(step, { maxLength: 3 });
const swap: fc.Arbitrary<WrittenSwap> = fc.record({
  inputMint: address,
  outputMint: address,
  inAmount: amount,
  outAmount: amount,
  threshold: amount,
  slippageBps: fc.integer({ min: 0, max: 10_000 }).map(bps),
  priceImpact: decimal,
  computeBudget: fc.array(instruction, { maxLength: 2 }),
  setup: fc.array(instruction, { maxLength: 2 }),
  swap: instruction,
  cleanup: fc.option(instruction),
  others: fc.array(instruction, { maxLength: 2 }),
  tip: fc.option(instruction),
  lookupTables: fc.option(fc.dictionary(address, fc.array(address, { maxLength: 256 }), { maxKeys: 3 })),
  blockhash: fc.record({
    blockhash: address,
    bytes: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    lastValidBlockHeight: fc.bigInt({ min: 0n, max: 2n ** 31n }),
    slot: fc.bigInt({ min: 0n, max: 2n ** 31n }),
    fetchedAt: fc.nat().map((seconds) => seconds * 1_000 + 250),
  }),
});

/** Encodes the response with `JSON.stringify`, field by field. */
function plainText(built: WrittenSwap, routePlan: RoutePlanStepJson[]): string {
  const { bytes, lastValidBlockHeight, fetchedAt } = built.blockhash;
  const response: BuildResponse = {
    inputMint: built.inputMint,
    outputMint: built.outputMint,
    inAmount: built.inAmount.toString(),
    outAmount: built.outAmount.toString(),
    otherAmountThreshold: built.threshold.toString(),
    swapMode: 'ExactIn',
    slippageBps: built.slippageBps,
    priceImpactPct: built.priceImpact,
    routePlan,
    computeBudgetInstructions: built.computeBudget.map(toInstructionJson),
    setupInstructions: built.setup.map(toInstructionJson),
    swapInstruction: toInstructionJson(built.swap),
    cleanupInstruction: built.cleanup && toInstructionJson(built.cleanup),
    otherInstructions: built.others.map(toInstructionJson),
    tipInstruction: built.tip && toInstructionJson(built.tip),
    addressesByLookupTableAddress: built.lookupTables,
    blockhashWithMetadata: {
      blockhash: [...bytes],
      lastValidBlockHeight: Number(lastValidBlockHeight),
      fetchedAt: { secs_since_epoch: (fetchedAt - 250) / 1_000, nanos_since_epoch: 250_000_000 },
    },
  };
  return JSON.stringify(response);
}
