import type { Chain } from '../../chain/chain.ts';
import { repeatWithPauses, type Timers } from '../../common/ports/timers.ts';
import { isMintOnChain } from './landed-launches.ts';
import type { StudioLaunches } from './studio-launches.ts';

export interface LaunchSweepOptions {
  readonly chain: Pick<Chain, 'getAccounts' | 'blockHeight'>;
  readonly launches: StudioLaunches;
  readonly timers: Timers;
  /** Called when a sweep failed. The next one tries again. */
  readonly onDefect: (error: unknown) => void;
}

const PAUSE_MS = 10 * 60_000;
/** After that, nobody waits for the answer of a submission any more. */
const OPEN_MS = 10 * 60_000;
/** How many launches a sweep looks at. */
const MAX_SWEPT = 200;

/**
 * Finds out, every ten minutes, what became of launches whose submission was not answered, and forgets those that did not land.
 * Returns a function that ends it.
 */
export function openLaunchSweep(options: LaunchSweepOptions): () => void {
  return repeatWithPauses(PAUSE_MS, () => sweepLaunches(options), options.timers, options.onDefect);
}

/** Finds out what became of launches whose submission was not answered. */
export async function sweepLaunches({
  chain,
  launches,
  timers,
}: Omit<LaunchSweepOptions, 'onDefect'>): Promise<void> {
  for (const { mint, lastValidBlockHeight } of await launches.listOpen(timers.now() - OPEN_MS, MAX_SWEPT)) {
    // Read before the account, so that what is not there then cannot land any more.
    const isOver = chain.blockHeight('finalized') > lastValidBlockHeight;
    if (await isMintOnChain(chain, mint)) await launches.noteLanded(mint, timers.now());
    else if (isOver) await launches.remove(mint);
  }
}
