import { decodeBase64 } from '../../../../base/base64.ts';
import { isAddress } from '../../../../base/is-address.ts';

/**
 * Returns the wallet that a token of a sign-in is for, as its text says. Only the server can tell whether the token is valid.
 *
 * @returns null if the text is no such token
 */
export function findTokenWallet(token: string): string | null {
  const [, payload = ''] = token.split('.');
  const bytes = decodeBase64(toBase64(payload));
  if (bytes === null) return null;
  try {
    const { sub } = JSON.parse(new TextDecoder().decode(bytes)) as { readonly sub?: unknown };
    return typeof sub === 'string' && isAddress(sub) ? sub : null;
  } catch {
    return null;
  }
}

/** Tokens are written in the alphabet of addresses of pages, without the signs that fill up. */
function toBase64(text: string): string {
  const plain = text.replaceAll('-', '+').replaceAll('_', '/');
  return plain.padEnd(Math.ceil(plain.length / 4) * 4, '=');
}
