import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeKeypairFile, type Keypair } from '../solana/keypair.ts';
import { keepSecretText, replacePrivateFile } from './private-file.ts';

/** Writes a keypair file as Solana's own tools read it, a JSON array of 64 bytes; returns its path. */
export function keepDemoWallet(dataDir: string, wallet: Keypair): string {
  const path = join(dataDir, 'demo-wallet.json');
  const contents = encodeKeypairFile(wallet);
  if (!existsSync(path) || readFileSync(path, 'utf8') !== contents) replacePrivateFile(path, contents);
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
  return { key: keepSecretText(path, create), path };
}
