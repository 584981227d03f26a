import type { KnownTokens } from './known-tokens.ts';
import { shortenAddress } from '../base/format-text.ts';

/** Returns the symbol of a token. One that nobody has verified has its address too, since anybody may take the symbol of another one. */
export function labelToken(tokens: KnownTokens, mint: string): string {
  const token = tokens.find(mint);
  if (token === null) return shortenAddress(mint);
  return token.isVerified ? token.symbol : `${token.symbol} ${shortenAddress(mint)}`;
}
