import { every as everyOfSystem, type Timers } from './timers.ts';

/** How long this process has run, without the time in which it stood still. */
export interface RunningTime {
  /** Milliseconds since an arbitrary moment. */
  readonly now: () => number;
  readonly stop: () => void;
}

export interface RunningTimeOptions {
  /** Milliseconds that never go backwards. */
  readonly stopwatch?: () => number;
  /** Calls `work` every `milliseconds` until the returned function is called. Default: the system's. */
  readonly every?: (milliseconds: number, work: () => void) => () => void;
}

const TICK_MS = 100;
/** Timers are late by some milliseconds always. */
const MIN_STALL_MS = 25;
/** What lay in the sockets when the process went on is read and decoded within this time. */
const READ_WITHIN_MS = 250;
/** Timers may fire a little early by this clock. */
const TOLERANCE_MS = 5;

/**
 * Measures how long this process has run. A garbage collection, a debugger, a signal that stops the process, or a frozen
 * container makes a tick late, and what it is late by does not count.
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
 * Timers for deadlines of somebody else. When a process goes on after a pause, its timers fire before it reads what its
 * sockets have received meanwhile. These fire after the process has run for so long, and after it has read that.
 */
export function fairTimers(timers: Timers, running: Pick<RunningTime, 'now'>): Timers {
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
