import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { OperatorError } from '../../common/operator-error.ts';
import { toAddress } from '../../solana/address.ts';
import { U64_MAX } from '../../solana/units.ts';
import { formatAccountFile, MAX_ACCOUNT_DATA, parseAccountFile } from './account-json.ts';

describe('parseAccountFile', () => {
  it('returns the account that formatAccountFile wrote', () => {
    assertProperty(
      fc.property(anyAccount, (addressed) => {
        expect(parseAccountFile(formatAccountFile(addressed), 'test')).toEqual(addressed);
      }),
      { cases: 300, seed: 2 },
    );
  });

  it('reads a file that begins with a byte order mark, and refuses one with a key twice', () => {
    expect(parseAccountFile(`\ufeff${file({})}`, 'test')).toEqual(parseAccountFile(file({}), 'test'));
    const twice = file({}).replace('"lamports":7', '"lamports":7,"lamports":8');
    expect(() => parseAccountFile(twice, 'test')).toThrow('test has the key "lamports" twice');
  });

  it('preserves every digit of numbers above 2^53', () => {
    const text = file({}).replace('"lamports":7', '"lamports" : 18446744073709551614');
    expect(parseAccountFile(text, 'test').account.lamports).toBe(U64_MAX - 1n);
  });

  it('reads the rounded rent epoch of tools that use doubles', () => {
    const { rentEpoch } = parseAccountFile(file({ rentEpoch: Number(U64_MAX) }), 'test').account;
    expect(rentEpoch).toBe(U64_MAX);
  });

  it('reads base58 data, and files of old tools without `space`', () => {
    const text = file({ data: ['Ldp', 'base58'], space: undefined });
    expect([...parseAccountFile(text, 'test').account.data]).toEqual([1, 2, 3]);
  });

  it.each([
    ['{', 'x.json is not JSON'],
    ['[]', 'x.json: the top level must be an object, got []'],
    [JSON.stringify({ pubkey: USDC }), 'x.json: account must be an object, got nothing'],
    [file({}, 'short'), 'x.json: pubkey must be a base58 address of 32 bytes, got "short"'],
    [file({ lamports: 0 }), 'account.lamports must be more than 0'],
    [
      file({ lamports: -1 }),
      'account.lamports must be a whole number from 0 to 18446744073709551615, got -1',
    ],
    [file({ lamports: 1.5 }), 'account.lamports must be a whole number'],
    [file({}).replace('"lamports":7', '"lamports":18446744073709551616'), 'got "18446744073709551616"'],
    [file({ lamports: null }), 'account.lamports must be a whole number'],
    [file({ owner: 5 }), 'account.owner must be a base58 address'],
    [file({ executable: 'no' }), 'account.executable must be true or false, got "no"'],
    [file({ data: 'AQID' }), 'account.data must be [text, "base64"] or [text, "base58"], got "AQID"'],
    [file({ data: ['AQID', 'base64+zstd'] }), 'account.data must be [text, "base64"] or [text, "base58"]'],
    [file({ data: ['AQI!', 'base64'] }), 'account.data is not valid base64'],
    [file({ data: ['AQIDB', 'base64'] }), 'account.data is not valid base64'],
    [file({ data: ['0OIl', 'base58'] }), 'account.data is not valid base58'],
    [file({ space: 4 }), 'account.space is 4, but the data has 3 bytes'],
    [file({ rentEpoch: 'soon' }), 'account.rentEpoch must be a whole number'],
  ])('throws for %s', (text, message) => {
    expect(() => parseAccountFile(text, 'x.json')).toThrow(message);
  });

  it('throws OperatorError for any other JSON', () => {
    const fields = fc.record(
      {
        lamports: fc.jsonValue(),
        data: fc.oneof(fc.jsonValue(), fc.tuple(fc.string(), fc.constantFrom('base64', 'base58'))),
        owner: fc.oneof(fc.constant(TOKEN), fc.jsonValue()),
        executable: fc.oneof(fc.boolean(), fc.jsonValue()),
        rentEpoch: fc.jsonValue(),
        space: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    assertProperty(
      fc.property(fc.oneof(fields, fc.jsonValue()), fc.jsonValue(), (account, pubkey) => {
        const text = JSON.stringify({ pubkey: pubkey === null ? USDC : pubkey, account });
        try {
          parseAccountFile(text, 'x.json');
        } catch (error) {
          expect(error).toBeInstanceOf(OperatorError);
          expect(String(error).length).toBeLessThan(400);
        }
      }),
      { cases: 1000, seed: 3 },
    );
  });

  it('throws for more data than an account can hold', () => {
    const data = Buffer.alloc(MAX_ACCOUNT_DATA + 1).toString('base64');
    expect(() => parseAccountFile(file({ data: [data, 'base64'] }), 'x.json')).toThrow(
      'holds at most 10485760',
    );
    expect(() => parseAccountFile('x'.repeat(20_000_000), 'x.json')).toThrow('20000000 characters long');
  });
});

const u64 = fc.bigInt({ min: 0n, max: U64_MAX });
const anyAddress = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => toAddress(bytes));
const anyAccount = fc.record({
  address: anyAddress,
  account: fc.record({
    lamports: fc.bigInt({ min: 1n, max: U64_MAX }),
    owner: anyAddress,
    data: fc.uint8Array({ maxLength: 300 }),
    executable: fc.boolean(),
    rentEpoch: u64,
  }),
});

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

function file(fields: Readonly<Record<string, unknown>>, pubkey: unknown = USDC): string {
  const usual = {
    lamports: 7,
    data: ['AQID', 'base64'],
    owner: TOKEN,
    executable: false,
    rentEpoch: 0,
    space: 3,
  };
  return JSON.stringify({ pubkey, account: { ...usual, ...fields } });
}
