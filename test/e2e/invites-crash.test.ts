import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { deriveInviteKey } from '../../src/protocols/jupiter-send/invite-key.ts';
import { deriveInvite } from '../../src/protocols/jupiter-send/invite-program.ts';
import { type Keypair, parseKeypairFile } from '../../src/solana/keypair.ts';
import { parseTransaction, signTransaction } from '../../src/solana/messages/transaction.ts';
import { openFolder } from '../../src/testing/test-folder.ts';
import { bannerValue, FREE_PORTS, type Instance, withSlotsOf } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';

const folder = openFolder('invites');
let instance: Instance;
let rest: string;
let rpcUrl: string;
let sender: Keypair;
beforeAll(start);
afterAll(() => instance?.stop());

it('lists every invite once after the instance was killed before it has read them', async () => {
  const keys = [newKey(), newKey(), newKey()];
  // Nobody has asked for a list yet, and the index looks only every two seconds by itself.
  await Promise.all(keys.map((key) => create(key)));
  await killAndRestart();
  expect(await listKeys('pending-invites')).toEqual(keys.map(({ address }) => address).sort());
  const [first] = keys as [Keypair];
  const { tx } = await ask('/send/v1/craft-clawback', {
    invitePDA: deriveInvite(first.address).address,
    sender: sender.address,
  });
  await land(tx, [sender]);
  await killAndRestart();
  expect(await listKeys('invite-history')).toEqual([first.address]);
  expect(await listKeys('pending-invites')).toHaveLength(2);
});

const flags = [...withSlotsOf(50), ...FREE_PORTS];

async function start(): Promise<void> {
  instance = startOwnInstance({ reason: 'is killed', flags, folder });
  const banner = await instance.ready();
  rest = bannerValue(banner, 'REST');
  rpcUrl = bannerValue(banner, 'Solana RPC');
  sender = parseKeypairFile(readFileSync(join(folder, '.sluice', 'demo-wallet.json'), 'utf8'));
}

async function killAndRestart(): Promise<void> {
  instance.kill('SIGKILL');
  await instance.ended();
  await start();
}

function newKey(): Keypair {
  return deriveInviteKey(randomBytes(9).toString('hex'));
}

async function create(key: Keypair): Promise<void> {
  const body = { inviteSigner: key.address, sender: sender.address, amount: '1000000' };
  const { tx } = await ask('/send/v1/craft-send', body);
  await land(tx, [sender, key]);
}

/** Signs a transaction that was handed out, lands it, and waits until the disk has it. */
async function land(tx: string, by: readonly Keypair[]): Promise<void> {
  const { messageBytes } = parseTransaction(new Uint8Array(Buffer.from(tx, 'base64')));
  const wire = Buffer.from(signTransaction(messageBytes, by)).toString('base64');
  const signature = await rpc('sendTransaction', wire, { encoding: 'base64', skipPreflight: true });
  const isConfirmed = async () => {
    const { value } = await rpc('getSignatureStatuses', [signature]);
    expect(value[0]?.confirmationStatus).toMatch(/confirmed|finalized/);
  };
  await vi.waitFor(isConfirmed, { interval: 20 });
}

async function listKeys(list: string): Promise<readonly string[]> {
  const { invites } = await ask(`/send/v1/${list}?address=${sender.address}`);
  return invites.map(({ invite_signer: key }: { readonly invite_signer: string }) => key).sort();
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes.
async function ask(path: string, body?: object): Promise<any> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(`${rest}${path}`, {
    ...init,
    headers: { 'content-type': 'application/json' },
  });
  const json = await response.json();
  expect(response.status, JSON.stringify(json)).toBe(200);
  return json;
}

// biome-ignore lint/suspicious/noExplicitAny: results of many shapes.
async function rpc(method: string, ...params: readonly unknown[]): Promise<any> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as {
    readonly result?: unknown;
    readonly error?: unknown;
  };
  expect(error).toBeUndefined();
  return result;
}
