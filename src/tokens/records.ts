import type { Account } from '../chain/accounts.ts';
import type { Address } from '../solana/address.ts';
import type { Searchable } from './search/text-index.ts';
import type { MintFacts } from '../market/mint-facts.ts';
import type { HolderHistory } from './holders/holder-history.ts';
import type { OrganicSignals } from './ranking/organic-score.ts';
import type { FirstPool, Holders, TokenText } from './facts/token.ts';

/** What is kept of a token in memory. Only the catalogue and its refresher change it. */
export interface TokenRecord extends Searchable {
  readonly mint: Address;
  /** The account that `facts` was read from. */
  account: Account;
  facts: MintFacts;
  /** The text that the chain has; null without metadata. */
  text: TokenText | null;
  /** The text that is shown and searched: the operator's, the list's, or the chain's. */
  name: string;
  symbol: string;
  /** Unix milliseconds. */
  readAt: number;
  firstPool: FirstPool | null;
  /** The wallet that created the mint; null if it is not known. */
  creator: Address | null;
  /** How often the creator is still looked for: the transaction of a new mint may not be confirmed yet. */
  creatorTries: number;
  holders: Holders | null;
  /** Empty where the network has no index of holders. */
  readonly holderHistory: HolderHistory;
  signals: OrganicSignals | null;
  score: number;
  rank: number;
}

const MAX_LIQUIDITY_RANK = 1e7;

/** Returns a number that orders by verification, then by organic score, then by liquidity in dollars. */
export function computeTokenRank(isVerified: boolean, score: number, liquidity: number): number {
  const liquidityRank = Math.min(Math.log10(1 + Math.max(liquidity, 0)) * 1e5, MAX_LIQUIDITY_RANK - 1);
  return (isVerified ? 1e13 : 0) + Math.round(score * 100) * MAX_LIQUIDITY_RANK + liquidityRank;
}
