import { repeatEvery as everyOfSystem, type Timers } from './timers.ts';

/** A clock that counts how long this process has run, without pauses. */
export interface RunningTime {
  /** Milliseconds since an arbitrary moment. */
  readonly now: () => number;
  readonly stop: () => void;
}

export interface RunningTimeOptions {
  /** A monotonic clock in milliseconds. Default: `performance.now`. */
  readonly stopwatch?: () => number;
  /** Calls `work` every `milliseconds` until the returned function is called. Default: the system's interval timer. */
  readonly every?: (milliseconds: number, work: () => void) => () => void;
}

const TICK_MS = 100;
/** Timers are always a few milliseconds late, which is not a pause. */
const MIN_STALL_MS = 25;
/** After a pause, data that is waiting in sockets is read and decoded within this time. */
const READ_WITHIN_MS = 250;
/** The time by which timers may fire early, as measured by this clock. */
const TOLERANCE_MS = 5;

/**
 * Measures how long this process has run. A garbage collection, a debugger, a stop signal or a frozen container delays a
 * tick, and the delay is not counted.
 */
export function openRunningTime({
  stopwatch = () => performance.now(),
  every = everyOfSystem,
}: RunningTimeOptions = {}): RunningTime {
  let lastTick = stopwatch();
  let stalled = 0;
  const stallUntil = (at: number) => {
    const late = at - lastTick - TICK_MS;
    return late < MIN_STALL_MS ? 0 : late;
  };
  const stop = every(TICK_MS, () => {
    const at = stopwatch();
    stalled += stallUntil(at);
    lastTick = at;
  });
  return {
    now: () => {
      const at = stopwatch();
      return at - stalled - stallUntil(at);
    },
    stop,
  };
}

/**
 * Returns timers for deadlines of other parties. After a pause of this process, ordinary timers fire before it reads the
 * data that its sockets received in time. These timers only count time in which the process ran, and give it time to
 * read that data first.
 *
 * @param timers - The timers to build on.
 * @param running - A clock of `openRunningTime`.
 *
 * @example
 * ```ts
 * import { createFairTimers, openRunningTime } from './running-time.ts';
 * import { SYSTEM_TIMERS } from './timers.ts';
 *
 * const running = openRunningTime();
 * const cancel = createFairTimers(SYSTEM_TIMERS, running).after(10_000, () => console.log('the maker did not answer'));
 * cancel();
 * running.stop();
 * ```
 */
export function createFairTimers(timers: Timers, running: Pick<RunningTime, 'now'>): Timers {
  return {
    now: () => timers.now(),
    after: (delay, callback) => {
      const until = running.now() + delay;
      const wait = (ms: number): (() => void) =>
        timers.after(ms, () => {
          const left = until - running.now();
          if (left <= TOLERANCE_MS) callback();
          else cancel = wait(Math.max(left, READ_WITHIN_MS));
        });
      let cancel = wait(delay);
      return () => cancel();
    },
  };
}
