import type { Timers } from '../../common/ports/timers.ts';

/** Orders that were given out while a maker had a book for them, and those of them with its fill. */
export interface OrderCount {
  readonly considered: number;
  readonly won: number;
}

interface Waiting {
  considered: number;
  won: number;
  readonly stop: () => void;
}

const TOGETHER_MS = 1_000;

/** Orders with makers of other instances, told together: of each maker at most once a second. */
export class OrderCounts {
  readonly #timers: Timers;
  readonly #tell: (makerId: string, count: OrderCount) => Promise<void>;
  readonly #waiting = new Map<string, Waiting>();

  constructor(timers: Timers, tell: (makerId: string, count: OrderCount) => Promise<void>) {
    this.#timers = timers;
    this.#tell = tell;
  }

  add(makerId: string, { considered, won }: OrderCount): void {
    const waiting = this.#waiting.get(makerId);
    if (waiting !== undefined) {
      waiting.considered += considered;
      waiting.won += won;
      return;
    }
    const stop = this.#timers.after(TOGETHER_MS, () => void this.#flush(makerId));
    this.#waiting.set(makerId, { considered, won, stop });
  }

  /** Tells what is left. */
  async close(): Promise<void> {
    await Promise.all([...this.#waiting.keys()].map((makerId) => this.#flush(makerId)));
  }

  async #flush(makerId: string): Promise<void> {
    const waiting = this.#waiting.get(makerId);
    if (waiting === undefined) return;
    const { considered, won, stop } = waiting;
    this.#waiting.delete(makerId);
    stop();
    await this.#tell(makerId, { considered, won });
  }
}
