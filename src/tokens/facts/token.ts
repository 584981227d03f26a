import type { MintFacts } from '../../market/mint-facts.ts';
import type { TokenPrice } from '../../market-data/market-data.ts';
import type { WindowName, WindowStats } from '../../market-data/trades/trade.ts';
import type { Address } from '../../solana/address.ts';
import type { TokenLaunch } from './launch.ts';

/** Text that was written by the creator of a mint, or submitted for it. For display only. */
export interface TokenText {
  readonly name: string;
  readonly symbol: string;
}

/** Links and further details that an operator has approved. All are bounded and validated texts. */
export interface TokenDetails {
  readonly icon?: string;
  readonly name?: string;
  readonly symbol?: string;
  readonly website?: string;
  readonly telegram?: string;
  readonly twitter?: string;
  readonly discord?: string;
  readonly instagram?: string;
  readonly tiktok?: string;
  readonly otherUrl?: string;
  /** Whole tokens. */
  readonly circulatingSupply?: number;
}

/** The oldest pool of a mint that is known. */
export interface FirstPool {
  readonly address: Address;
  /** Unix milliseconds; null if the pool does not state it and its creation was not seen. */
  readonly createdAt: number | null;
}

/** How many atoms of a mint there are. */
export interface TokenSupply {
  readonly total: bigint;
  /** As far as the network can tell; the operator may know that fewer circulate. */
  readonly circulating: bigint;
}

/** Who holds a mint. */
export interface Holders {
  /** Owners with a balance. */
  readonly count: number;
  /** The part of the supply, in percent, that the ten largest owners hold; null if the mint does not count its supply. */
  readonly topPercentage: number | null;
  /** The part of the supply, in percent, that the creator holds; null if the creator or the supply is not known. */
  readonly creatorPercentage: number | null;
}

export type OrganicLabel = 'high' | 'medium' | 'low';

/** Everything that is known about a token at one moment. What is not known is null. */
export interface Token {
  readonly mint: Address;
  readonly facts: MintFacts;
  readonly name: string;
  readonly symbol: string;
  readonly icon: string | null;
  readonly details: TokenDetails;
  readonly firstPool: FirstPool | null;
  /** Of wrapped SOL, all lamports: its mint does not count what is wrapped. Null if the network has not told them. */
  readonly supply: TokenSupply | null;
  readonly price: TokenPrice | null;
  readonly stats: Readonly<Record<WindowName, WindowStats | null>>;
  /** The wallet that created the mint, and of a launched token the one that signed the launch; null if it is not known. */
  readonly creator: Address | null;
  /** How many of the tokens that are known `creator` has created; null if that is not known. */
  readonly creatorMints: number | null;
  /** Null for a token that was not launched on a bonding curve. */
  readonly launch: TokenLaunch | null;
  /** Null where the network has no index of holders. */
  readonly holders: Holders | null;
  /** By how much the number of owners changed in each window, in percent; null where it is not known. */
  readonly holderChanges: Readonly<Record<WindowName, number | null>>;
  /** From 0 to 100. */
  readonly organicScore: number;
  readonly organicLabel: OrganicLabel;
  readonly isVerified: boolean;
  /** Whether it is not verified, and its symbol looks like that of a verified token. */
  readonly isImitation: boolean;
  readonly tags: readonly string[];
  /** Unix milliseconds at which its accounts were read last, or changed since. */
  readonly updatedAt: number;
}
