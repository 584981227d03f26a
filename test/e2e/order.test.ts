import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  createKeyPairSignerFromBytes,
  getTransactionDecoder,
  getTransactionEncoder,
  partiallySignTransaction,
} from '@solana/kit';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { Deployment, TESTED_DEPLOYMENTS } from './deployment.ts';
import { openForAll } from '../../src/testing/opened.ts';

describe.each(TESTED_DEPLOYMENTS)('order and execute on %s', (kind) => {
  const deployment = openForAll(() => Deployment.open(kind), 'close');
  beforeAll(setUp);

  it('swap what was quoted, signed with an ordinary library', async () => {
    const { status, body } = await order({ amount: '100000000', taker: deployment.shown('Demo wallet') });
    expect(status).toBe(200);
    expect(body).toMatchObject({ mode: 'ultra', router: 'metis', swapMode: 'ExactIn', gasless: false });
    const signedTransaction = await sign(body.transaction);
    const request = { signedTransaction, requestId: String(body.requestId) };
    const [first, second] = await Promise.all([execute(request), execute(request)]);
    expect(first).toMatchObject({
      status: 200,
      body: {
        status: 'Success',
        code: 0,
        totalInputAmount: '100000000',
        totalOutputAmount: body.outAmount,
        inputAmountResult: '100000000',
        outputAmountResult: body.outAmount,
      },
    });
    expect(second).toEqual(first);
    expect(await execute(request)).toEqual(first);
  });

  /** Runs an example at the last instance, and resolves to what it prints. */
  async function run(name: string): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', example(name)], {
      env: {
        PATH: process.env.PATH,
        SLUICE_URL: deployment.shown('REST', deployment.size - 1),
        SLUICE_WALLET: deployment.shown('its key'),
        SOLANA_RPC_URL: deployment.shown('Solana RPC'),
        SOLANA_WS_URL: deployment.shown('Solana WebSocket'),
      },
    });
    return stdout;
  }

  it.runIf(kind === 'embedded stores')('are all that the example needs', async () => {
    expect(await run('order')).toMatch(/^0\.1 SOL became \d+\.\d+ USDC by [\w ,]+ in \w{80,90}$/m);
  });

  // On embedded stores the test of the commands runs it.
  it.runIf(kind !== 'embedded stores')(
    'can be done without: build is all that its example needs',
    async () => {
      expect(await run('swap')).toMatch(/^0\.1 SOL became \d+(\.\d+)? USDC in \w{80,90}$/m);
    },
  );

  it('quote without a taker, and without a transaction', async () => {
    const { status, body } = await order({ amount: '100000000' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ transaction: null, taker: null, signatureFeePayer: null });
  });

  it.runIf(kind === 'two instances')(
    'go on elsewhere when the instance is killed that executes',
    async () => {
      const setFaults = (faults: object) =>
        deployment.admin(0, '/admin/v1/network/faults', {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(faults),
        });
      const { body } = await order({ amount: '100000000', taker: deployment.shown('Demo wallet') });
      const request = { signedTransaction: await sign(body.transaction), requestId: String(body.requestId) };
      await setFaults({ drop: 1 });
      const lost = execute(request, deployment.shown('REST', 1)).catch(() => 'cut off');
      await expect
        .poll(() => deployment.admin(1, '/metrics'))
        .toMatch(/^sluice_swap_executions_under_way 1$/m);
      await deployment.instance(1).stop();
      expect(await lost).toBe('cut off');
      const taken = execute(request, deployment.shown('REST', 0));
      await setFaults({ drop: 0 });
      expect(await taken).toMatchObject({
        status: 200,
        body: { status: 'Success', totalInputAmount: '100000000', totalOutputAmount: body.outAmount },
      });
      await deployment.start(1);
      // An instance that has just started may answer 503 until the servers that it shares have answered it; clients ask again.
      await expect.poll(() => execute(request, deployment.shown('REST', 1))).toEqual(await taken);
    },
  );

  it('say which order does not exist', async () => {
    const answer = await execute({ signedTransaction: 'AA==', requestId: 'none' });
    expect(answer).toMatchObject({ status: 400, body: { code: -1 } });
  });

  it('name what an order gets wrong', async () => {
    const { status, body } = await order({ amount: '0' });
    expect(status).toBe(400);
    expect(body).toMatchObject({ requestId: expect.any(String), error: expect.stringContaining('amount') });
  });

  it('list the venues by their programs', async () => {
    const { status, body } = await call('program-id-to-label');
    expect(status).toBe(200);
    expect(body).toMatchObject({ CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C: 'Raydium CP' });
  });

  it.runIf(kind === 'two instances')('reach the maker whose stream is at the other instance', async () => {
    await deployment.instance(0).stop();
    await deployment.start(0, '--demo-maker=true');
    const [one, two] = [deployment.shown('REST', 0), deployment.shown('REST', 1)];
    const query = { inputMint: SOL, outputMint: USDC, amount: '250000000' };
    const taker = deployment.shown('Demo wallet');
    const path = `order?${new URLSearchParams({ ...query, taker })}`;
    const ordered = await vi.waitFor(
      async () => {
        const { body } = await call(path, {}, one);
        expect(body.routePlan).toMatchObject([{ swapInfo: { label: 'JupiterRfqV2' } }]);
        return body;
      },
      { interval: 100 },
    );
    const signedTransaction = await sign(ordered.transaction);
    const request = { signedTransaction, requestId: String(ordered.requestId) };
    const answer = await execute(request, two);
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'Success', code: 0, totalOutputAmount: ordered.outAmount },
    });
    expect(await execute(request, one)).toEqual(answer);
  });

  async function setUp(): Promise<void> {
    await deployment.everywhere('/healthz', deployment.shown('API key'), 200);
  }

  async function call(path: string, init?: RequestInit, rest = deployment.rest()): Promise<Answer> {
    const response = await fetch(`${rest}/swap/v2/${path}`, {
      ...init,
      headers: { 'x-api-key': deployment.shown('API key'), 'content-type': 'application/json' },
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }

  function order(query: Record<string, string>): Promise<Answer> {
    return call(`order?${new URLSearchParams({ inputMint: SOL, outputMint: USDC, ...query })}`);
  }

  function execute(body: Record<string, string>, rest?: string): Promise<Answer> {
    return call('execute', { method: 'POST', body: JSON.stringify(body) }, rest);
  }

  async function sign(transaction: unknown): Promise<string> {
    const key = Uint8Array.from(JSON.parse(readFileSync(deployment.shown('its key'), 'utf8')));
    const signer = await createKeyPairSignerFromBytes(key);
    const unsigned = getTransactionDecoder().decode(Buffer.from(String(transaction), 'base64'));
    const signed = await partiallySignTransaction([signer.keyPair], unsigned);
    return Buffer.from(getTransactionEncoder().encode(signed)).toString('base64');
  }
});

const example = (name: string) => fileURLToPath(new URL(`../../examples/${name}.ts`, import.meta.url));
const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}
