import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeKeypairFile } from '../../../solana/keypair.ts';
import { createTestKey } from '../../../testing/chain/bank.ts';
import { runForTest } from '../../../testing/run-cli.ts';
import { openFolder } from '../../../testing/test-folder.ts';

const folder = openFolder('send-flags');
beforeAll(setUp);

describe('sluice send claim', () => {
  it.each<[string, readonly string[], string]>([
    ['nobody is to get it', [], 'give one of --keypair, --new and --receiver'],
    [
      'two are to get it',
      ['--keypair=w.json', '--new=n.json'],
      'give one of --keypair, --new and --receiver',
    ],
    ['a new wallet cannot pay', ['--new=n.json'], 'give the wallet that pays the fee with --payer'],
    ['only an address is known', [`--receiver=${WALLET}`], 'give the wallet that pays the fee with --payer'],
    [
      'the receiver is no address',
      ['--receiver=abc', '--payer=w.json'],
      'flag --receiver is "abc", but must be',
    ],
    [
      'the fee is no amount',
      ['--keypair=w.json', '--max-fee=much'],
      'flag --max-fee is "much": an amount must be',
    ],
    [
      'the RPC of a distant instance is missing',
      ['--keypair=w.json', '--url=https://x.example'],
      'with --rpc',
    ],
    [
      'the URL is none',
      ['--keypair=w.json', '--rpc=ftp://x.example', '--url=https://x.example'],
      'flag --rpc is "ftp://x.example", but must be an http or https URL',
    ],
  ])('refuses its flags if %s', async (_, flags, reason) => {
    const { code, out, err } = await run('send', 'claim', 'code', ...flags);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(reason);
  });

  it.each<[string, readonly string[], RegExp]>([
    ['is missing', ['--keypair=none.json'], /^the file of --keypair cannot be read: ENOENT/],
    [
      'holds no key',
      ['--keypair=other.json'],
      /^the file of --keypair, \S+other.json, holds no key: a keypair file/,
    ],
    [
      'of the payer holds no key',
      ['--keypair=w.json', '--payer=other.json'],
      /^the file of --payer, \S+ holds no key/,
    ],
    [
      'of the new wallet exists',
      ['--new=w.json', '--payer=w.json'],
      /w\.json exists already; choose another name/,
    ],
  ])('says that a keypair file %s', async (_, flags, reason) => {
    const { code, out, err } = await run('send', 'claim', 'code', ...flags);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(reason);
  });

  it('needs a code, which may also come from the input', async () => {
    for (const code of ['', 'x'.repeat(1_001)]) {
      const { err } = await runForTest(['send', 'claim', '-', '--keypair=w.json'], folder, {}, code);
      expect(err).toBe(`the code has ${code.length} characters, but must have 1 to 1000\n`);
    }
  });

  it('says how to reach a network, and writes no file of a new wallet before', async () => {
    const wallets = ['--new=n.json', '--payer=w.json'];
    const { code, err } = await run('send', 'claim', 'code', ...wallets, '--rpc-port=1');
    expect(code).toBe(1);
    expect(err).toMatch(
      /^http:\/\/127\.0\.0\.1:1 cannot be reached: .*; start an instance with sluice start, or/,
    );
    expect(readdirSync(folder).sort()).toEqual(['other.json', 'w.json']);
  });
});

const { address: WALLET } = createTestKey(1);

function setUp(): void {
  writeFileSync(join(folder, 'w.json'), encodeKeypairFile(createTestKey(1)));
  writeFileSync(join(folder, 'other.json'), '{}');
}

function run(...args: readonly string[]) {
  return runForTest(args, folder);
}
