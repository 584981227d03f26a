import { runAs } from '../party.ts';

/** The port for time. Tests pass timers that they move themselves. */
export interface Timers {
  /** Returns the time in Unix milliseconds, or in milliseconds of a monotonic clock where only durations matter. */
  now(): number;
  /** Calls `callback` once after `delay` milliseconds. Returns a function that cancels it. */
  after(delay: number, callback: () => void): () => void;
}

/** What they call is Sluice's own work, because a loop that a request has started outlives it: see `runAs`. */
export const SYSTEM_TIMERS: Timers = {
  now: Date.now,
  after: (delay, callback) => {
    const timer = setTimeout(() => runAs('own', callback), delay);
    return () => clearTimeout(timer);
  },
};

/** Calls `work` at an interval, until the returned function is called. */
export type RepeatEvery = (milliseconds: number, work: () => void) => () => void;

/**
 * Calls `work` at an interval. The timer does not keep the process alive.
 *
 * Returns a function that stops it.
 */
export function repeatEvery(milliseconds: number, work: () => void): () => void {
  const timer = setInterval(() => runAs('own', work), milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Runs `work` again and again, with a pause before each run, so that no two runs overlap.
 *
 * @param onError - Called when a run has failed. The next run comes all the same.
 * @returns A function after which no run begins.
 */
export function repeatWithPauses(
  pauseMs: number,
  work: () => Promise<void>,
  timers: Pick<Timers, 'after'>,
  onError: (error: unknown) => void,
): () => void {
  let isStopped = false;
  let cancel = () => {};
  const runLater = () => {
    if (isStopped) return;
    cancel = timers.after(pauseMs, () => {
      work().catch(onError).finally(runLater);
    });
  };
  runLater();
  return () => {
    isStopped = true;
    cancel();
  };
}

/**
 * Runs `work` now, and then again and again as `repeatWithPauses` does. No second run begins while the first one is not over.
 *
 * Returns `first`, which resolves when the first run is over, and a function after which no run begins.
 */
export function repeatFromNow(
  pauseMs: number,
  work: () => Promise<void>,
  timers: Pick<Timers, 'after'>,
  onError: (error: unknown) => void,
): { readonly first: Promise<void>; readonly stop: () => void } {
  let isStopped = false;
  let stopRepeating = () => {};
  const first = work()
    .catch(onError)
    .then(() => {
      if (!isStopped) stopRepeating = repeatWithPauses(pauseMs, work, timers, onError);
    });
  const stop = () => {
    isStopped = true;
    stopRepeating();
  };
  return { first, stop };
}

/** Resolves after so many milliseconds. */
export function wait(milliseconds: number, timers: Pick<Timers, 'after'>): Promise<void> {
  return new Promise((resolve) => {
    timers.after(milliseconds, resolve);
  });
}

/**
 * Limits the time of waiting for a promise.
 *
 * Returns the result of `work`, or undefined when it takes longer than `milliseconds`. Rejects when `work` does.
 *
 * @example
 * ```ts
 * import { SYSTEM_TIMERS, waitWithin } from './timers.ts';
 *
 * const answer = await waitWithin(Promise.resolve('ready'), 500, SYSTEM_TIMERS);
 * if (answer === undefined) throw new Error('too late');
 * ```
 */
export function waitWithin<T>(
  work: Promise<T>,
  milliseconds: number,
  timers: Pick<Timers, 'after'>,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = timers.after(Math.max(milliseconds, 0), () => resolve(undefined));
    work.finally(cancel).then(resolve, reject);
  });
}
