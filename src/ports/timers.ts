/** Where the time comes from; tests pass one that they move. */
export interface Timers {
  /** Unix milliseconds. */
  now(): number;
  /** Calls back once after `delay` milliseconds; returns the way to cancel. */
  after(delay: number, callback: () => void): () => void;
}

export const SYSTEM_TIMERS: Timers = {
  now: Date.now,
  after: (delay, callback) => {
    const timer = setTimeout(callback, delay);
    return () => clearTimeout(timer);
  },
};
