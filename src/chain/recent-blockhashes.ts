import { type Chain, ChainUnavailable, type RecentBlockhash } from './chain.ts';
import type { Address } from '../solana/address.ts';

/** The lifetime of a blockhash: blocks after the one that it ended in which it can be used. Test networks may have more. */
export const MAX_BLOCKHASH_AGE = 150n;

/** Blocks for which `getFinalizedBlockhash` is usable at least, however late the network finalizes. */
const MIN_LIFETIME = 75n;

/**
 * Returns the newest blockhash that nodes know at the commitment `finalized`. Nodes simulate a transaction at that
 * commitment before they send it, unless the sender asks for another one, and refuse a newer blockhash as not found.
 *
 * Returns a newer blockhash if the network finalizes so late that a finalized one would have expired soon.
 * @throws ChainUnavailable when no blockhash is known yet.
 *
 * @example
 * ```ts
 * import type { Chain } from './chain.ts';
 * import { getFinalizedBlockhash } from './recent-blockhashes.ts';
 *
 * function expiryOf(chain: Pick<Chain, 'blockHeight' | 'recentBlockhash'>): bigint {
 *   return getFinalizedBlockhash(chain).lastValidBlockHeight;
 * }
 * ```
 */
export function getFinalizedBlockhash(
  chain: Pick<Chain, 'blockHeight' | 'recentBlockhash'>,
): RecentBlockhash {
  const lifetime = MAX_BLOCKHASH_AGE - (chain.blockHeight('processed') - chain.blockHeight('finalized'));
  return chain.recentBlockhash(Number(lifetime > MIN_LIFETIME ? lifetime : MIN_LIFETIME));
}

/**
 * Returns for how many blocks a blockhash of this network can be used, at least 150. Where they live longer, the number is
 * too low by the age of the newest blockhash that is known.
 *
 * @throws ChainUnavailable when no blockhash is known yet.
 */
export function readBlockhashLifetime(chain: Pick<Chain, 'blockHeight' | 'recentBlockhash'>): bigint {
  const lifetime = chain.recentBlockhash().lastValidBlockHeight - chain.blockHeight('processed');
  return lifetime > MAX_BLOCKHASH_AGE ? lifetime : MAX_BLOCKHASH_AGE;
}

/** The known blockhashes that have not expired. */
export class RecentBlockhashes {
  /** Oldest first. */
  #known: RecentBlockhash[] = [];
  /** Blocks by which blockhashes of this network live longer than those of Solana's networks. */
  readonly #surplus: bigint;

  constructor(lifetime = MAX_BLOCKHASH_AGE) {
    this.#surplus = lifetime - MAX_BLOCKHASH_AGE;
  }

  /**
   * Adds a blockhash, and drops those that expired before block `height`.
   *
   * Returns false, without adding it, when the blockhash is not newer than the newest known one.
   */
  add(blockhash: RecentBlockhash, height: bigint): boolean {
    this.#known = this.#known.filter((known) => known.lastValidBlockHeight >= height);
    const newest = this.#known.at(-1);
    if (newest !== undefined && newest.lastValidBlockHeight >= blockhash.lastValidBlockHeight) return false;
    this.#known.push(blockhash);
    return true;
  }

  /** Implements `Chain.lastValidHeightOf`. */
  lastValidHeightOf(blockhash: Address): bigint | null {
    const known = this.#known.findLast((each) => each.blockhash === blockhash);
    return known?.lastValidBlockHeight ?? null;
  }

  /**
   * Implements `Chain.recentBlockhash` as of block `height`. While all known blockhashes are too new, it returns the oldest of
   * them. After a leap of the network, those from before it have expired or will soon. Therefore it prefers one that leaves at
   * least half of the blocks, and never returns one that has expired.
   *
   * @throws ChainUnavailable when no blockhash is known that can still be used.
   */
  pick(slotsToExpiry: number, height: bigint): RecentBlockhash {
    const slots = BigInt(Math.min(slotsToExpiry, Number(MAX_BLOCKHASH_AGE)));
    const expiresBy = height + slots + this.#surplus;
    const enough = height + slots / 2n;
    const lasting = this.#known.filter(({ lastValidBlockHeight }) => lastValidBlockHeight >= enough);
    const found = lasting.findLast((known) => known.lastValidBlockHeight <= expiresBy) ?? lasting[0];
    if (found !== undefined) return found;
    const newest = this.#known.at(-1);
    if (newest === undefined) throw new ChainUnavailable('the network has not reported a blockhash yet');
    if (newest.lastValidBlockHeight >= height) return newest;
    throw new ChainUnavailable('the network has leapt ahead and not reported a blockhash since');
  }
}
