import type { Chain } from '../chain/chain.ts';

/** A difference of the two clocks by no more than this, and by what a slot takes, is none. */
const TOLERANCE_MS = 3_000;
/** Times that are further ahead cannot be written as dates. */
const MAX_LEAD_MS = 100 * 365 * 86_400_000;

/**
 * Returns a function that returns how many milliseconds the clock of the embedded network is ahead of this machine's, in whole
 * seconds. That is what a user has put it forward by. The network's clock runs in steps of a slot and says whole seconds, so that
 * the answer stays as it is until the clocks differ by a few seconds more or less.
 *
 * @param slotMs - How long a slot takes.
 */
export function createNetworkLead(
  chain: Pick<Chain, 'clock'>,
  slotMs: number,
  now: () => number = Date.now,
): () => number {
  let lead = 0;
  return () => {
    const ahead = Number(chain.clock().unixTimestamp) * 1_000 - now();
    if (Math.abs(ahead - lead) <= TOLERANCE_MS + slotMs) return lead;
    lead = Math.min(Math.max(0, Math.ceil(ahead / 1_000) * 1_000), MAX_LEAD_MS);
    return lead;
  };
}
