import type { Account } from '../chain/accounts.ts';
import type { Address } from '../solana/address.ts';

/** The name that clients know Meteora's bonding curves by. */
export const LAUNCHPAD = 'met-dbc';

/** Where the liquidity of a launch went when its curve was complete. */
export interface GraduatedPool {
  readonly pool: Address;
  /** The Unix second of the migration; null if the pool counts its time in slots. */
  readonly at: bigint | null;
}

/** What is known of a launched token. */
export interface LaunchFacts {
  readonly launchpad: string;
  /** The pool that its curve is. */
  readonly pool: Address;
  /** The Unix second of the launch; null if the curve counts its time in slots, or its configuration is not known. */
  readonly launchedAt: bigint | null;
  /** The configuration of a partner under which the token was launched. */
  readonly config: Address;
  /**
   * How much of the quote tokens that complete the curve it has raised, in percent. Null after the migration, and while the
   * configuration is not known.
   */
  readonly progress: number | null;
  /** Null before the migration, and while the pool is not known. */
  readonly graduated: GraduatedPool | null;
}

/** Launches by their tokens, as the index has them. Everything is answered from memory. */
export interface LaunchDirectory {
  /** Returns what is known of the launch of a mint; null if it was not launched on a curve. */
  readonly find: (mint: Address) => LaunchFacts | null;
  /**
   * Returns the wallet that signed the launch of a mint as its creator. Null for a mint that was not launched, and while the wallet is
   * not known: it is then read in the background. Who has the creator's rights now says nothing, because they can be handed to a
   * wallet that does not want them.
   */
  readonly creatorOf: (mint: Address) => Address | null;
  /** Returns how many launches are known that a wallet has signed as their creator. */
  readonly countOf: (creator: Address) => number;
}

/** A launch whose curve is complete, and whose liquidity has not migrated. */
export interface CompleteLaunch {
  readonly pool: Address;
  readonly config: Address;
  /** The token that was launched. */
  readonly mint: Address;
  /** What its curve has raised, in atoms of `quoteMint`. */
  readonly quoteReserve: bigint;
  /** Null while its configuration is not known. */
  readonly quoteMint: Address | null;
}

/** Returns whether the operator pays for the migration of a launch. */
export type PaysForLaunch = (launch: Pick<CompleteLaunch, 'config' | 'mint'>) => boolean;

/** Returns the last known state of an account, without asking the network; null if it is not known. */
export type ReadKnownAccount = (address: Address) => Account | null;
