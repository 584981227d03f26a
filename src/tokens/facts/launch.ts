import type { Address } from '../../solana/address.ts';

/** What is known of a token that was launched on a bonding curve. */
export interface TokenLaunch {
  /** The name that clients know the launchpad by. */
  readonly launchpad: string;
  /** The pool that its curve is. */
  readonly pool: Address;
  /** Unix second; null if it is not known. */
  readonly launchedAt: bigint | null;
  /** The launchpad's configuration under which the token was launched. */
  readonly config: Address;
  /** How much of its goal the curve has raised, in percent. Null once its liquidity has migrated, and if it is not known. */
  readonly progress: number | null;
  /** The pool that the liquidity has migrated to. Null before that, and if it is not known. */
  readonly graduated: {
    readonly pool: Address;
    /** Unix second; null if the pool does not state it. */
    readonly at: bigint | null;
  } | null;
}

/** The launches of the network. It answers from memory. */
export interface TokenLaunches {
  /** Returns what is known of the launch of a mint; null if it was not launched. */
  readonly find: (mint: Address) => TokenLaunch | null;
  /** Returns the wallet that signed the launch of a mint as its creator; null if it is not known. */
  readonly creatorOf: (mint: Address) => Address | null;
  /** Returns how many launches are known that a wallet has signed. */
  readonly countOf: (creator: Address) => number;
}
