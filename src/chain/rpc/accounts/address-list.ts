import { readFileSync, statSync } from 'node:fs';
import { OperatorError } from '../../../common/operator-error.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { type Address, parseAddress } from '../../../solana/address.ts';

/** Enough for more than a hundred thousand addresses. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/**
 * Reads a list of addresses from a setting.
 *
 * @param texts - Each is an address, or the path of a file with one address per line. Empty lines and lines that begin
 *   with `#` are ignored.
 * @param setting - The name of the setting, for messages.
 * @returns The addresses in order, without duplicates.
 * @throws OperatorError when a text is neither an address nor a readable file, or a line is not an address.
 */
export function readAddressList(texts: readonly string[], setting: string): Address[] {
  return [...new Set(texts.flatMap((text) => parseAddress(text) ?? addressesIn(text, setting)))];
}

function addressesIn(path: string, setting: string): Address[] {
  const lines = readListFile(path, setting).split('\n');
  return lines.flatMap((line, index) => {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) return [];
    const address = parseAddress(text);
    if (address !== null) return address;
    throw new OperatorError(
      `${setting}: line ${index + 1} of ${path} is ${formatForError(text)}, but must be a base58 address of 32 bytes`,
    );
  });
}

function readListFile(path: string, setting: string): string {
  try {
    const { size } = statSync(path);
    if (size <= MAX_FILE_BYTES) return readFileSync(path, 'utf8');
    throw new OperatorError(`${setting}: ${path} has ${size} bytes; allowed are ${MAX_FILE_BYTES}`);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${setting}: ${path} is no address, and no file that can be read: ${reason}`);
  }
}
