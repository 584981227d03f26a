import type { Address } from '../solana/address.ts';
import type { TokenDetails } from './token.ts';

/** What the operator decided about a mint. A mint without a decision is as the list of known tokens says. */
export interface Standing {
  /** `listed` leaves it to the list, and `unverified` takes back what the list says. A banned token is never answered. */
  readonly level: 'verified' | 'unverified' | 'banned' | 'listed';
  /** Further tags, such as `lst` or `stocks`. */
  readonly tags: readonly string[];
  readonly details: TokenDetails;
}

/** The operator's decisions, in memory. */
export interface Standings {
  of(mint: Address): Standing | null;
  /** All mints with a decision. */
  mints(): Iterable<Address>;
  /** @returns a function that removes the listener */
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

/** Whether the operator, or else the list, says that the token is what its name says. */
export function isVerified(listed: ListedToken | null, standing: Standing | null): boolean {
  const { level } = standing ?? { level: 'listed' };
  return level === 'listed' ? listed?.tags.includes('verified') === true : level === 'verified';
}

/** @returns the tags of a token, `verified` first */
export function tagsOf(listed: ListedToken | null, standing: Standing | null): readonly string[] {
  const tags = new Set([...(listed?.tags ?? []), ...(standing?.tags ?? [])]);
  tags.delete('verified');
  return isVerified(listed, standing) ? ['verified', ...tags] : [...tags];
}
