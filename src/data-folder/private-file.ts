import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { OperatorError } from '../operator-error.ts';

/** Readable by their owner alone: they hold keys. */
const MODE = 0o600;

/**
 * The text that a file holds; when there is none yet, `create` makes it.
 * @throws OperatorError when the file holds something that was not made so
 */
export function keepSecretText(path: string, create: () => string): string {
  if (!existsSync(path)) replacePrivateFile(path, `${create()}\n`);
  const text = readFileSync(path, 'utf8').trim();
  if (/^[\x21-\x7e]{16,200}$/.test(text)) return text;
  throw new OperatorError(
    `${path} holds ${text.length} characters, but a key is 16 to 200 visible ASCII characters; remove the file to get a new one`,
  );
}

/** Whoever reads meanwhile finds the old contents or the new ones, whole. */
export function replacePrivateFile(path: string, contents: string): void {
  const temporary = `${path}.new`;
  writeFileSync(temporary, contents, { mode: MODE });
  renameSync(temporary, path);
}
