import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { getProgramAuthority } from '../../src/protocol/venue/aggregator-program.ts';
import { bannerValue, FREE_PORTS, type Instance } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';
import { runCommand } from './run-command.ts';
import { openFolder } from '../../src/testing/test-folder.ts';

const folder = openFolder('landing');
let instance: Instance;
let banner: string;
beforeAll(setUp);
afterAll(tearDown);

it('lands what it accepted before it was killed, and says so in the report', async () => {
  // Nothing gets into a block for as long as all others pay more.
  await setFaults({ congestion: '1000000000000' });
  const landing = new Connection(value('Landing'), 'confirmed');
  const signature = await landing.sendRawTransaction(await signedTip(), {
    skipPreflight: true,
    maxRetries: 0,
  });
  expect((await show(signature)).out).toMatch(/^outcome +under way$/m);
  instance.kill('SIGKILL');
  await instance.ended();
  await start();
  await setFaults({});
  await vi.waitFor(async () => expect((await show(signature)).out).toMatch(/^outcome +confirmed$/m), WAIT);
  const { out } = await show(signature);
  expect(out).toMatch(/^submitted by +a caller without a key$/m);
  expect(out).toMatch(/^seen +\d+ ms later$/m);
  const requestId = /^request +(\S+)$/m.exec(out)?.[1] ?? '';
  expect((await show(requestId)).out).toBe(out);
  expect(await show('nothing')).toMatchObject({ code: 1, error: expect.stringContaining('nothing') });
});

const WAIT = { interval: 100 };
const flags = [...FREE_PORTS, '--landing-address=127.0.0.1:0'];

const value = (name: string) => bannerValue(banner, name);

async function setUp(): Promise<void> {
  await start();
}

async function tearDown(): Promise<void> {
  await instance?.stop();
}

async function start(): Promise<void> {
  instance = startOwnInstance({ reason: 'has a landing port, and is killed', flags, folder });
  banner = await instance.ready();
}

async function setFaults(faults: object): Promise<void> {
  const credential = readFileSync(join(folder, '.sluice', 'operator-credential'), 'utf8').trim();
  const answer = await fetch(`${value('Admin').replace('/docs', '')}/admin/v1/network/faults`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify(faults),
  });
  expect(answer.status).toBe(200);
}

/** A transaction of the demo wallet that only pays a tip. */
async function signedTip(): Promise<Buffer> {
  const file = /^ +its key +(\S+)$/m.exec(banner)?.[1] ?? '';
  const path = file.startsWith('/') ? file : join(folder, file);
  const wallet = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(path, 'utf8')) as number[]));
  const { blockhash } = await new Connection(value('Solana RPC'), 'confirmed').getLatestBlockhash();
  const transaction = new Transaction({
    feePayer: wallet.publicKey,
    blockhash,
    lastValidBlockHeight: Number.MAX_SAFE_INTEGER,
  }).add(
    SystemProgram.transfer({
      fromPubkey: wallet.publicKey,
      toPubkey: new PublicKey(getProgramAuthority(5)),
      lamports: 1_000_000,
    }),
  );
  transaction.sign(wallet);
  return transaction.serialize();
}

function show(signature: string) {
  return runCommand(['landing', 'show', signature], folder);
}
