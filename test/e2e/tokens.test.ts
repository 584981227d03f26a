import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bannerValue, FREE_PORTS, type Instance, withSlotsOf } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';
import { runCommand } from './run-command.ts';
import { openFolder } from '../../src/testing/test-folder.ts';

const folder = openFolder('tokens');
let instance: Instance;
let rest: string;
let key: string;
let wallet: Keypair;
beforeAll(setUp);
afterAll(tearDown);

describe('express verification', () => {
  it('is paid on the chain, survives kill -9, and changes what search and tag answer when it is approved', async () => {
    expect(await isVerified()).toBe(true);
    await sluice('token', 'unverify', WIF);
    expect(await isVerified()).toBe(false);
    expect((await ask(`${EXPRESS}/check-eligibility?tokenId=${WIF}`)).json).toEqual({
      tokenExists: true,
      isVerified: false,
      canVerify: true,
      canMetadata: true,
    });
    const sender = wallet.publicKey.toBase58();
    const { json: crafted } = await ask(`${EXPRESS}/craft-txn?senderAddress=${sender}`);
    expect(crafted).toMatchObject({ code: 0, amount: '1000000000', tokenDecimals: 6, gasless: false });
    const transaction = VersionedTransaction.deserialize(Buffer.from(crafted.transaction, 'base64'));
    transaction.sign([wallet]);
    const body = {
      transaction: Buffer.from(transaction.serialize()).toString('base64'),
      requestId: crafted.requestId,
      senderAddress: sender,
      tokenId: WIF,
      twitterHandle: '@wif',
      description: 'A hat.',
      tokenMetadata: { tokenId: WIF, website: 'https://example.org', telegram: null },
    };
    const executed = await ask(`${EXPRESS}/execute`, body);
    expect(executed).toMatchObject({
      status: 200,
      json: { status: 'Success', verificationCreated: true, metadataCreated: true },
    });
    instance.kill('SIGKILL');
    await instance.ended();
    await start();
    const { signature } = executed.json;
    expect((await ask(`${EXPRESS}/execute`, body)).json).toMatchObject({ status: 'Success', signature });
    expect(await sluice('token', 'requests')).toContain(signature);
    expect(await isVerified()).toBe(false);
    expect(await sluice('token', 'approve', signature)).toContain(`the request for ${WIF} is approved`);
    expect(await isVerified()).toBe(true);
    const { json: found } = await ask(`/tokens/v2/search?query=${WIF}`);
    expect(found).toMatchObject([{ website: 'https://example.org/', tags: ['verified', 'meme'] }]);
    expect(await ask(`${EXPRESS}/execute`, { ...body, tokenId: crafted.mint })).toMatchObject({
      status: 400,
    });
    await expect(sluice('token', 'reject', signature)).rejects.toThrow('there is no request');
    await sluice('token', 'ban', WIF);
    expect((await ask(`/tokens/v2/search?query=${WIF}`)).json).toEqual([]);
  });
});

const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';
const EXPRESS = '/tokens/v2/verify/express';

async function setUp(): Promise<void> {
  await start();
}

async function tearDown(): Promise<void> {
  await instance?.stop();
}

async function start(): Promise<void> {
  instance = startOwnInstance({ reason: 'is killed', flags: [...withSlotsOf(50), ...FREE_PORTS], folder });
  rest = bannerValue(await instance.ready(), 'REST');
  key = readFileSync(join(folder, '.sluice', 'demo-api-key'), 'utf8').trim();
  const secret: number[] = JSON.parse(readFileSync(join(folder, '.sluice', 'demo-wallet.json'), 'utf8'));
  wallet = Keypair.fromSecretKey(Uint8Array.from(secret));
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes.
async function ask(path: string, body?: object): Promise<{ status: number; json: any }> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const response = await fetch(`${rest}${path}`, { ...init, headers });
  return { status: response.status, json: await response.json() };
}

async function sluice(...args: string[]): Promise<string> {
  const { code, out, error } = await runCommand([...args, '--data-dir=.sluice'], folder);
  if (code !== 0) throw new Error(`sluice ${args.join(' ')} ended with ${code}: ${error}`);
  return out;
}

async function isVerified(): Promise<boolean> {
  const { json } = await ask('/tokens/v2/search?query=WIF&limit=1');
  expect(json).toMatchObject([{ id: WIF }]);
  const { json: list } = await ask('/tokens/v2/tag?query=verified');
  const isListed = list.some(({ id }: { id: string }) => id === WIF);
  expect(isListed).toBe(json[0].isVerified);
  return isListed;
}
