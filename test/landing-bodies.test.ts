import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { landing } from '../src/products/landing/index.ts';
import { createKeypairFromSeed } from '../src/solana/keypair.ts';
import { compileMessage } from '../src/solana/messages/compile-message.ts';
import { isFullySignedInPool, signTransaction } from '../src/solana/messages/transaction.ts';
import { transferLamports } from '../src/solana/programs/system.ts';
import { openStubGateway } from './stub-products.ts';

let app: FastifyInstance;
beforeAll(setUp);
afterAll(() => app?.close());

describe('POST /tx/v1', () => {
  it.each(['/tx/v1', '/tx/v1/'])('sends the id back exactly at %s, whatever the answer is', async (url) => {
    for (const id of IDS) {
      const accepted = await post(url, bodyOf(id));
      expect(accepted.body).toMatch(new RegExp(`^{"jsonrpc":"2.0","id":${id},"result":"\\w+"}$`));
      const refused = [bodyOf(id, 'getSlot'), `{"jsonrpc":"2.0","id":${id},"method":5,"params":[]}`];
      for (const body of refused) {
        const answer = await post(url, body);
        expect(answer.body).toContain(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32`);
        expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      }
    }
  });

  it('reads a body with a byte order mark, as every endpoint does', async () => {
    for (const url of ['/tx/v1', '/tx/v1/submit']) {
      const submitted = url === '/tx/v1' ? bodyOf('1') : JSON.stringify({ signedTransaction: TRANSACTION });
      const answer = await post(url, `\ufeff${submitted}`);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).not.toHaveProperty('error');
    }
  });

  it('refuses an id that it could not send back', async () => {
    const answer = await post('/tx/v1', bodyOf('1'.repeat(41)));
    expect(answer.json()).toMatchObject({ id: null, error: { code: -32600 } });
  });

  const bodyOf = (id: string, method = 'sendTransaction') =>
    `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":["${TRANSACTION}"]}`;
  const IDS = [
    '9007199254740993',
    '18446744073709551615',
    '-9223372036854775809',
    `1${'0'.repeat(39)}`,
    `-1${'2'.repeat(39)}`,
    '7',
    '"a"',
  ];
});

describe('a compressed body', () => {
  it.each(['/tx/v1', '/tx/v1/submit', '/swap/v2/submit'])('is refused with 415 at %s', async (url) => {
    const payload = gzipSync(JSON.stringify({ signedTransaction: TRANSACTION }));
    const answer = await post(url, payload, { 'content-encoding': 'gzip' });
    expect([answer.statusCode, answer.headers['accept-encoding']]).toEqual([415, 'identity']);
    expect(answer.json()).toEqual({
      code: 415,
      message: 'content-encoding must be left out, because bodies are not decompressed here, got "gzip"',
    });
  });

  it('is none that says that it is sent as it is, and a request without a body has none', async () => {
    const payload = JSON.stringify({ signedTransaction: TRANSACTION });
    expect((await post('/tx/v1/submit', payload, { 'content-encoding': 'identity' })).statusCode).toBe(200);
    const health = await app.inject({ url: '/healthz', headers: { 'content-encoding': 'gzip' } });
    expect(health.statusCode).toBe(200);
  });
});

const PAYER = createKeypairFromSeed(new Uint8Array(32).fill(1));
const RECEIVER = createKeypairFromSeed(new Uint8Array(32).fill(2)).address;
const WIRE = signTransaction(
  compileMessage({
    feePayer: PAYER.address,
    blockhash: new Uint8Array(32).fill(3),
    instructions: [transferLamports(PAYER.address, RECEIVER, 1_000_000n)],
  }),
  [PAYER],
);
const TRANSACTION = Buffer.from(WIRE).toString('base64');

const landed: Uint8Array[] = [];

async function setUp(): Promise<void> {
  const services = {
    lander: { submit: ({ wire }: { wire: Uint8Array }) => ({ ok: landed.push(wire) > 0 }) as never },
    reports: { find: async () => null as never },
    rules: {
      tips: { receivers: new Set([RECEIVER]), tableContents: () => null },
      isFullySigned: isFullySignedInPool,
      isKnown: () => false,
    },
    onAccepted: () => undefined,
    onRefused: () => undefined,
  };
  app = await openStubGateway({}, { products: [landing.run({ services })] });
}

const post = (url: string, payload: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
  app.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json', ...headers } });
