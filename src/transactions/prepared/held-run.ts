import type { ExecutionStore } from '../../common/ports/execution-store.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { ExecutionLost } from './store.ts';

export interface HeldRunOptions {
  readonly executions: ExecutionStore;
  readonly timers: Timers;
  readonly requestId: string;
  /** The run's task, in case the server loses its data. */
  readonly task: string;
  readonly holder: string;
  /** The lease that `executions` was set up with, in milliseconds. */
  readonly leaseMs: number;
  /** The time by `timers`, taken before the run was begun. */
  readonly begunAt: number;
}

/**
 * A run that this process holds. It renews the lease, and finds out before the transaction is sent whether the process
 * was stopped for so long that another instance may have answered the request.
 */
export class HeldRun {
  readonly #options: HeldRunOptions;
  /** The last renewal, by this process's clock. The server's lease ends no earlier than one lease after it. */
  #renewedAt: number;
  #isSending = false;
  #cancel = () => {};

  constructor(options: HeldRunOptions) {
    this.#options = options;
    this.#renewedAt = options.begunAt;
    this.#renewLater();
  }

  /**
   * Marks the run. While the server does not answer, the transaction is sent only if the lease cannot have expired yet;
   * the mark follows as soon as the server answers.
   * @throws ExecutionLost when the transaction must not be sent
   */
  async noteSending(): Promise<void> {
    const { executions, timers, requestId, holder } = this.#options;
    const askedAt = timers.now();
    const isMarked = await this.#orIfFresh(() => executions.mark(requestId, holder, this.#taskToRestore()));
    if (isMarked === false) throw new ExecutionLost(await this.#lookWhoRuns());
    if (isMarked) this.#renewedAt = askedAt;
    this.#isSending = true;
  }

  /**
   * Makes sure that no other instance has begun the run, so that "nothing was sent" is true.
   * @throws ExecutionLost when another instance has
   */
  async requireHeld(): Promise<void> {
    const { executions, timers, requestId, holder } = this.#options;
    const askedAt = timers.now();
    const isHeld = await this.#orIfFresh(() => executions.keep(requestId, holder, this.#taskToRestore()));
    if (isHeld === false) throw new ExecutionLost('taken');
    if (isHeld) this.#renewedAt = askedAt;
  }

  /** Stops renewing the lease. */
  stop(): void {
    this.#cancel();
  }

  /** Returns null if the server does not answer, and the lease cannot have expired yet. */
  async #orIfFresh(ask: () => Promise<boolean>): Promise<boolean | null> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      if (!this.#isFresh()) throw new ExecutionLost('unknown', { cause: error });
      return null;
    }
  }

  /** Whether the lease cannot have expired yet. A clock that was set back says nothing. */
  #isFresh(): boolean {
    const { timers, leaseMs } = this.#options;
    const elapsed = timers.now() - this.#renewedAt;
    return elapsed >= 0 && elapsed < leaseMs;
  }

  /** A run that another instance may have begun and ended since is not restored, unless its transaction is out. */
  #taskToRestore(): string | null {
    return this.#isSending || this.#isFresh() ? this.#options.task : null;
  }

  /** Takes a lost run that nobody holds, so that no other instance begins it while the attempt ends. */
  async #lookWhoRuns(): Promise<ExecutionLost['run']> {
    const { executions, requestId, task, holder } = this.#options;
    try {
      const beginning = await executions.begin(requestId, task, holder);
      return beginning.kind === 'begun' && beginning.isMarked !== true ? 'free' : 'taken';
    } catch (error) {
      if (error instanceof Unavailable) return 'unknown';
      throw error;
    }
  }

  #renewLater(): void {
    const { timers, leaseMs } = this.#options;
    this.#cancel = timers.after(leaseMs / 3, () => {
      // What is lost in the meantime is stored again at the next attempt, or another process takes over.
      this.#renew().catch(() => undefined);
      this.#renewLater();
    });
  }

  async #renew(): Promise<void> {
    const { executions, timers, requestId, holder } = this.#options;
    const askedAt = timers.now();
    const task = this.#taskToRestore();
    const isHeld = await executions.keep(requestId, holder, task);
    this.#renewedAt = isHeld ? askedAt : Number.NEGATIVE_INFINITY;
    // The mark is missing if the server did not answer when the transaction was sent, or has lost its data since.
    if (isHeld && this.#isSending) await executions.mark(requestId, holder, task);
  }
}
