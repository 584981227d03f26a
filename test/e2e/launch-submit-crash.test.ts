import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Keypair, parseKeypairFile } from '../../src/solana/keypair.ts';
import { addSignatures, parseTransaction } from '../../src/solana/messages/transaction.ts';
import { openFolder } from '../../src/testing/test-folder.ts';
import { MEME_BODY } from '../../src/testing/studio/meme-body.ts';
import { bannerValue, FREE_PORTS, type Instance, withSlotsOf } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';

const folder = openFolder('submissions');
let instance: Instance;
let rest: string;
let rpcUrl: string;
let creator: Keypair;
beforeAll(start);
afterAll(() => instance?.stop());

it.each<[string, (mint: string, answered: Promise<unknown>) => Promise<unknown>, RegExp]>([
  ['as soon as a launch is submitted', async () => undefined, /^(first|second)$/],
  ['as soon as the token exists', (mint) => waitForMint(mint), /^(first|second)$/],
  ['as soon as the submission is answered', (_, answered) => answered, /^first$/],
])('a launch has one page after the instance was killed %s', async (_, wait, content) => {
  const { mint, transaction } = await prepare();
  // The connection ends with the process, if it is killed before it answers.
  const answered = submit(transaction, 'first').catch(() => undefined);
  await wait(mint, answered);
  instance.kill('SIGKILL');
  await instance.ended();
  await answered;
  await start();
  const { status, json } = await submit(transaction, 'second');
  expect({ status, json }).toMatchObject({ status: 200, json: { success: true, data: { mint } } });
  await waitForMint(mint);
  const page = await readPage(mint);
  expect(page).toMatchObject({ mint, owner: creator.address, configKey: json.data.configKey });
  expect(page.content).toMatch(content);
  expect((await fetch(page.headerImage)).headers.get('content-type')).toBe('image/png');
  // The page that there is stays.
  expect(await submit(transaction, 'third')).toEqual({ status: 200, json });
  expect(await readPage(mint)).toEqual(page);
});

const flags = [...withSlotsOf(50), ...FREE_PORTS];
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const LAUNCH = { ...MEME_BODY, tokenName: 'Killed', tokenSymbol: 'KILLED' };

async function start(): Promise<void> {
  instance = startOwnInstance({ reason: 'is killed', flags, folder });
  const banner = await instance.ready();
  rest = bannerValue(banner, 'REST');
  rpcUrl = bannerValue(banner, 'Solana RPC');
  creator = parseKeypairFile(readFileSync(join(folder, '.sluice', 'demo-wallet.json'), 'utf8'));
}

/** Returns a launch that its creator has signed. */
async function prepare(): Promise<{ readonly mint: string; readonly transaction: string }> {
  const { json } = await ask('/studio/v1/dbc-pool/create-tx', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...LAUNCH, creator: creator.address }),
  });
  const unsigned = parseTransaction(new Uint8Array(Buffer.from(json.transaction, 'base64')));
  const transaction = Buffer.from(addSignatures(unsigned, [creator])).toString('base64');
  return { mint: json.mint, transaction };
}

function submit(transaction: string, content: string) {
  const form = new FormData();
  form.set('headerImage', new Blob([PNG], { type: 'image/png' }), 'header.png');
  form.set('content', content);
  form.set('owner', creator.address);
  form.set('transaction', transaction);
  return ask('/studio/v1/dbc-pool/submit', { method: 'POST', body: form });
}

async function readPage(mint: string) {
  return (await ask(`/studio/v1/dbc-pool/page/${mint}`)).json;
}

/** Waits until the network has the token. */
async function waitForMint(mint: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const response = await fetch(rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getBalance', params: [mint] }),
      });
      const { result } = (await response.json()) as { readonly result: { readonly value: number } };
      expect(result.value).toBeGreaterThan(0);
    },
    { interval: 2 },
  );
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes.
async function ask(path: string, init?: RequestInit): Promise<{ status: number; json: any }> {
  const response = await fetch(`${rest}${path}`, init);
  return { status: response.status, json: await response.json() };
}
