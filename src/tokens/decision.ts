import type { Address } from '../solana/address.ts';
import type { TokenDetails } from './facts/token.ts';

/** What the operator decided about a token. Without a decision, the list of known tokens applies. */
export interface TokenDecision {
  /**
   * Whether the token is verified. `listed`: the list of known tokens says. `unverified`: it is not, although the list may
   * say so. A banned token is in no answer.
   */
  readonly level: 'verified' | 'unverified' | 'banned' | 'listed';
  /** More tags, such as `lst` or `stocks`. */
  readonly tags: readonly string[];
  readonly details: TokenDetails;
}

/** The operator's decisions about tokens, in memory. */
export interface TokenDecisions {
  of(mint: Address): TokenDecision | null;
  /** All mints with a decision. */
  mints(): Iterable<Address>;
  /** Returns a function that removes the listener. */
  onChange(listener: (mint: Address) => void): () => void;
}

/** A token that the list of known tokens vouches for. */
export interface ListedToken {
  readonly mint: Address;
  readonly name: string;
  readonly symbol: string;
  readonly logoURI: string;
  readonly tags: readonly string[];
}

/** Returns whether the operator, or else the list, says that the token is what its name says. */
export function isVerified(listed: ListedToken | null, decision: TokenDecision | null): boolean {
  const { level } = decision ?? { level: 'listed' };
  return level === 'listed' ? listed?.tags.includes('verified') === true : level === 'verified';
}

/** Returns the tags of a token, `verified` first. */
export function listTokenTags(listed: ListedToken | null, decision: TokenDecision | null): readonly string[] {
  const tags = new Set([...(listed?.tags ?? []), ...(decision?.tags ?? [])]);
  tags.delete('verified');
  return isVerified(listed, decision) ? ['verified', ...tags] : [...tags];
}
