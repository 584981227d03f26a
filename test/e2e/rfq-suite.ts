import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  createKeyPairSignerFromBytes,
  getTransactionDecoder,
  getTransactionEncoder,
  partiallySignTransaction,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { decodeBase58 } from '../../src/solana/encoding/base58.ts';
import { Deployment, type DeploymentKind, TESTED_DEPLOYMENTS } from './deployment.ts';
import { withSlotsOf } from './instance.ts';

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const FILL_PROGRAM = 'fd3nMFYTQjX1yr5ER8u7tPdHJB7qt8RpDpNtLQX2Br5';
const FILL_EXACT_IN = [222, 208, 6, 209, 154, 163, 54, 94];
const WAIT = { interval: 100 };

const THROUGH_THE_MAKER = [{ swapInfo: { label: 'JupiterRfqV2' } }];

const example = fileURLToPath(new URL('../../examples/order.ts', import.meta.url));
let deployment: Deployment;

async function open(kind: DeploymentKind): Promise<void> {
  const reason = 'runs the demo maker, and is killed';
  const [slots, ...lives] = withSlotsOf(100);
  // However slow the machine is, the demo maker's webhook answers in time.
  const flags = [...lives, '--webhook-quote-ms=30000'];
  deployment = await Deployment.open(kind, { reason, flags, networkFlags: [slots, '--demo-maker=true'] });
  await quoted();
}

/** Resolves when the demo maker's quotes are in the market of the instance that it is connected to: the first one. */
async function quoted(query: Record<string, string> = {}): Promise<void> {
  await vi.waitFor(async () => expect((await order(query)).routePlan).toMatchObject(THROUGH_THE_MAKER), WAIT);
}

async function call(
  path: string,
  init?: RequestInit,
  rest = deployment.shown('REST'),
): Promise<Record<string, unknown>> {
  const response = await fetch(`${rest}/swap/v2/${path}`, {
    ...init,
    headers: { 'x-api-key': deployment.shown('API key'), 'content-type': 'application/json' },
  });
  return (await response.json()) as Record<string, unknown>;
}

function order(more: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const taker = deployment.shown('Demo wallet');
  const sale = { inputMint: SOL, outputMint: USDC, amount: '250000000', taker };
  return call(`order?${new URLSearchParams({ ...sale, ...more })}`);
}

async function execute({ transaction, requestId, error }: Record<string, unknown>): Promise<void> {
  expect(error).toBeUndefined();
  const body = JSON.stringify({ signedTransaction: await sign(transaction), requestId });
  expect(await call('execute', { method: 'POST', body })).toMatchObject({ status: 'Success' });
}

async function sign(transaction: unknown): Promise<string> {
  const key = Uint8Array.from(JSON.parse(readFileSync(deployment.shown('its key'), 'utf8')));
  const signer = await createKeyPairSignerFromBytes(key);
  const unsigned = getTransactionDecoder().decode(Buffer.from(String(transaction), 'base64'));
  const signed = await partiallySignTransaction([signer.keyPair], unsigned);
  return Buffer.from(getTransactionEncoder().encode(signed)).toString('base64');
}

async function rpc(method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(deployment.shown('Solana RPC'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as Record<string, unknown>;
  expect(error).toBeUndefined();
  return result;
}

/** The example of an order, as its reader runs it. */
async function runExample(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', example], {
    env: {
      PATH: process.env.PATH,
      SLUICE_URL: deployment.shown('REST'),
      SLUICE_WALLET: deployment.shown('its key'),
    },
  });
  return stdout;
}

const makerLog = () => readFileSync(join(deployment.folder, 'one', 'demo-maker.log'), 'utf8');

/** The tests of one deployment. They are a file for each, which run side by side. */
export function describeRfq(kind: DeploymentKind): void {
  describe.runIf(TESTED_DEPLOYMENTS.includes(kind))(`on ${kind}`, () => {
    beforeAll(() => open(kind));
    afterAll(() => deployment?.close());

    it('an order is filled by the demo maker and landed, and both sides are notified, also after a restart', async () => {
      const ordered = await order();
      expect(ordered).toMatchObject({ router: 'metis', routePlan: THROUGH_THE_MAKER });
      const body = JSON.stringify({
        signedTransaction: await sign(ordered.transaction),
        requestId: ordered.requestId,
      });
      const furthest = deployment.shown('REST', deployment.size - 1);
      const answer = await call('execute', { method: 'POST', body }, furthest);
      expect(answer).toMatchObject({ status: 'Success', code: 0, totalOutputAmount: ordered.outAmount });
      await vi.waitFor(() => expect(makerLog()).toContain(`TRANSACTION_CONFIRMED`), WAIT);
      expect(makerLog()).toContain(String(answer.signature));
      expect(await fillsOf(String(answer.signature))).toEqual([FILL_EXACT_IN]);
      expect(await runExample()).toMatch(/^0\.1 SOL became \d+\.\d+ USDC by JupiterRfqV2 in \w{80,90}$/m);

      await deployment.instance(0).stop();
      await deployment.start(0);
      await quoted();
      expect(await call('execute', { method: 'POST', body })).toEqual(answer);
    });

    // It takes a quarter of a minute, and is about the maker.
    it.runIf(kind === 'embedded stores')('the demo maker bears a check', async () => {
      const out = await deployment.sluice('maker', 'check', 'demo-maker', '--wait=1', '--format=json');
      const { findings } = JSON.parse(out) as { findings: { situation: string; outcome: string }[] };
      expect(findings.length).toBe(13);
      expect(findings.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    });

    it.runIf(kind === 'embedded stores')('the demo maker with a webhook bears a check', async () => {
      const out = await deployment.sluice('maker', 'check', 'demo-webhook-maker', '--format=json');
      const { findings } = JSON.parse(out) as { findings: { situation: string; outcome: string }[] };
      expect(findings.length).toBe(14);
      expect(findings.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    });

    it('what makers did is counted, and a check leaves nothing behind', async () => {
      const show = await deployment.sluice('maker', 'show', 'demo-maker');
      expect(show).toMatch(/^status +prod$/m);
      expect(show).toMatch(/^swaps filled +2$/m);
      expect(show).toMatch(/^swaps missed +0$/m);
      // What was counted before the process was killed and not yet written is lost, but no fill: that is written at once.
      expect(show).toMatch(/^orders won +[1-9]/m);
      expect(show).toMatch(/^win rate +[0-9.]+ %$/m);
      expect(show).toMatch(/^fill rate +100\.0 %$/m);
      expect(show).toMatch(/^volume +\$[1-9][0-9]*\.[0-9]{6}$/m);
      expect(show).toMatch(new RegExp(`^atoms of ${SOL} +0 paid, 350000000 received$`, 'm'));
      expect((await order()).routePlan).toMatchObject(THROUGH_THE_MAKER);
    });

    it('the ledger says who filled which order, from every instance', async () => {
      const fills = await deployment.sluice('fill', 'list', '--maker=demo-maker', '--org=demo');
      const [, requestId = ''] = /^\S+Z +(\S+) +demo-maker +confirmed +signed in \d+ ms/m.exec(fills) ?? [];
      expect(requestId, fills).toMatch(/^[0-9a-f-]{36}$/);
      const listed = await deployment.sluice(
        'order',
        'list',
        '--maker=demo-maker',
        '--org=demo',
        '--since=1h',
      );
      expect(listed).toMatch(new RegExp(`${requestId} .* metis +demo-maker .* demo +swapped`));
      const shown = await deployment.sluice('order', 'show', requestId);
      expect(shown).toMatch(/^maker +demo-maker$/m);
      expect(shown).toMatch(/^signature +\w{80,90}$/m);
      expect(shown).toMatch(/^demo-maker +stream +won +signed in \d+ ms +confirmed/m);
      const log = await deployment.sluice('log', 'list', '--path=/swap/v2/execute', '--limit=1');
      const [, execution = ''] = / ([0-9a-f-]{36}) *$/m.exec(log) ?? [];
      const logged = await deployment.sluice('log', 'show', execution);
      expect(logged).toMatch(/^order +[0-9a-f-]{36}$/m);
      expect(logged).toMatch(/^router +metis$/m);
      expect(logged).toMatch(/^code +0$/m);
      expect(logged).toMatch(/^signature +\w{80,90}$/m);
    });

    // Prices are the network's, whatever the stores are.
    it.runIf(kind === 'embedded stores')(
      'the demo maker quotes around the price of the pools, which its fills move',
      async () => {
        const theMaker = { dexes: 'JupiterRfqV2' };
        const paid = async () => Number((await order(theMaker)).outAmount) / 1e6;
        const worth = async () => Number((await order()).inUsdValue);
        const before = await paid();
        await execute(await order({ ...theMaker, amount: '40000000000' }));
        await vi.waitFor(async () => expect((await paid()) / before).toBeLessThan(0.993), WAIT);

        await rpc('requestAirdrop', [deployment.shown('Demo wallet'), 50_000_000_000_000]);
        const toThePools = { excludeDexes: 'JupiterRfqV2', amount: '40000000000000', slippageBps: '5000' };
        await vi.waitFor(async () => expect((await order(toThePools)).error).toBeUndefined(), WAIT);
        await execute(await order(toThePools));
        await vi.waitFor(async () => expect((await worth()) / before).toBeLessThan(0.97), WAIT);
        await deployment.instance(0).stop();
        await deployment.start(0);
        await quoted(theMaker);
        expect(Math.abs((await paid()) / (await worth()) - 1)).toBeLessThan(0.001);

        // The maker would not sign what ends by such a clock.
        await deployment.admin(0, '/admin/v1/network/clock', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ seconds: 600 }),
        });
        await vi.waitFor(async () => expect((await order(theMaker)).details).toMatch(/no route/), WAIT);
        await execute(await order());
      },
    );
  });
}

/** The discriminators of the calls of the fill program within the transaction. */
async function fillsOf(signature: string): Promise<number[][]> {
  const options = { encoding: 'json', maxSupportedTransactionVersion: 0, commitment: 'confirmed' };
  const result = (await rpc('getTransaction', [signature, options])) as LandedJson;
  const { writable, readonly } = result.meta.loadedAddresses;
  const accounts = [...result.transaction.message.accountKeys, ...writable, ...readonly];
  const calls = result.meta.innerInstructions.flatMap(({ instructions }) => instructions);
  return calls
    .filter(({ programIdIndex }) => accounts[programIdIndex] === FILL_PROGRAM)
    .map(({ data }) => [...(decodeBase58(data) ?? [])].slice(0, 8));
}

interface LandedJson {
  readonly transaction: { readonly message: { readonly accountKeys: readonly string[] } };
  readonly meta: {
    readonly loadedAddresses: Record<'writable' | 'readonly', readonly string[]>;
    readonly innerInstructions: readonly {
      readonly instructions: readonly { readonly programIdIndex: number; readonly data: string }[];
    }[];
  };
}
