import fc from 'fast-check';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Address } from '../../solana/address.ts';
import { createKeypairFromSeed } from '../../solana/keypair.ts';
import { compileMessage } from '../../solana/messages/compile-message.ts';
import { encodeUnsigned, signTransaction } from '../../solana/messages/transaction.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import { assertProperty } from '../../testing/random.ts';
import { EMPTY_DECODER } from '../../testing/gateway/portal-fixture.ts';
import { compileValidator } from '../http/validation.ts';
import { registerDecode } from './decode-endpoint.ts';

describe('POST /portal/data/decode', () => {
  it('decodes a transaction, signed or not', async () => {
    const message = createTransfer();
    const [unsigned, signed] = [encodeUnsigned(message), signTransaction(message, [PAYER])];
    for (const [wire, isSigned] of [[unsigned, false] as const, [signed, true] as const]) {
      const answer = await decode({ transaction: toBase64(wire) });
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toMatchObject({
        version: 0,
        feePayer: PAYER.address,
        bytes: wire.length,
        signers: [{ address: PAYER.address, label: 'fee payer', signed: isSigned }],
        instructions: [
          {
            programLabel: 'System program',
            name: 'transfer',
            fields: [{ name: 'lamports', value: '7', unit: { symbol: 'SOL', decimals: 9 } }],
            accounts: [
              { role: 'source', signer: true, writable: true },
              { role: 'destination', signer: false, writable: true },
            ],
            data: '020000000700000000000000',
            depth: 1,
          },
        ],
        result: null,
      });
    }
  });

  it.each([
    ['nothing', {}, 'The body must have either transaction or signature'],
    ['both', { transaction: 'AA==', signature: '1' }, 'The body must have either transaction or signature'],
    ['a text that is not base64', { transaction: 'A' }, 'transaction must be base64, got "A"'],
    ['an empty text', { transaction: '' }, 'Not a transaction: the number of signatures'],
    ['too many bytes', { transaction: toBase64(new Uint8Array(1_233)) }, 'at most 1232 bytes'],
    [
      'bytes after it',
      { transaction: toBase64([...encodeUnsigned(createTransfer()), 0]) },
      'the message ends',
    ],
    ['a signature that is none', { signature: 'abc' }, 'signature must be 64 bytes in base58, got "abc"'],
    [
      'a lookup table that does not exist',
      { transaction: toBase64(createLookup()) },
      'there is no lookup table',
    ],
    ['a number', { transaction: 5 }, 'transaction'],
  ])('refuses %s with a sentence', async (_, body, sentence) => {
    const answer = await decode(body);
    expect([answer.statusCode, answer.json().message]).toEqual([400, expect.stringContaining(sentence)]);
  });

  it('answers 404 for a signature that nothing has landed under', async () => {
    expect((await decode({ signature: '1'.repeat(64) })).statusCode).toBe(404);
  });

  it('refuses a body that is not JSON, or larger than any transaction', async () => {
    const text = await app.inject({ ...POST, headers: { 'content-type': 'text/plain' }, payload: '{}' });
    expect([400, 415]).toContain(text.statusCode);
    expect((await decode({ transaction: 'A'.repeat(10_000) })).statusCode).toBe(413);
  });

  it('answers 200 or 400 to whatever bytes', async () => {
    await assertProperty(
      fc.asyncProperty(anyBytes, async (bytes) => {
        expect([200, 400]).toContain((await decode({ transaction: toBase64(bytes) })).statusCode);
      }),
      { cases: 2_000, seed: 20264 },
    );
  });
});

const POST = { method: 'POST', url: '/portal/data/decode' } as const;
const app = Fastify();
beforeAll(() => {
  app.setValidatorCompiler(compileValidator);
  registerDecode(app, POST.url, {}, EMPTY_DECODER, null);
});
afterAll(() => app.close());

const PAYER = createKeypairFromSeed(new Uint8Array(32).fill(1));
const OTHER = createKeypairFromSeed(new Uint8Array(32).fill(2)).address;

function decode(payload: object) {
  return app.inject({ ...POST, payload });
}

function toBase64(bytes: Iterable<number>): string {
  return Buffer.from([...bytes]).toString('base64');
}

function createTransfer(lookupTables: Readonly<Record<Address, Address[]>> = {}): Uint8Array {
  const instructions = [transferLamports(PAYER.address, OTHER, 7n)];
  return compileMessage({
    feePayer: PAYER.address,
    blockhash: new Uint8Array(32),
    instructions,
    lookupTables,
  });
}

function createLookup(): Uint8Array {
  return encodeUnsigned(createTransfer({ [OTHER]: [OTHER] }));
}

/** Random bytes, and transactions of which some bytes are others, which get further into the decoder. */
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 1_232 }),
  fc
    .array(fc.tuple(fc.nat({ max: 300 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 })
    .map((changes) => {
      const wire = signTransaction(createTransfer(), [PAYER]);
      for (const [at, byte] of changes) wire[at % wire.length] = byte;
      return wire;
    }),
);
