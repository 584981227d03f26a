import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import { SubscriptionClient } from '../../../testing/chain/subscription-client.ts';
import { RUNTIME_VERSION } from './version.ts';
import { parseJson, toJson } from '../../json-rpc/json.ts';
import { createRpcMethods } from './methods/index.ts';
import {
  ALICE,
  ALICE_TOKENS,
  LOOKUP_TABLE,
  MINT,
  signTestTransaction,
  signBase64Transaction,
  startTestRpc,
} from '../../../testing/chain/rpc-network.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import { encodeBase58 } from '../../../solana/encoding/base58.ts';
import { openForAll } from '../../../testing/opened.ts';

/** Method names, and values of which some are valid for some method. */
let methods: readonly string[];
let plausible: readonly unknown[];
const rpc = openForAll(startTestRpc, 'close');
beforeAll(setUp);

const config = fc.dictionary(
  fc.constantFrom(
    'accounts',
    'before',
    'commitment',
    'dataSlice',
    'encoding',
    'enableReceivedNotification',
    'filters',
    'innerInstructions',
    'limit',
    'maxRetries',
    'maxSupportedTransactionVersion',
    'minContextSlot',
    'preflightCommitment',
    'replaceRecentBlockhash',
    'sigVerify',
    'skipPreflight',
    'withContext',
    '__proto__',
    'constructor',
  ),
  fc.oneof(
    fc.constantFrom(
      'processed',
      'confirmed',
      'base58',
      'base64',
      'base64+zstd',
      'jsonParsed',
      true,
      0,
      1,
      -1,
    ),
    fc.constantFrom<unknown>({ offset: 0, length: 4 }, [{ dataSize: 165 }], { addresses: [MINT] }, 2n ** 70n),
    fc.jsonValue({ maxDepth: 2 }),
  ),
  { maxKeys: 5 },
);

const param = fc.oneof(
  fc.nat().map((index) => plausible[index % plausible.length]),
  config,
  fc.jsonValue({ maxDepth: 3 }),
);

const method = fc.nat().map((index) => methods[index % methods.length]);

/** Well-formed calls with random parameters, malformed calls, and random values. */
const request = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      jsonrpc: fc.constant('2.0'),
      id: fc.nat(),
      method,
      params: fc.array(param, { maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        jsonrpc: fc.constantFrom('2.0', '1.0', 2),
        id: fc.jsonValue({ maxDepth: 1 }),
        method: fc.oneof(method, fc.jsonValue()),
        params: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 5 }) },
);

const body = fc.oneof(
  { weight: 8, arbitrary: request.map(toJson) },
  { weight: 2, arbitrary: fc.array(request, { maxLength: 5 }).map(toJson) },
  { weight: 1, arbitrary: fc.string() },
  {
    weight: 1,
    arbitrary: fc.tuple(request.map(toJson), fc.nat()).map(([text, cut]) => text.slice(0, cut % text.length)),
  },
);

describe('any request', () => {
  it('has a well-formed answer over HTTP, and never an internal error', async () => {
    await assertProperty(
      fc.asyncProperty(body, async (text) => {
        const response = await fetch(rpc.server.httpUrl, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: text,
        });
        expect(response.status).toBe(200);
        const answer = await response.text();
        if (answer !== '') expectWellFormed(parseJson(answer));
      }),
      { cases: 1_500, short: 150, seed: SEED },
    );
  });

  it('has a well-formed answer over WebSocket, and leaves the connection usable', async () => {
    const client = await SubscriptionClient.connect(rpc.server.webSocketUrl);
    client.socket.on('message', (data) => {
      const message = parseJson(String(data)) as Record<string, unknown>;
      if (!('method' in message)) expectWellFormed(message);
    });
    await assertProperty(
      fc.asyncProperty(body, async (text) => {
        client.socket.send(text);
        expect(await client.ask('getVersion')).toMatchObject({ result: { 'solana-core': RUNTIME_VERSION } });
      }),
      { cases: 500, short: 100, seed: SEED },
    );
    client.socket.close();
  });
});

const SEED = 7_391;

function setUp(): void {
  const context = { bank: rpc.bank, version: '0.0.0', endpoints: () => ({ rpc: '', pubsub: '' }) };
  methods = [...createRpcMethods(context, () => {}, false)(null).keys(), 'noSuchMethod'];
  const transfer = transferLamports(ALICE.address, MINT, 1n);
  const wire = signTestTransaction(rpc.bank, [ALICE], [transfer]);
  plausible = [
    MINT,
    ALICE.address,
    ALICE_TOKENS,
    LOOKUP_TABLE,
    signBase64Transaction(rpc.bank, [ALICE], [transfer]),
    encodeBase58(wire),
    encodeBase58(wire.subarray(1, 65)),
    { mint: MINT },
    { mentions: [MINT] },
    [MINT, ALICE.address],
    'all',
    0,
    2n ** 64n - 1n,
    2n ** 64n,
    -1,
    1.5,
    null,
  ];
}

function expectWellFormed(answer: unknown): void {
  if (Array.isArray(answer)) {
    expect(answer.length).toBeGreaterThan(0);
    for (const each of answer) expectWellFormed(each);
    return;
  }
  const { jsonrpc, id, result, error } = answer as Record<string, unknown>;
  expect(jsonrpc).toBe('2.0');
  expect(id === null || ['string', 'number', 'bigint'].includes(typeof id)).toBe(true);
  if (error === undefined) {
    expect(result).not.toBeUndefined();
    return;
  }
  expect(result).toBeUndefined();
  const { code, message } = error as { code: number; message: string };
  expect(Number.isInteger(code) && code <= -32000 && code >= -32700).toBe(true);
  expect(message).not.toBe('Internal error');
  expect(typeof message).toBe('string');
}
