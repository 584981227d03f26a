import type { Bank } from '../ledger/bank.ts';

/** Where the time comes from; tests pass one that they move. */
export interface TimerSource {
  /** Milliseconds that only rise. */
  now(): number;
  /** Calls back once after `delay` milliseconds; returns the way to cancel. */
  after(delay: number, callback: () => void): () => void;
}

export const SYSTEM_TIMER: TimerSource = {
  now: () => performance.now(),
  after: (delay, callback) => {
    const timer = setTimeout(callback, delay);
    return () => clearTimeout(timer);
  },
};

/**
 * Ends a slot every `slotMs`, whether or not the disk has taken in the one before. After a pause (a laptop that slept)
 * it goes on from there and does not make up for what it missed. Returns the way to stop.
 */
export function driveSlots(bank: Pick<Bank, 'advanceSlot'>, slotMs: number, timer: TimerSource): () => void {
  let due = timer.now() + slotMs;
  let cancel = timer.after(slotMs, tick);
  function tick(): void {
    // What goes wrong while a slot becomes durable is reported by `unhealthy`.
    bank.advanceSlot().catch(() => {});
    const now = timer.now();
    due = due + slotMs > now ? due + slotMs : now + slotMs;
    cancel = timer.after(due - now, tick);
  }
  return () => cancel();
}
