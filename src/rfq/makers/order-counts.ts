import type { Timers } from '../../common/ports/timers.ts';

/** The orders for which a maker had a book, and how many of them contain its fill. */
export interface OrderCount {
  readonly considered: number;
  readonly won: number;
}

interface PendingOrderCount {
  considered: number;
  won: number;
  readonly stop: () => void;
}

const REPORT_INTERVAL_MS = 1_000;

/** Collects the orders with makers of other instances, so that each owner gets at most one report a second. */
export class OrderCounts {
  readonly #timers: Timers;
  readonly #tell: (makerId: string, count: OrderCount) => Promise<void>;
  readonly #waiting = new Map<string, PendingOrderCount>();

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
    const stop = this.#timers.after(REPORT_INTERVAL_MS, () => void this.#flush(makerId));
    this.#waiting.set(makerId, { considered, won, stop });
  }

  /** Sends what is left. */
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
