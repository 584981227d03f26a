import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeKeypairFile, type Keypair } from '../solana/keypair.ts';
import { keepSecretText, replacePrivateFile } from './private-file.ts';

/** Writes a keypair file as Solana's own tools read it, a JSON array of 64 bytes; returns its path. */
export function keepDemoWallet(dataDir: string, wallet: Keypair): string {
  return keepWallet(dataDir, 'demo-wallet.json', wallet);
}

function keepWallet(dataDir: string, name: string, wallet: Keypair): string {
  const path = join(dataDir, name);
  const contents = encodeKeypairFile(wallet);
  if (!existsSync(path) || readFileSync(path, 'utf8') !== contents) replacePrivateFile(path, contents);
  return path;
}

/** The demo maker's key, which `create` makes at the first start, and its wallet as a keypair file. */
export function keepDemoMaker(
  dataDir: string,
  wallet: Keypair,
  create: () => string,
): { readonly key: string; readonly walletFile: string } {
  return {
    key: keepSecretText(join(dataDir, 'demo-maker-key'), create),
    walletFile: keepWallet(dataDir, 'demo-maker-wallet.json', wallet),
  };
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
