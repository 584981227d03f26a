import { readFileSync } from 'node:fs';

const BYTE_ORDER_MARK = '\ufeff';

/** Removes the mark that some editors put before a text in UTF-8. */
export function removeByteOrderMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/**
 * Reads a file that a person may have edited.
 *
 * @throws Error of the file system when it cannot be read.
 */
export function readTextFile(path: string): string {
  return removeByteOrderMark(readFileSync(path, 'utf8'));
}
