import type { Timers } from '../../common/ports/timers.ts';

/** Timers that end together: what waits for one of them then waits for ever, and does nothing more. */
export class StoppableTimers implements Timers {
  readonly #timers: Timers;
  readonly #cancels = new Set<() => void>();
  #isStopped = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  now(): number {
    return this.#timers.now();
  }

  after(delay: number, callback: () => void): () => void {
    if (this.#isStopped) return () => undefined;
    const stop = this.#timers.after(delay, () => {
      this.#cancels.delete(cancel);
      callback();
    });
    const cancel = () => {
      this.#cancels.delete(cancel);
      stop();
    };
    this.#cancels.add(cancel);
    return cancel;
  }

  stop(): void {
    this.#isStopped = true;
    for (const cancel of [...this.#cancels]) cancel();
  }
}
