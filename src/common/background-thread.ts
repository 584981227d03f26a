import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** At so much more niceness a thread gets a third of what another one gets: it falls behind, but never stands still. */
export const BACKGROUND_NICENESS = 5;
const MAX_NICENESS = 19;

/**
 * Makes this thread give way to the process's other threads where there are fewer cores than threads that have work. Only
 * Linux has priorities for threads; elsewhere nothing is changed.
 */
export function giveWayToOtherThreads(): void {
  if (process.platform !== 'linux') return;
  try {
    // The link is `<process>/task/<thread>`.
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, Math.min(getPriority(thread) + BACKGROUND_NICENESS, MAX_NICENESS));
  } catch {
    // Without /proc, as in some sandboxes, the thread keeps its priority.
  }
}
