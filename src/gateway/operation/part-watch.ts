import { repeatFromNow, type Timers } from '../../common/ports/timers.ts';
import type { ReadinessCheck } from '../../products/product.ts';
import { runReadinessCheck } from '../health/health.ts';

export interface PartWatchOptions {
  /** What `/readyz` checks; read at each round, so that checks may be added until the server listens. */
  readonly checks: readonly ReadinessCheck[];
  readonly timers: Timers;
  /** Milliseconds of a monotonic clock, by which the time of a check is measured. */
  readonly stopwatch: () => number;
  readonly onDefect: (error: unknown) => void;
}

/** How a part is, as it was last checked. Times are Unix milliseconds. */
export interface PartState {
  readonly name: string;
  /** Whether the instance is ready without it. */
  readonly optional: boolean;
  /** The section of the documentation that says what to do. */
  readonly runbook: string;
  /** Null while it works; otherwise why it does not. */
  readonly reason: string | null;
  /** Since when it works, or does not: the first check that found it so. */
  readonly since: number;
  readonly checkedAt: number;
  /** How long the last check took, in milliseconds. */
  readonly tookMs: number;
}

/** A part that was found to work again, or not to. */
export interface PartChange {
  readonly part: string;
  readonly at: number;
  /** Null: it works again. */
  readonly reason: string | null;
}

const PAUSE_MS = 5_000;
const RUNBOOK_OF_PARTS = 'runbooks#sluicepartdown';
/** The most changes that are remembered; a part that comes and goes must not fill the memory. */
const MAX_CHANGES = 100;

/**
 * Runs the readiness checks again and again, so that it is known since when a part works or does not, whoever asks. What it knows
 * is read from memory: a part that hangs holds up nobody.
 */
export class PartWatch {
  readonly #options: PartWatchOptions;
  readonly #states = new Map<string, PartState>();
  /** The newest first. */
  readonly #changes: PartChange[] = [];
  readonly #stop: () => void;
  /** Resolves when every part was checked once. */
  readonly first: Promise<void>;

  constructor(options: PartWatchOptions) {
    this.#options = options;
    const { timers, onDefect } = options;
    const { first, stop } = repeatFromNow(PAUSE_MS, () => this.#checkAll(), timers, onDefect);
    this.first = first;
    this.#stop = stop;
  }

  /** Returns how the parts are, in the order of the checks. A part that was added since the last round is missing. */
  get states(): readonly PartState[] {
    return this.#options.checks.flatMap(({ name }) => this.#states.get(name) ?? []);
  }

  /** Whether every part was checked without which the instance is not ready. */
  get isChecked(): boolean {
    return this.#options.checks.every(({ name, optional = false }) => optional || this.#states.has(name));
  }

  /** Returns what has changed since the start of the process, the newest first. */
  get changes(): readonly PartChange[] {
    return this.#changes;
  }

  close(): void {
    this.#stop();
  }

  async #checkAll(): Promise<void> {
    await Promise.all(this.#options.checks.map((check) => this.#check(check)));
  }

  async #check(check: ReadinessCheck): Promise<void> {
    const { timers, stopwatch } = this.#options;
    const { name, optional = false, runbook = RUNBOOK_OF_PARTS } = check;
    const begunAt = stopwatch();
    const state = await runReadinessCheck(check, (delay, callback) => timers.after(delay, callback));
    const tookMs = Math.max(Math.round(stopwatch() - begunAt), 0);
    const reason = state === 'ok' ? null : state;
    const checkedAt = timers.now();
    const before = this.#states.get(name);
    const isSame = before !== undefined && (before.reason === null) === (reason === null);
    this.#states.set(name, {
      name,
      optional,
      runbook,
      reason,
      since: isSame ? before.since : checkedAt,
      checkedAt,
      tookMs,
    });
    if (before === undefined ? reason !== null : !isSame)
      this.#noteChange({ part: name, at: checkedAt, reason });
  }

  #noteChange(change: PartChange): void {
    this.#changes.unshift(change);
    if (this.#changes.length > MAX_CHANGES) this.#changes.pop();
  }
}
