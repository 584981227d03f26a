import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { address } from '../../../solana/address.ts';
import { WalletTokens } from './tokens.ts';

describe('WalletTokens', () => {
  it('issues JWTs of three parts that name the wallet, and accepts them for their time', async () => {
    const { token, expiresAt } = await at(NOW).issue(WALLET, DAY_MS);
    const [header, payload] = token.split('.').slice(0, 2).map(decode);
    expect(token).toMatch(/^(?:[A-Za-z0-9_-]{16,}\.){2}[A-Za-z0-9_-]{16,}$/);
    expect(header).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(payload).toEqual({
      sub: WALLET,
      iss: 'sluice',
      aud: 'trigger',
      iat: NOW / 1_000,
      exp: NOW / 1_000 + 86_400,
    });
    expect(expiresAt).toBe(NOW + DAY_MS);
    expect(await at(NOW).check(token)).toBe(WALLET);
    expect(await at(NOW + DAY_MS - 1_000).check(token)).toBe(WALLET);
    expect(await at(NOW + DAY_MS).check(token)).toBeNull();
  });

  it('accepts those of another instance with the same secret, whose clock may be a minute ahead', async () => {
    const { token } = await at(NOW + 60_000).issue(WALLET, DAY_MS);
    expect(await at(NOW).check(token)).toBe(WALLET);
    expect(await at(NOW - 1_000).check(token)).toBeNull();
  });

  it.each(Object.entries(forged()))('refuses a token %s', async (_name, token) => {
    expect(await at(NOW).check(token)).toBeNull();
  });

  it('accepts a token that is made by hand as the refused ones are', async () => {
    expect(await at(NOW).check(made({}))).toBe(WALLET);
  });
});

const NOW = 1_790_000_000_000;
const DAY_MS = 86_400_000;
const KEY = Buffer.alloc(32, 7);
const WALLET = address('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM');
const OTHER = address('7GCihgDB8fe6KNjn2MYtkzZcRjQy3t9GHdC8uHYmW2hr');

const at = (now: number, key: Uint8Array = KEY) => new WalletTokens(key, () => now);
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as unknown;

const HEADER = { alg: 'HS256', typ: 'JWT' };
const CLAIMS = { sub: WALLET, iss: 'sluice', aud: 'trigger', iat: NOW / 1_000, exp: NOW / 1_000 + 60 };

function made(
  claims: object,
  header: object = {},
  signed = (text: string) => createHmac('sha256', KEY).update(text).digest(),
): string {
  const text = `${encode({ ...HEADER, ...header })}.${encode({ ...CLAIMS, ...claims })}`;
  return `${text}.${signed(text).toString('base64url')}`;
}

function forged(): Readonly<Record<string, string>> {
  const [header = '', payload = '', signature = ''] = made({}).split('.');
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const hmac = (hash: string, key: Buffer | string) => (text: string) =>
    createHmac(hash, key).update(text).digest();
  return {
    'without a signature': `${header}.${payload}.`,
    'that is not signed': `${encode({ ...HEADER, alg: 'none' })}.${payload}.`,
    'that is not signed and keeps the signature': `${encode({ ...HEADER, alg: 'None' })}.${payload}.${signature}`,
    'of another instance': made({}, {}, hmac('sha256', Buffer.alloc(32, 8))),
    'with an empty key': made({}, {}, hmac('sha256', '')),
    'signed with another hash': made({}, { alg: 'HS512' }, hmac('sha512', KEY)),
    'signed with a private key': made({}, { alg: 'RS256' }, (text) =>
      sign('sha256', Buffer.from(text), rsa.privateKey),
    ),
    'that brings its own key': made(
      {},
      { jwk: { kty: 'oct', k: Buffer.alloc(32, 9).toString('base64url') } },
      hmac('sha256', Buffer.alloc(32, 9)),
    ),
    'with an altered payload': `${header}.${encode({ ...CLAIMS, sub: OTHER })}.${signature}`,
    'with critical headers that are not known': made({}, { crit: ['b64'], b64: false }),
    'of another type': made({}, { typ: 'at+jwt' }),
    'for another audience': made({ aud: 'platform' }),
    'of another issuer': made({ iss: 'somebody' }),
    'that is expired': made({ iat: NOW / 1_000 - 120, exp: NOW / 1_000 }),
    'that never expires': made({ exp: undefined }),
    'without the time of its issue': made({ iat: undefined }),
    'of the future': made({ iat: NOW / 1_000 + 61, exp: NOW / 1_000 + 90_000 }),
    'that counts later': made({ nbf: NOW / 1_000 + 30 }),
    'of no wallet': made({ sub: undefined }),
    'of what is no wallet': made({ sub: 'ann' }),
    'that is very long': made({ more: 'x'.repeat(2_000) }),
    'that is no JSON': `${header}.${Buffer.from('{').toString('base64url')}.${signature}`,
    'that is no token': 'abc',
  };
}
