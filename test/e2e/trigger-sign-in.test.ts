import { ed25519 } from '@noble/curves/ed25519';
import {
  Keypair,
  MessageV0,
  PublicKey,
  Transaction,
  type VersionedMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeBase58 } from '../../src/solana/encoding/base58.ts';
import { useInstance } from './shared-instance.ts';

const instance = useInstance();
let wallet: Keypair;
beforeAll(setUp);

describe('a client that signs in', () => {
  it('signs the text of a message, as a signer that looks at every byte of the answers', async () => {
    const {
      status,
      text,
      json: asked,
    } = await post('challenge', { walletPubkey: key(wallet), type: 'message' });
    expect([status, Object.keys(asked)]).toEqual([200, ['type', 'challenge']]);
    expect(findRepeatedKeys(text)).toEqual([]);
    const { challenge } = asked;
    expect(challenge).toBe(challenge.trim());
    expect(
      challenge.startsWith('Sign this message to authenticate with Jupiter that you are the owner of '),
    ).toBe(true);
    expect(challenge).toContain(` ${key(wallet)}. `);
    expect(challenge).toMatch(/^[ -~]{8,4096}$/);
    const time = /expires at (\S+) with the nonce of (\S{8,})$/.exec(challenge)?.[1] ?? '';
    expect(new Date(time).toISOString()).toBe(time);
    const verified = await post('verify', { ...MESSAGE(wallet), signature: sign(wallet, challenge) });
    expect(verified.status).toBe(200);
    expect(Object.keys(verified.json).sort()).toEqual(['authMode', 'token']);
    expect(verified.json.authMode).toBe('message');
    expect(verified.json.token).toMatch(STRICT_JWT);
    expect(JSON.parse(Buffer.from(verified.json.token.split('.')[1], 'base64url').toString())).toMatchObject({
      sub: key(wallet),
    });
    expect(await post('verify', { ...MESSAGE(wallet), signature: sign(wallet, challenge) })).toMatchObject({
      ...{ status: 400, json: { error: 'Challenge not found' } },
    });
  });

  it.each([
    [
      'the transaction class',
      (base64: string) => {
        const transaction = Transaction.from(Buffer.from(base64, 'base64'));
        expect(transaction.feePayer?.equals(wallet.publicKey)).toBe(true);
        transaction.partialSign(wallet);
        return transaction.serialize().toString('base64');
      },
    ],
    [
      'the class of versioned transactions',
      (base64: string) => {
        const transaction = VersionedTransaction.deserialize(Buffer.from(base64, 'base64'));
        transaction.sign([wallet]);
        return Buffer.from(transaction.serialize()).toString('base64');
      },
    ],
    [
      'its own bytes',
      (base64: string) => {
        const bytes = Buffer.from(base64, 'base64');
        bytes.set(ed25519.sign(bytes.subarray(65), wallet.secretKey.subarray(0, 32)), 1);
        return bytes.toString('base64');
      },
    ],
  ])('signs a transaction with %s, as a hardware wallet does', async (_name, signed) => {
    const { json: asked } = await post('challenge', { walletPubkey: key(wallet), type: 'transaction' });
    expect(Object.keys(asked)).toEqual(['type', 'transaction']);
    const { message } = VersionedTransaction.deserialize(Buffer.from(asked.transaction, 'base64'));
    expect(message.version).toBe('legacy');
    const [memo] = message.compiledInstructions;
    expect(message.staticAccountKeys[memo?.programIdIndex ?? -1]?.toBase58()).toBe(MEMO_PROGRAM);
    expect(Buffer.from(memo?.data ?? []).toString()).toMatch(
      /^Sign this message to authenticate with Jupiter/,
    );
    const signedTransaction = signed(asked.transaction);
    const sent = await instance.rpc('simulateTransaction', signedTransaction, {
      encoding: 'base64',
      sigVerify: true,
    });
    expect(sent.value.err).toBe('BlockhashNotFound');
    const { status, json } = await post('verify', { ...TRANSACTION(wallet), signedTransaction });
    expect([status, json.authMode]).toEqual([200, 'transaction']);
    expect(json.token).toMatch(STRICT_JWT);
    expect((await post('verify', { ...TRANSACTION(wallet), signedTransaction })).status).toBe(400);
  });

  it('is told when its wallet changed the transaction', async () => {
    const { json: asked } = await post('challenge', { walletPubkey: key(wallet), type: 'transaction' });
    const legacy = VersionedTransaction.deserialize(Buffer.from(asked.transaction, 'base64')).message;
    const { staticAccountKeys, recentBlockhash, compiledInstructions } = legacy;
    const changed: VersionedMessage = new MessageV0({
      ...{
        header: legacy.header,
        staticAccountKeys,
        recentBlockhash,
        compiledInstructions,
        addressTableLookups: [],
      },
    });
    const transaction = new VersionedTransaction(changed);
    transaction.sign([wallet]);
    const signedTransaction = Buffer.from(transaction.serialize()).toString('base64');
    expect(await post('verify', { ...TRANSACTION(wallet), signedTransaction })).toMatchObject({
      ...{ status: 401, json: { error: 'Invalid signature' } },
    });
  });

  it('gets a token of fifteen minutes with `authMode`', async () => {
    const { json: asked } = await post('challenge', { walletPubkey: key(wallet), type: 'message' });
    const signature = sign(wallet, asked.challenge);
    const { json } = await post('verify', { ...MESSAGE(wallet), signature, authMode: 'access_refresh' });
    expect(Object.keys(json).sort()).toEqual(['accessToken', 'authMode', 'expiresAt']);
    expect(json.accessToken).toMatch(STRICT_JWT);
    const { iat, exp } = JSON.parse(Buffer.from(json.accessToken.split('.')[1], 'base64url').toString());
    expect([exp - iat, new Date(json.expiresAt).getTime()]).toEqual([900, exp * 1_000]);
  });

  it.each([
    [{}, ['type', 'walletPubkey']],
    [{ walletPubkey: 'ann', type: 'message' }, ['walletPubkey']],
    [{ walletPubkey: 'ann', type: 'email' }, ['type']],
    [{ walletPubkey: 5, type: 'message' }, ['walletPubkey']],
  ])('is told what is wrong with %j', async (body, fields) => {
    const { status, json } = await post('challenge', body);
    expect([status, json.error]).toEqual([400, 'Request validation failed']);
    expect(Object.keys(json.details).sort()).toEqual(fields);
  });

  it.each([
    [{}, 'signature'],
    [{ signature: 'abc' }, 'signature'],
    [{ signature: '1'.repeat(64), authMode: 'transaction' }, 'authMode'],
    [{ signature: '1'.repeat(64), authMode: 'cookie' }, 'authMode'],
    [{ type: 'transaction' }, 'signedTransaction'],
    [{ type: 'transaction', signedTransaction: 'AAAA' }, 'signedTransaction'],
  ])('is told what is wrong with a proof of %j', async (body, field) => {
    const { status, json } = await post('verify', { ...MESSAGE(wallet), ...body });
    expect([status, json.error]).toEqual([400, 'Request validation failed']);
    expect(Object.keys(json.details)).toEqual([field]);
  });

  it('is told when the signature is of somebody else', async () => {
    const { json: asked } = await post('challenge', { walletPubkey: key(wallet), type: 'message' });
    const signature = sign(Keypair.generate(), asked.challenge);
    expect(await post('verify', { ...MESSAGE(wallet), signature })).toMatchObject({
      ...{ status: 401, json: { error: 'Invalid signature' } },
    });
  });

  it('may be a page of any site: its preflight allows the token', async () => {
    const { status, headers } = await fetch(`${instance.restUrl}/trigger/v2/auth/verify`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://wallet.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-headers')).toContain('authorization');
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('a client that has signed in', () => {
  it('finds no vault, registers one, and is told that it has it, with a key or without', async () => {
    const token = await signIn();
    expect(await vault('GET', '', token)).toEqual([404, { error: 'Vault not found' }]);
    const [status, registered] = await vault('GET', '/register', token);
    expect(status).toBe(200);
    expect(registered.userPubkey).toBe(key(wallet));
    expect(PublicKey.isOnCurve(new PublicKey(registered.vaultPubkey).toBytes())).toBe(true);
    for (const method of ['POST', 'GET']) {
      const [refused, body] = await vault(method, '/register', token);
      expect([refused, body]).toEqual([409, { error: 'Vault already registered', details: registered }]);
    }
    expect(await vault('GET', '', token)).toEqual([200, registered]);
    expect(await vault('GET', '', token, { 'x-api-key': instance.apiKey })).toEqual([200, registered]);
    const [again] = await vault('POST', '/register', token, { 'content-type': 'application/json' });
    expect(again).toBe(409);
  });

  it.each([
    ['junk', 'Bearer junk'],
    ['no token', undefined],
    ['another scheme', 'Basic YTpi'],
    ['a JWT that it made itself', `Bearer ${'e'.repeat(16)}.${'y'.repeat(16)}.${'s'.repeat(16)}`],
  ])('is not known by %s', async (_name, authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const answer = await fetch(`${instance.restUrl}/trigger/v2/vault`, { headers });
    expect([answer.status, await answer.text()]).toEqual([401, '{"error":"Unauthorized"}']);
  });

  async function signIn(): Promise<string> {
    const { json: asked } = await post('challenge', { walletPubkey: key(wallet), type: 'message' });
    const signature = sign(wallet, asked.challenge);
    return (await post('verify', { ...MESSAGE(wallet), signature })).json.token;
  }

  async function vault(method: string, path: string, token: string, headers: Record<string, string> = {}) {
    const answer = await fetch(`${instance.restUrl}/trigger/v2/vault${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    return [answer.status, JSON.parse(await answer.text())] as const;
  }
});

const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
/** What careful clients take for a token. */
const STRICT_JWT = /^[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}$/;

const key = ({ publicKey }: Keypair) => publicKey.toBase58();
const MESSAGE = (of: Keypair) => ({ type: 'message', walletPubkey: key(of) });
const TRANSACTION = (of: Keypair) => ({ type: 'transaction', walletPubkey: key(of) });

function sign(of: Keypair, text: string): string {
  return encodeBase58(ed25519.sign(new TextEncoder().encode(text), of.secretKey.subarray(0, 32)));
}

function setUp(): void {
  wallet = Keypair.generate();
}

async function post(step: 'challenge' | 'verify', body: object) {
  const answer = await fetch(`${instance.restUrl}/trigger/v2/auth/${step}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': instance.apiKey },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, text, json: JSON.parse(text) };
}

/** The names that an object of one level has twice. */
function findRepeatedKeys(text: string): readonly string[] {
  const names = [...text.matchAll(/"(\w+)":/g)].map(([, name]) => name ?? '');
  return names.filter((name, index) => names.indexOf(name) !== index);
}
