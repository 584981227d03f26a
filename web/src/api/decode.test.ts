import { describe, expect, it } from 'vitest';
import { UnreadableError } from './call.ts';
import { toDecodedTransaction } from './decode.ts';

describe('toDecodedTransaction', () => {
  it('reads a decoded transaction', () => {
    expect(toDecodedTransaction({ ...DECODED, more: 1 })).toEqual(DECODED);
  });

  it.each([
    null,
    'text',
    [],
    {},
    { ...createDecoded(), instructions: null },
    { ...createDecoded(), signers: [{ address: 5 }] },
    { ...createDecoded(), result: { slot: 1 } },
    { ...createDecoded(), result: { ...createResult(), feeLamports: 'many' } },
    { ...createDecoded(), result: { ...createResult(), logs: [null] } },
    { ...createDecoded(), result: { ...createResult(), failure: 'failed' } },
    { ...createDecoded(), instructions: [{ program: 'P', fields: [{ name: 'x' }] }] },
  ])('refuses %j', (answer) => {
    expect(() => toDecodedTransaction(answer)).toThrow(UnreadableError);
  });
});

function createDecoded() {
  return {
    version: 0,
    signature: null,
    feePayer: 'A',
    blockhash: 'B',
    signers: [{ address: 'A', label: null, signed: false }],
    computeUnitLimit: null,
    computeUnitPriceMicroLamports: '5',
    lookupTables: [],
    bytes: 100,
    instructions: [],
    result: null,
  };
}

function createResult() {
  const none = { failure: null, unitsConsumed: null, returned: null, error: null, errorText: null };
  const empty = { logs: [], inner: [], balances: [], trace: [], events: [] };
  return { slot: 1, blockTime: null, feeLamports: '5000', ...none, ...empty };
}

const DECODED = { ...createDecoded(), result: createResult() };
