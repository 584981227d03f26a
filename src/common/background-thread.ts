import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** The nice value that is added. With 5 more, a thread gets a third of the processor time of another one, but never none. */
export const BACKGROUND_NICENESS = 5;
const MAX_NICENESS = 19;

/**
 * Lowers the priority of this thread, so that the other threads of the process run first when there are fewer cores than
 * busy threads. It only has an effect on Linux, where each thread has a priority of its own.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    // The target of the link is `<process>/task/<thread>`.
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, Math.min(getPriority(thread) + BACKGROUND_NICENESS, MAX_NICENESS));
  } catch {
    // Without /proc, as in some sandboxes, the thread keeps its priority.
  }
}
