/** Texts that a shell reads as they are, without quotes. */
const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/**
 * Quotes a text as one word of a POSIX shell, whatever is in it. A NUL character cannot be in a word, and is left out.
 *
 * @example
 * ```ts
 * import { toShellWord } from './shell-word.ts';
 *
 * toShellWord("it's $(date)"); // `'it'\''s $(date)'`
 * ```
 */
export function toShellWord(text: string): string {
  const word = text.replaceAll('\0', '');
  // An equals sign would make the first word an assignment, and zsh expands one at the beginning of any word.
  if (PLAIN.test(word) && !word.includes('=')) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
