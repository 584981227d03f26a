import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deriveInviteKey } from '../../src/protocols/jupiter-send/invite-key.ts';
import { type Address, toAddressBytes } from '../../src/solana/address.ts';
import {
  createKeypairFromSeed,
  encodeKeypairFile,
  type Keypair,
  parseKeypairFile,
} from '../../src/solana/keypair.ts';
import { compileMessage } from '../../src/solana/messages/compile-message.ts';
import { addSignatures, encodeUnsigned, parseTransaction } from '../../src/solana/messages/transaction.ts';
import { transferLamports } from '../../src/solana/programs/system.ts';
import { openFolder } from '../../src/testing/test-folder.ts';
import { runCommand } from './run-command.ts';
import { useInstance } from './shared-instance.ts';

const instance = useInstance();
const folder = openFolder('send-claim');
let sender: Keypair;
/** An instance that answers with whatever a test puts here. */
let answer: object = {};
let hostile: Server;
/** The bodies that the hostile instance was sent. */
const received: string[] = [];
beforeAll(setUp);
afterAll(tearDown);

describe('sluice send claim', () => {
  it('pays SOL to the wallet of a keypair file, and says what arrived', async () => {
    const code = await sendToCode('100000000');
    const receiver = await instance.newWallet(10_000_000n);
    const { code: exit, out, error } = await claim(code, ['--keypair', write('receiver', receiver)]);
    expect({ exit, error }).toEqual({ exit: 0, error: '' });
    expect(out).toMatch(
      new RegExp(`^${receiver.address} got 0\\.1 SOL from ${sender.address} in transaction \\w{80,90}\n$`),
    );
    expect(await lamportsOf(receiver.address)).toBe(10_000_000n + 100_000_000n - (await feeIn(out)));
  });

  it('takes the code from the input, and makes a new wallet that another one pays for', async () => {
    const code = await sendToCode('2500000', USDC);
    const payer = await instance.newWallet(10_000_000n);
    const wallets = ['--new', 'new-wallet.json', '--payer', write('payer', payer)];
    const claimed = await run(['send', 'claim', '-', ...wallets], code);
    expect(claimed).toMatchObject({ code: 0, error: '' });
    const file = join(folder, 'new-wallet.json');
    const { address } = parseKeypairFile(readFileSync(file, 'utf8'));
    expect(claimed.out).toContain(`the new wallet ${address}, whose key is in ${file}, got 2.5 USDC from`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await usdcOf(address)).toBe('2500000');
    expect(await lamportsOf(payer.address)).toBe(10_000_000n - (await feeIn(claimed.out)) - TOKEN_RENT);
  });

  it('pays a wallet that does not sign', async () => {
    const code = await sendToCode('1000000', USDC);
    const payer = await instance.newWallet(10_000_000n);
    const { address } = createKeypairFromSeed(randomBytes(32));
    expect(await claim(code, ['--receiver', address, '--payer', write('payer', payer)])).toMatchObject({
      code: 0,
      error: '',
    });
    expect(await usdcOf(address)).toBe('1000000');
  });

  it('says that nobody has sent anything to a code', async () => {
    const refused = await claim('nobodys code', ['--keypair', instance.walletFile]);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.error).toMatch(/^there is no invite of this code: \w+ is empty on the network at http/);
    expect(refused.error).not.toContain('nobodys code');
  });

  it('says who has claimed it already', async () => {
    const code = await sendToCode('10000000');
    const receiver = await instance.newWallet(10_000_000n);
    const flags = ['--keypair', write('receiver', receiver)];
    expect(await claim(code, flags)).toMatchObject({ code: 0 });
    const again = await claim(code, flags);
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.error).toMatch(
      new RegExp(`^the invite \\w+ was claimed by ${receiver.address} in transaction \\w{80,90}\n$`),
    );
  });

  it('says what to do for a receiver without SOL', async () => {
    const code = await sendToCode('10000000');
    const poor = createKeypairFromSeed(randomBytes(32));
    const refused = await claim(code, ['--keypair', write('poor', poor)]);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.error).toContain(
      `${poor.address} has 0 SOL, but a claim costs the payer at least 0.00001 SOL; let another wallet pay with --payer, or give it some with sluice faucet ${poor.address} SOL 0.1`,
    );
  });

  it('sends neither the code nor its key, and signs no other transaction than a claim', async () => {
    const code = await sendToCode('10000000');
    const { secretKey } = deriveInviteKey(code);
    const payer = await instance.newWallet(1_000_000_000n);
    const thief = createKeypairFromSeed(randomBytes(32)).address;
    const blockhash = (await instance.rpc('getLatestBlockhash')).value.blockhash;
    const theft = compileMessage({
      feePayer: payer.address,
      blockhash: toAddressBytes(blockhash),
      instructions: [transferLamports(payer.address, thief, 900_000_000n)],
    });
    answer = { tx: Buffer.from(encodeUnsigned(theft)).toString('base64'), totalFeeLamports: '5000' };
    const refused = await claimAtHostile(code, payer);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.error).toContain(
      'the transaction that the instance made calls the program 11111111111111111111111111111111, which a claim does not need; it was not signed, and nothing was claimed',
    );
    expect(received).toHaveLength(1);
    expect(received[0]).not.toContain(code);
    for (const secret of [secretKey, secretKey.subarray(0, 32)]) {
      for (const encoding of ['hex', 'base64'] as const) {
        expect(received[0]).not.toContain(Buffer.from(secret).toString(encoding));
      }
    }
    expect(await lamportsOf(payer.address)).toBe(1_000_000_000n);
  });

  it('refuses a claim for another receiver', async () => {
    const code = await sendToCode('10000000');
    const payer = await instance.newWallet(1_000_000_000n);
    const thief = createKeypairFromSeed(randomBytes(32)).address;
    const body = { inviteSigner: deriveInviteKey(code).address, receiver: thief, payer: payer.address };
    answer = (await instance.ask('/send/v1/craft-claim', body)).json;
    const refused = await claimAtHostile(code, payer);
    expect(refused.error).toContain(
      `calls the program of invites for something else than a claim of this invite by ${payer.address}`,
    );
    expect(await lamportsOf(thief)).toBe(0n);
  });
});

describe('sluice send show', () => {
  it('shows an invite while it is open, and how it ended', async () => {
    const code = await sendToCode('1500000', USDC);
    const open = await run(['send', 'show', code]);
    expect(open).toMatchObject({ code: 0, error: '' });
    expect(open.out).toMatch(/^state +open$/m);
    expect(open.out).toMatch(/^sent +1\.5 USDC$/m);
    const receiver = await instance.newWallet(10_000_000n);
    await claim(code, ['--keypair', write('receiver', receiver)]);
    const ended = await run(['send', 'show', '-'], code);
    expect(ended.out).toMatch(new RegExp(`^state +claimed by ${receiver.address}$`, 'm'));
    expect(ended.out).toMatch(/^delivered +1\.5 USDC$/m);
    expect(`${open.out}${ended.out}`).not.toContain(code);
  });

  it('says that an invite has expired, which can no longer be claimed', async () => {
    const code = await sendToCode('10000000');
    await instance.admin('POST', 'network/clock', { seconds: 8 * 86_400 });
    await instance.confirmed(await instance.rpc('getSlot', { commitment: 'processed' }));
    const shown = await run(['send', 'show', code]);
    expect(shown.out).toMatch(/^state +(expired, and goes|returned to its sender)/m);
    const refused = await claim(code, ['--keypair', instance.walletFile]);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.error).toMatch(/expired at 20|returned to its sender after its expiry/);
  });
});

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const TOKEN_RENT = 2_039_280n;
const CONFIRMED = { commitment: 'confirmed' };

async function setUp(): Promise<void> {
  sender = await instance.newWallet(10_000_000_000n, { [USDC]: 100_000_000n });
  hostile = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push(body);
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
}

async function tearDown(): Promise<void> {
  if (hostile?.listening) await new Promise((resolve) => hostile.close(resolve));
}

/** Sends to a new code, and returns the code once the invite is confirmed. */
async function sendToCode(amount: string, mint?: string): Promise<string> {
  const code = randomBytes(6).toString('hex');
  const inviteKey = deriveInviteKey(code);
  const body = { inviteSigner: inviteKey.address, sender: sender.address, amount, mint };
  const { status, json } = await instance.ask('/send/v1/craft-send', body);
  expect(status, JSON.stringify(json)).toBe(200);
  const transaction = parseTransaction(new Uint8Array(Buffer.from(json.tx, 'base64')));
  const wire = Buffer.from(addSignatures(transaction, [sender, inviteKey])).toString('base64');
  await instance.rpc('sendTransaction', wire, { encoding: 'base64', skipPreflight: true });
  await instance.confirmed(await instance.rpc('getSlot', { commitment: 'processed' }));
  return code;
}

function claim(code: string, flags: readonly string[]) {
  return run(['send', 'claim', code, ...flags]);
}

function claimAtHostile(code: string, payer: Keypair) {
  received.length = 0;
  const { port } = hostile.address() as AddressInfo;
  const place = ['--url', `http://127.0.0.1:${port}`, '--rpc', instance.rpcUrl];
  return claim(code, [...place, '--keypair', write('payer', payer)]);
}

function run(args: readonly string[], input = '') {
  return runCommand([...args, '--data-dir', join(instance.folder, '.sluice')], folder, input);
}

/** Writes a keypair file, and returns its name. */
function write(name: string, keypair: Keypair): string {
  writeFileSync(join(folder, `${name}.json`), encodeKeypairFile(keypair));
  return `${name}.json`;
}

/** Returns what the transaction that the command names cost: two signatures, and what others make it bid for priority. */
async function feeIn(out: string): Promise<bigint> {
  const [, signature] = /in transaction (\w{80,90})/.exec(out) ?? [];
  const options = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
  const fee = BigInt((await instance.rpc('getTransaction', signature, options)).meta.fee);
  expect(fee).toBeGreaterThanOrEqual(10_000n);
  return fee;
}

async function lamportsOf(address: Address): Promise<bigint> {
  return BigInt((await instance.rpc('getBalance', address, CONFIRMED)).value);
}

async function usdcOf(owner: Address): Promise<string> {
  const parsed = { ...CONFIRMED, encoding: 'jsonParsed' };
  const { value } = await instance.rpc('getTokenAccountsByOwner', owner, { mint: USDC }, parsed);
  return value[0].account.data.parsed.info.tokenAmount.amount;
}
