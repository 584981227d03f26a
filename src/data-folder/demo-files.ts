import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../operator-error.ts';
import type { Keypair } from '../solana/keypair.ts';

/** Readable by their owner alone: both are keys. */
const MODE = 0o600;

/** Writes a keypair file as Solana's own tools read it, a JSON array of 64 bytes; returns its path. */
export function keepDemoWallet(dataDir: string, wallet: Keypair): string {
  const path = join(dataDir, 'demo-wallet.json');
  const contents = JSON.stringify([...wallet.secretKey]);
  if (!existsSync(path) || readFileSync(path, 'utf8') !== contents) replaceFile(path, contents);
  return path;
}

/**
 * The key that the folder holds; at the first start, `create` makes it.
 * @throws OperatorError when what the folder holds cannot be sent in a header
 */
export function keepDemoApiKey(
  dataDir: string,
  create: () => string,
): { readonly key: string; readonly path: string } {
  const path = join(dataDir, 'demo-api-key');
  if (!existsSync(path)) replaceFile(path, `${create()}\n`);
  const key = readFileSync(path, 'utf8').trim();
  if (/^[\x21-\x7e]{16,200}$/.test(key)) return { key, path };
  throw new OperatorError(
    `${path} holds ${key.length} characters, but a key is 16 to 200 visible ASCII characters; remove the file to get a new one`,
  );
}

function replaceFile(path: string, contents: string): void {
  const temporary = `${path}.new`;
  writeFileSync(temporary, contents, { mode: MODE });
  renameSync(temporary, path);
}
