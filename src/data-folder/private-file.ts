import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../common/files/durable-file.ts';
import { OperatorError } from '../common/operator-error.ts';

/** The permissions of files with secrets, which only their owner may read. */
const MODE = 0o600;

/**
 * Reads a secret from a file.
 *
 * @param create - Generates the secret when there is no file yet.
 * @param remedy - The advice in the error message when the file is damaged.
 * @throws OperatorError when the file does not hold 16 to 200 visible ASCII characters.
 */
export function keepSecretText(
  path: string,
  create: () => string,
  remedy = 'remove the file to get a new one',
): string {
  if (!existsSync(path)) replacePrivateFile(path, `${create()}\n`);
  const text = readFileSync(path, 'utf8').trim();
  if (isSecretText(text)) return text;
  throw new OperatorError(
    `${path} holds ${text.length} characters, but a key is 16 to 200 visible ASCII characters; ${remedy}`,
  );
}

/** Whether a text, without white space around it, can be a secret: it is 16 to 200 visible ASCII characters. */
export function isSecretText(text: string): boolean {
  return /^[\x21-\x7e]{16,200}$/.test(text);
}

/** Replaces a file atomically: a reader, or the next start after a power failure, finds the old contents or the new ones. */
export function replacePrivateFile(path: string, contents: string): void {
  const temporary = `${path}.new`;
  const descriptor = openSync(temporary, 'w', MODE);
  try {
    writeFileSync(descriptor, contents);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, path);
}

/**
 * Writes a file that does not exist yet, such as one with a key for Solana's tools. It is durable when this resolves.
 *
 * @throws The error of the file system, also when the file exists.
 */
export async function writeNewPrivateFile(path: string, contents: string): Promise<void> {
  const handle = await open(path, 'wx', MODE);
  try {
    await handle.writeFile(contents);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncFolder(dirname(path));
}
