import { repeatWithPauses, type Timers } from '../ports/timers.ts';

export interface RepeatedWorkOptions {
  /** The pause before each run. */
  readonly everyMs: number;
  /** @param isStopped - Returns whether the rest of a long run is to be left. */
  readonly work: (isStopped: () => boolean) => Promise<void>;
  readonly timers: Pick<Timers, 'after'>;
  /** Called when a run has failed. The next one follows. */
  readonly onError: (error: unknown) => void;
}

/** Work that is done again and again from a start to an end. */
export interface RepeatedWork {
  readonly start: () => void;
  /** Begins no further run, and waits for the one in progress. */
  readonly stop: () => Promise<void>;
}

/** Creates work that is done again after a pause, such as the removal of what is old. */
export function createRepeatedWork({ everyMs, work, timers, onError }: RepeatedWorkOptions): RepeatedWork {
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  let stop: () => void = () => undefined;
  const run = () => {
    running = work(() => isStopped);
    return running;
  };
  return {
    start: () => {
      stop = repeatWithPauses(everyMs, run, timers, onError);
    },
    stop: async () => {
      isStopped = true;
      stop();
      await running.catch(() => undefined);
    },
  };
}
