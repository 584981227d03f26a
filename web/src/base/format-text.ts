const SHOWN_LETTERS = 4;
/** All but line breaks, tabs, and the character that joins emoji to one. */
const INVISIBLE = /(?![\t\n\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Shortens an address or a signature to its ends. What a link of somebody else calls one may be any text. */
export function shortenAddress(address: string): string {
  if (address.length <= 2 * SHOWN_LETTERS + 3) return escapeInvisible(address);
  return escapeInvisible(`${address.slice(0, SHOWN_LETTERS)}…${address.slice(-SHOWN_LETTERS)}`);
}

/**
 * Writes characters that cannot be seen as escapes: control characters, and those that turn the direction of writing, which
 * could make a text look like another one. Line breaks and tabs stay.
 */
export function escapeInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, escapeCharacter);
}

/** Returns a name that anybody may have chosen, on one line, without characters that cannot be seen, and not longer than that. */
export function shortenName(name: string, length: number): string {
  const letters = [...name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim()];
  return letters.length > length ? `${letters.slice(0, length - 1).join('')}…` : letters.join('');
}

function escapeCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
