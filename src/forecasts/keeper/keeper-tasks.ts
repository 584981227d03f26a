import type { Timers } from '../../common/ports/timers.ts';
import { computeRetryDelay } from '../../predictions/keeper/sending/keeper-delays.ts';

/** How a task ended: nothing of it is left, it is to be done again at once, or after a pause that grows. */
export type TaskOutcome = 'done' | 'again' | 'failed';

interface KnownTask {
  attempts: number;
  notBefore: number;
  /** When it was asked for the last time. */
  wantedAt: number;
  isRunning: boolean;
}

/** A task that nobody has asked for so long is forgotten, with its failures. */
const FORGET_MS = 600_000;

export interface KeeperTasksOptions {
  /** How many tasks may run at a time. */
  readonly atOnce: number;
  readonly timers: Pick<Timers, 'now'>;
  /** Called when a task has thrown. It is tried again. */
  readonly onError: (error: unknown) => void;
}

/**
 * Runs what is found to be due in each turn of a keeper: each task once at a time, a bounded number of them, and again after
 * longer and longer pauses while it fails. So a task that always fails holds up no other one.
 */
export class KeeperTasks {
  readonly #options: KeeperTasksOptions;
  readonly #known = new Map<string, KnownTask>();
  readonly #running = new Set<Promise<void>>();

  constructor(options: KeeperTasksOptions) {
    this.#options = options;
  }

  /** How many tasks run. */
  get running(): number {
    return this.#running.size;
  }

  /** Begins a task, unless it runs, its pause is not over, or too many others run. */
  begin(name: string, work: () => Promise<TaskOutcome>): void {
    const now = this.#options.timers.now();
    const task = this.#known.get(name) ?? { attempts: 0, notBefore: 0, wantedAt: now, isRunning: false };
    task.wantedAt = now;
    this.#known.set(name, task);
    if (task.isRunning || task.notBefore > now || this.#running.size >= this.#options.atOnce) return;
    task.isRunning = true;
    const running = this.#run(work).then((outcome) => {
      task.isRunning = false;
      this.#running.delete(running);
      if (outcome === 'done') this.#known.delete(name);
      else if (outcome === 'again') task.attempts = 0;
      else task.notBefore = this.#options.timers.now() + computeRetryDelay(task.attempts++);
    });
    this.#running.add(running);
  }

  /** Forgets what was not asked for in the last minutes. Call it now and again. */
  forgetOld(): void {
    const before = this.#options.timers.now() - FORGET_MS;
    for (const [name, { isRunning, wantedAt }] of this.#known) {
      if (!isRunning && wantedAt < before) this.#known.delete(name);
    }
  }

  /** Resolves when nothing runs. */
  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #run(work: () => Promise<TaskOutcome>): Promise<TaskOutcome> {
    try {
      return await work();
    } catch (error) {
      this.#options.onError(error);
      return 'failed';
    }
  }
}
