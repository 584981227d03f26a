import { type Timers, wait } from '../../../common/ports/timers.ts';

const LOOK_EVERY_MS = 50;

/** Whether the condition became true within the time, in milliseconds. */
export async function waitForCondition(
  timers: Timers,
  ms: number,
  condition: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const giveUpAt = timers.now() + ms;
  while (!(await condition())) {
    if (timers.now() >= giveUpAt) return false;
    await wait(LOOK_EVERY_MS, timers);
  }
  return true;
}

/**
 * Timers that can all be stopped. After that, a wait for one of them never ends, and does not keep the process alive.
 */
export function createStoppableTimers(timers: Timers): {
  readonly timers: Timers;
  readonly stop: () => void;
} {
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
