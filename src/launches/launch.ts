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
  /** The wallet that has the creator's rights. */
  readonly creator: Address;
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
  /** Returns how many launches a wallet has created, as far as it still has the creator's rights. */
  readonly countOf: (creator: Address) => number;
}

/** A launch whose curve is complete, and whose liquidity has not migrated. */
export interface CompleteLaunch {
  readonly pool: Address;
  readonly config: Address;
  /** The token that was launched. */
  readonly mint: Address;
}

/** Returns whether the operator pays for the migration of a launch. */
export type PaysForLaunch = (launch: Pick<CompleteLaunch, 'config' | 'mint'>) => boolean;

/** Returns the last known state of an account, without asking the network; null if it is not known. */
export type ReadKnownAccount = (address: Address) => Account | null;
