import { ChainUnavailable, type RecentBlockhash } from './chain.ts';

/** A blockhash can be used in blocks up to this much higher than the block that it ended. */
export const MAX_BLOCKHASH_AGE = 150n;

/** The blockhashes that were heard of and can be used still. */
export class RecentBlockhashes {
  /** Oldest first. */
  #known: RecentBlockhash[] = [];

  /** Passes over one that is not newer than what is known; whether it is. */
  add(blockhash: RecentBlockhash, height: bigint): boolean {
    this.#known = this.#known.filter((known) => known.lastValidBlockHeight >= height);
    const newest = this.#known.at(-1);
    if (newest !== undefined && newest.lastValidBlockHeight >= blockhash.lastValidBlockHeight) return false;
    this.#known.push(blockhash);
    return true;
  }

  /** See `Chain.recentBlockhash`. While there is none that old, the oldest there is. */
  pick(slotsToExpiry: number, height: bigint): RecentBlockhash {
    const expiresBy = height + BigInt(Math.min(slotsToExpiry, Number(MAX_BLOCKHASH_AGE)));
    const found = this.#known.findLast((known) => known.lastValidBlockHeight <= expiresBy);
    const blockhash = found ?? this.#known[0];
    if (blockhash === undefined) throw new ChainUnavailable('the network has told no blockhash yet');
    return blockhash;
  }
}
