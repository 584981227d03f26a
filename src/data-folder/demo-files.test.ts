import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createKeypairFromSeed } from '../solana/keypair.ts';
import { keepDemoApiKey, keepDemoWallet } from './demo-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-demo-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('keepDemoWallet writes a keypair file that only the owner can read', async () => {
  const wallet = createKeypairFromSeed(new Uint8Array(32).fill(7));
  const path = keepDemoWallet(folder, wallet);
  const bytes = Uint8Array.from(JSON.parse(readFileSync(path, 'utf8')));
  expect((await createKeyPairSignerFromBytes(bytes)).address).toBe(wallet.address);
  expect(modeOf(path)).toBe(0o600);
});

it('keepDemoWallet replaces the wallet when the seed was changed', () => {
  const path = keepDemoWallet(folder, createKeypairFromSeed(new Uint8Array(32).fill(7)));
  const other = createKeypairFromSeed(new Uint8Array(32).fill(8));
  keepDemoWallet(folder, other);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual([...other.secretKey]);
});

it('keepDemoApiKey creates the key once', () => {
  const first = keepDemoApiKey(folder, () => 'jup_0123456789abcdef');
  expect(first.key).toBe('jup_0123456789abcdef');
  expect(modeOf(first.path)).toBe(0o600);
  const again = keepDemoApiKey(folder, () => {
    throw new Error('made a second time');
  });
  expect(again).toEqual(first);
});

it.each(['', 'short', 'jup_0123456789\nabcdef', 'x'.repeat(201), 'jup_0123456789 abcdef'])(
  'keepDemoApiKey refuses a file that holds %j',
  (text) => {
    writeFileSync(join(folder, 'demo-api-key'), text);
    expect(() => keepDemoApiKey(folder, () => 'unused')).toThrow(
      /demo-api-key holds \d+ characters, but a key is/,
    );
  },
);

const modeOf = (path: string) => statSync(path).mode & 0o777;
