import { readFileSync } from 'node:fs';
import {
  createKeyPairSignerFromBytes,
  getTransactionDecoder,
  getTransactionEncoder,
  partiallySignTransaction,
} from '@solana/kit';
import { Connection } from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildGenesis } from '../../src/sandbox/genesis/build-genesis.ts';
import { DEFAULT_SEED } from '../../src/protocol/genesis/keys.ts';
import { type WebhookMakerRequest, TestWebhook } from '../../src/testing/rfq/webhook-maker.ts';
import { Deployment, TESTED_DEPLOYMENTS } from './deployment.ts';
import { openForAll } from '../../src/testing/opened.ts';

describe.runIf(TESTED_DEPLOYMENTS.includes('two instances'))('a webhook maker on two instances', () => {
  let maker: TestWebhook;
  const deployment = openForAll(() =>
    Deployment.open('two instances', { flags: ['--webhook-quote-ms=30000'] }),
  );
  beforeAll(setUp);
  afterAll(tearDown);
  beforeEach(setUpEach);

  it('fills an order of one instance at the other, once, and is counted once', async () => {
    const { filled: before } = (await conduct(0)).swaps;
    const request = await signed(await wonBy(0));
    // The same request at both, at once and again.
    const answers = await Promise.all([1, 0, 1].map((index) => call(index, 'execute', request)));
    expect(answers[0]).toMatchObject({ status: 200, body: { status: 'Success', code: 0 } });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await call(0, 'execute', request)).toEqual(answers[0]);
    expect(maker.of('/swap')).toHaveLength(1);
    for (let index = 0; index < deployment.size; index++) {
      await vi.waitFor(async () => expect((await conduct(index)).swaps.filled).toBe(before + 1), WAIT);
      // Each instance shows what all of them know, and what it has asked itself.
      await vi.waitFor(async () => {
        const metrics = await deployment.admin(index, '/metrics');
        expect(metrics).toContain('sluice_rfq_maker_status{maker="hooked",status="prod"} 1');
        expect(metrics).toContain(`sluice_rfq_swaps{maker="hooked",outcome="filled"} ${before + 1}`);
        expect(metrics).toMatch(/sluice_rfq_orders\{maker="hooked",outcome="won"\} [1-9]/);
        expect(metrics).toMatch(/sluice_rfq_volume_micro_dollars\{maker="hooked"\} [1-9]/);
        expect(metrics).toMatch(
          /sluice_rfq_calls_total\{maker="hooked",call="quote",outcome="quoted"\} [1-9]/,
        );
      }, WAIT);
    }
    const pages = await Promise.all([0, 1].map((index) => deployment.admin(index, '/metrics')));
    const looks = pages.filter((page) => /last_look_seconds_count\{maker="hooked"\} [1-9]/.test(page));
    expect(looks).toHaveLength(1);
    expect(await deployment.sluice('maker', 'list')).toMatch(/^hooked .* asked by webhook *$/m);
  });

  it('is landed although the instance is killed that sent it the swap', async () => {
    const request = await signed(await wonBy(1));
    let go: () => void = () => {};
    const sent = new Promise<void>((resolve) => {
      const onSwap = maker.onSwap;
      maker.onSwap = async (asked: WebhookMakerRequest, response) => {
        maker.onSwap = onSwap;
        resolve();
        await new Promise<void>((released) => {
          go = released;
        });
        return onSwap(asked, response);
      };
    });
    const left = call(1, 'execute', request).catch(() => null);
    await sent;
    deployment.instance(1).kill('SIGKILL');
    await deployment.instance(1).ended();
    await left;
    go();
    // The other instance has its record, and looks for the swap on the chain.
    await vi.waitFor(async () => {
      const { body } = await call(0, 'execute', request);
      expect(body).toMatchObject({ status: 'Success', code: 0 });
    }, WAIT);
    expect(maker.of('/swap').length).toBeLessThanOrEqual(2);
    await deployment.start(1);
    expect(await call(1, 'execute', request)).toMatchObject({ body: { status: 'Success', code: 0 } });
  });

  // The last test, because it moves the clock of the network.
  it('is suspended on both, and counted once, when it rejects a swap that both are asked for', async () => {
    await vi.waitFor(() => wonBy(1), WAIT);
    const { filled } = (await conduct(0)).swaps;
    const request = await signed(await wonBy(0));
    maker.onSwap = ({ body: { quoteId } }) => ({
      body: { quoteId, state: 'rejected', rejectionReason: 'no' },
    });
    // The instance was started a moment ago. While it cannot reach what both share it answers 503, and its clients ask again.
    await vi.waitFor(async () => {
      const answer = await call(1, 'execute', request);
      const failed = { body: { status: 'Failed', code: -2_004 } };
      expect(answer, JSON.stringify(answer)).toMatchObject(failed);
    }, WAIT);
    // It could still land the swap, so the other instance waits for its expiry.
    const last = call(0, 'execute', request);
    await deployment.admin(0, '/admin/v1/network/clock', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ seconds: 56 }),
    });
    expect(await last).toMatchObject({ body: { status: 'Failed', code: -2_004 } });
    for (let index = 0; index < deployment.size; index++) {
      const suspended = { status: 'suspended', swaps: { filled, missed: 1, excused: 0 } };
      await vi.waitFor(async () => expect(await conduct(index)).toMatchObject(suspended), WAIT);
    }
    expect(maker.of('/swap')).toHaveLength(1);
  });

  async function setUp(): Promise<void> {
    const keypair = buildGenesis(DEFAULT_SEED).keys.webhookMaker;
    const network = new Connection(deployment.shown('Solana RPC'), 'confirmed');
    maker = await TestWebhook.open({
      keypair,
      tokens: [SOL, USDC],
      rate: RATE,
      chain: { send: (wire) => network.sendRawTransaction(wire, { skipPreflight: true }) },
    });
    await deployment.sluice('maker', 'add', 'hooked', keypair.address, `--webhook=${maker.url}`);
    for (let index = 0; index < deployment.size; index++) await vi.waitFor(() => wonBy(index), WAIT);
  }

  async function tearDown(): Promise<void> {
    await deployment?.close();
    await maker?.close();
  }

  function setUpEach(): void {
    maker.asked.length = 0;
  }

  async function call(index: number, path: string, init?: RequestInit): Promise<Answer> {
    const response = await fetch(`${deployment.shown('REST', index)}/swap/v2/${path}`, {
      ...init,
      headers: { 'x-api-key': deployment.shown('API key'), 'content-type': 'application/json' },
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }

  /** An order at an instance, which the maker has to win. */
  async function wonBy(index: number): Promise<Answer['body']> {
    const query = {
      inputMint: SOL,
      outputMint: USDC,
      amount: '50000000',
      taker: deployment.shown('Demo wallet'),
    };
    const { body } = await call(index, `order?${new URLSearchParams(query)}`);
    expect(body).toMatchObject({ router: 'jupiterz', transaction: expect.any(String) });
    return body;
  }

  async function signed({ transaction, requestId }: Answer['body']): Promise<RequestInit> {
    const key = Uint8Array.from(JSON.parse(readFileSync(deployment.shown('its key'), 'utf8')));
    const signer = await createKeyPairSignerFromBytes(key);
    const unsigned = getTransactionDecoder().decode(Buffer.from(String(transaction), 'base64'));
    const whole = getTransactionEncoder().encode(await partiallySignTransaction([signer.keyPair], unsigned));
    const signedTransaction = Buffer.from(whole).toString('base64');
    return { method: 'POST', body: JSON.stringify({ requestId, signedTransaction }) };
  }

  /** What an instance says about the maker. */
  async function conduct(index: number): Promise<Conduct> {
    const { webhook } = JSON.parse(await deployment.admin(index, '/admin/v1/makers/hooked')) as {
      webhook: Conduct;
    };
    return webhook;
  }
});

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const WAIT = { interval: 200 };
/** Far better than the pools, so that the maker wins every order that it is asked for. */
const RATE = 400_000n;

interface Conduct {
  readonly status: string;
  readonly swaps: Readonly<Record<'filled' | 'missed' | 'excused', number>>;
}

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}
