import { SYSTEM_TIMERS, type Timers } from '../../../common/ports/timers.ts';
import type { Bank } from '../ledger/bank.ts';

/** Monotonic timers: changing the system's clock neither skips nor repeats slots. */
export const MONOTONIC_TIMERS: Timers = { ...SYSTEM_TIMERS, now: () => performance.now() };

/**
 * Ends a slot every `slotMs`, whether or not the previous one is on the disk. After a pause, such as a laptop's sleep,
 * it continues without catching up.
 *
 * Returns a function that stops it.
 */
export function driveSlots(bank: Pick<Bank, 'advanceSlot'>, slotMs: number, timer: Timers): () => void {
  let due = timer.now() + slotMs;
  let cancel = timer.after(slotMs, tick);
  function tick(): void {
    // A failure to make the slot durable is reported by `unhealthy`.
    bank.advanceSlot().catch(() => {});
    const now = timer.now();
    due = due + slotMs > now ? due + slotMs : now + slotMs;
    cancel = timer.after(due - now, tick);
  }
  return () => cancel();
}
