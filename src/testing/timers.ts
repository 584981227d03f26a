import { SYSTEM_TIMERS, type Timers } from '../common/ports/timers.ts';

/** A clock that stands still until the test moves it. */
export class ManualTimers implements Timers {
  #now = 1_800_000_000_000;
  #waiting: { readonly at: number; readonly callback: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  after(delay: number, callback: () => void): () => void {
    const entry = { at: this.#now + delay, callback };
    this.#waiting.push(entry);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== entry);
    };
  }

  advance(ms: number): void {
    this.#now += ms;
    const due = this.#waiting.filter(({ at }) => at <= this.#now);
    this.#waiting = this.#waiting.filter(({ at }) => at > this.#now);
    for (const { callback } of due) callback();
  }
}

/**
 * The system's timers, with a clock that the test can put forward. What grows stale does so at the test's word, however
 * slow the machine is; delays take as long as they do.
 */
export class LeapingTimers implements Timers {
  #ahead = 0;
  readonly after = SYSTEM_TIMERS.after;

  now(): number {
    return SYSTEM_TIMERS.now() + this.#ahead;
  }

  leap(ms: number): void {
    this.#ahead += ms;
  }
}

/** A clock that jumps to whatever is waited for, as soon as nothing else can go on. */
export class SkippingTimers extends ManualTimers {
  readonly #onSkip: (ms: number) => void;

  constructor(onSkip: (ms: number) => void = () => {}) {
    super();
    this.#onSkip = onSkip;
  }

  override after(delay: number, callback: () => void): () => void {
    const cancel = super.after(delay, callback);
    const skip = setImmediate(() => {
      this.#onSkip(delay);
      this.advance(delay);
    });
    return () => {
      clearImmediate(skip);
      cancel();
    };
  }
}
