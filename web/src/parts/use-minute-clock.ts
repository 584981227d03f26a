import { useSyncExternalStore } from 'react';

const TICK_MS = 15_000;

/** One timer for all that shows how long ago something was, however many rows that are. */
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | null = null;

/** Returns the time of this machine in Unix milliseconds, read again every 15 seconds. */
export function useMinuteClock(): number {
  return useSyncExternalStore(watchClock, readClock);
}

function watchClock(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tickClock, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

/** The clock may have stood while nothing watched it. */
function readClock(): number {
  const current = Date.now();
  if (Math.abs(current - now) >= TICK_MS) now = current;
  return now;
}

function tickClock(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}
