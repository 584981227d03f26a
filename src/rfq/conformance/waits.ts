import type { Timers } from '../../common/ports/timers.ts';

const LOOK_EVERY_MS = 50;

/** Resolves to whether the condition came true within so many milliseconds. */
export async function until(timers: Timers, ms: number, condition: () => boolean): Promise<boolean> {
  const giveUpAt = timers.now() + ms;
  while (!condition()) {
    if (timers.now() >= giveUpAt) return false;
    await pause(timers, LOOK_EVERY_MS);
  }
  return true;
}

/** Resolves to null when the promise has not resolved within so many milliseconds. */
export async function within<T>(timers: Timers, ms: number, promise: Promise<T>): Promise<T | null> {
  let cancel = () => {};
  const over = new Promise<null>((resolve) => {
    cancel = timers.after(ms, () => resolve(null));
  });
  try {
    return await Promise.race([promise, over]);
  } finally {
    cancel();
  }
}

function pause(timers: Timers, ms: number): Promise<void> {
  return new Promise((resolve) => {
    timers.after(ms, resolve);
  });
}

/** Timers that can all be stopped: whoever waits for one then waits for ever, and keeps no process alive. */
export function stoppable(timers: Timers): { readonly timers: Timers; readonly stop: () => void } {
  const cancels = new Set<() => void>();
  let stopped = false;
  const after: Timers['after'] = (delay, callback) => {
    if (stopped) return () => {};
    const cancel = timers.after(delay, () => {
      cancels.delete(cancel);
      callback();
    });
    cancels.add(cancel);
    return () => {
      cancels.delete(cancel);
      cancel();
    };
  };
  const stop = () => {
    stopped = true;
    for (const cancel of cancels) cancel();
  };
  return { timers: { now: () => timers.now(), after }, stop };
}
