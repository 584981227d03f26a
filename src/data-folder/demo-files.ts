import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeKeypairFile, type Keypair } from '../solana/keypair.ts';
import { keepSecretText, replacePrivateFile } from './private-file.ts';
import { KEYPAIR_FILES, SECRET_TEXT_FILES } from './secret-files.ts';

/**
 * Writes a keypair file for Solana's own tools, a JSON array of 64 bytes.
 *
 * Returns its path.
 */
export function keepDemoWallet(dataDir: string, wallet: Keypair): string {
  return keepWallet(dataDir, KEYPAIR_FILES.demo, wallet);
}

function keepWallet(dataDir: string, name: string, wallet: Keypair): string {
  const path = join(dataDir, name);
  const contents = encodeKeypairFile(wallet);
  if (!existsSync(path) || readFileSync(path, 'utf8') !== contents) replacePrivateFile(path, contents);
  return path;
}

/**
 * Reads the demo maker's key, and writes its wallet as a keypair file.
 *
 * @param create - Makes the key at the first start.
 */
export function keepDemoMaker(
  dataDir: string,
  wallet: Keypair,
  create: () => string,
): { readonly key: string; readonly walletFile: string } {
  return {
    key: keepSecretText(join(dataDir, SECRET_TEXT_FILES.demoMakerKey), create),
    walletFile: keepWallet(dataDir, KEYPAIR_FILES.demoMaker, wallet),
  };
}

/**
 * Writes the wallet of the demo maker that is asked by webhook as a keypair file.
 *
 * Returns its path.
 */
export function keepWebhookMakerWallet(dataDir: string, wallet: Keypair): string {
  return keepWallet(dataDir, KEYPAIR_FILES.demoWebhookMaker, wallet);
}

/**
 * Writes the wallet of the liquidator as a keypair file.
 *
 * Returns its path.
 */
export function keepLiquidatorWallet(dataDir: string, wallet: Keypair): string {
  return keepWallet(dataDir, KEYPAIR_FILES.liquidator, wallet);
}

/**
 * Reads the demo API key of the folder.
 *
 * @param create - Makes the key at the first start.
 * @throws OperatorError when the file does not hold a key.
 */
export function keepDemoApiKey(
  dataDir: string,
  create: () => string,
): { readonly key: string; readonly path: string } {
  const path = join(dataDir, SECRET_TEXT_FILES.demoApiKey);
  return { key: keepSecretText(path, create), path };
}
