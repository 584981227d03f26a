const DAY_SECONDS = 86_400n;

/** How many entries one step removes, so that it does not delay what is recorded and listed. */
export const REMOVED_IN_ONE_STEP = 200;

/** What is removed from a history by its age. */
export interface HistoryRemovalOptions {
  /** The genesis hash. Other networks in the same database have other clocks. */
  readonly network: string;
  /** The Unix second by the network's clock, as the times of entries are. */
  readonly now: bigint;
  /** Days for which entries are kept after they have ended. 0 keeps them for ever. */
  readonly historyDays: number;
  /** Called before each step; when it returns true, the rest is left to the next call. */
  readonly isStopped: () => boolean;
}

/**
 * Removes what is older than a history is kept, step by step.
 *
 * @param removeSome - Removes up to `REMOVED_IN_ONE_STEP` entries from before a Unix second, and resolves to how many.
 */
export async function removeOldEntries(
  { now, historyDays, isStopped }: Omit<HistoryRemovalOptions, 'network'>,
  removeSome: (before: number) => Promise<number>,
): Promise<void> {
  if (historyDays === 0) return;
  const before = Number(now - BigInt(historyDays) * DAY_SECONDS);
  let removed = REMOVED_IN_ONE_STEP;
  while (removed === REMOVED_IN_ONE_STEP && !isStopped()) removed = await removeSome(before);
}
