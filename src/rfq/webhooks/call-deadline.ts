import type { Timers } from '../../common/ports/timers.ts';

/** Why calls end before they are answered: their time is over, or what they were for has been given up. */
export type DeadlineReason = 'timeout' | 'aborted';

/**
 * Ends calls that are not answered in time. All calls of one question share a deadline, so that a question to many makers
 * needs one timer and one listener.
 *
 * @example
 * ```ts
 * import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
 * import { CallDeadline } from './call-deadline.ts';
 *
 * const deadline = new CallDeadline(SYSTEM_TIMERS, 250);
 * const stopWaiting = deadline.onOver((reason) => console.log(reason)); // 'timeout', after 250 ms
 * stopWaiting();
 * deadline.close();
 * ```
 */
export class CallDeadline {
  readonly timeoutMs: number;
  readonly #waiting = new Set<(reason: DeadlineReason) => void>();
  readonly #release: () => void;
  #over: DeadlineReason | null = null;

  /**
   * @param timeoutMs - Milliseconds from now.
   * @param signal - Ends the calls at once when it is aborted.
   */
  constructor(timers: Pick<Timers, 'after'>, timeoutMs: number, signal?: AbortSignal) {
    this.timeoutMs = timeoutMs;
    const cancel = timers.after(timeoutMs, () => this.#end('timeout'));
    const abort = () => this.#end('aborted');
    this.#release = () => {
      cancel();
      signal?.removeEventListener('abort', abort);
    };
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  }

  /** Why the calls have ended; null while they may still be answered. */
  get over(): DeadlineReason | null {
    return this.#over;
  }

  /** What has happened to a call that the deadline ended, as a sentence. */
  get message(): string {
    return this.#over === 'aborted' ? 'the call was given up' : `no answer within ${this.timeoutMs} ms`;
  }

  /**
   * Calls the listener when the deadline is over.
   * Returns stops listening.
   */
  onOver(listener: (reason: DeadlineReason) => void): () => void {
    this.#waiting.add(listener);
    return () => void this.#waiting.delete(listener);
  }

  /** Releases the timer. Listeners are not called any more. */
  close(): void {
    this.#waiting.clear();
    this.#release();
  }

  #end(reason: DeadlineReason): void {
    this.#over ??= reason;
    const waiting = [...this.#waiting];
    this.close();
    for (const end of waiting) end(reason);
  }
}
