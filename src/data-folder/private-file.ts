import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { OperatorError } from '../common/operator-error.ts';

/** Readable by their owner alone: they hold keys. */
const MODE = 0o600;

/**
 * The text that a file holds; when there is none yet, `create` makes it.
 * @param remedy what the message advises when the file is damaged
 * @throws OperatorError when the file holds something that was not made so
 */
export function keepSecretText(
  path: string,
  create: () => string,
  remedy = 'remove the file to get a new one',
): string {
  if (!existsSync(path)) replacePrivateFile(path, `${create()}\n`);
  const text = readFileSync(path, 'utf8').trim();
  if (/^[\x21-\x7e]{16,200}$/.test(text)) return text;
  throw new OperatorError(
    `${path} holds ${text.length} characters, but a key is 16 to 200 visible ASCII characters; ${remedy}`,
  );
}

/** Whoever reads meanwhile, or after a power failure, finds the old contents or the new ones, whole. */
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
