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

/** Calls `work` every so many milliseconds, for as long as something else keeps the process alive, or until it is stopped. */
export function every(milliseconds: number, work: () => void): () => void {
  const timer = setInterval(work, milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}

/** Resolves as `work` does, or with nothing when that takes longer; rejects as `work` does. */
export function within<T>(
  work: Promise<T>,
  milliseconds: number,
  timers: Pick<Timers, 'after'>,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = timers.after(Math.max(milliseconds, 0), () => resolve(undefined));
    work.finally(cancel).then(resolve, reject);
  });
}
