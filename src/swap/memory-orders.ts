import { type Execution, type OrderStore, type StoredOrder, TooManyExecutions } from './order-store.ts';

export interface MemoryOrdersOptions {
  /** Orders that wait, and executions that are remembered: so many of each. */
  readonly capacity: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

interface Waiting {
  readonly order: StoredOrder;
  readonly since: number;
}

interface Run<Answer> {
  readonly order: StoredOrder;
  readonly answer: Promise<Answer>;
  /** Null while it is under way. */
  endedAt: number | null;
}

/** Longer than any blockhash lives. */
const ORDER_LIFE_MS = 5 * 60_000;
/** For clients that ask again because they missed the answer. */
const ANSWER_LIFE_MS = 10 * 60_000;

/** Orders in this process: it alone gives them out and executes them, and they do not survive it. */
export class MemoryOrders<Answer> implements OrderStore<Answer> {
  readonly #capacity: number;
  readonly #now: () => number;
  /** Oldest first, as maps keep what is added last. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #runs = new Map<string, Run<Answer>>();

  constructor({ capacity, now }: MemoryOrdersOptions) {
    this.#capacity = capacity;
    this.#now = now;
  }

  async put(order: StoredOrder): Promise<void> {
    this.#forgetOld();
    const [oldest] = this.#waiting.keys();
    if (oldest !== undefined && this.#waiting.size >= this.#capacity) this.#waiting.delete(oldest);
    this.#waiting.set(order.requestId, { order, since: this.#now() });
  }

  async get(requestId: string): Promise<StoredOrder | null> {
    this.#forgetOld();
    return (this.#waiting.get(requestId) ?? this.#runs.get(requestId))?.order ?? null;
  }

  async executeOnce(order: StoredOrder, run: () => Promise<Execution<Answer>>): Promise<Answer> {
    this.#forgetOld();
    const known = this.#runs.get(order.requestId);
    if (known !== undefined) return known.answer;
    this.#makeRoom();
    const { requestId } = order;
    const execution = run();
    const started: Run<Answer> = { order, answer: execution.then(({ answer }) => answer), endedAt: null };
    this.#runs.set(requestId, started);
    execution.then(
      ({ final }) => {
        if (final) started.endedAt = this.#now();
        else this.#runs.delete(requestId);
      },
      () => this.#runs.delete(requestId),
    );
    return started.answer;
  }

  async settled(): Promise<void> {
    const underWay = [...this.#runs.values()].filter(({ endedAt }) => endedAt === null);
    await Promise.allSettled(underWay.map(({ answer }) => answer));
  }

  #forgetOld(): void {
    const now = this.#now();
    for (const [requestId, { since }] of this.#waiting) {
      if (now - since < ORDER_LIFE_MS) break;
      this.#waiting.delete(requestId);
    }
    for (const [requestId, { endedAt }] of this.#runs) {
      if (endedAt === null) continue;
      if (now - endedAt < ANSWER_LIFE_MS) break;
      this.#runs.delete(requestId);
    }
  }

  #makeRoom(): void {
    if (this.#runs.size < this.#capacity) return;
    for (const [requestId, { endedAt }] of this.#runs) {
      if (endedAt === null) continue;
      this.#runs.delete(requestId);
      // A forgotten execution must not run again.
      this.#waiting.delete(requestId);
      return;
    }
    throw new TooManyExecutions(`${this.#capacity} swaps are under way already; try again in a second`);
  }
}
