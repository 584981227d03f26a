import { BoundedCache } from '../collections/bounded-cache.ts';
import type { SharedRuns } from '../ports/shared-runs.ts';
import type { Timers } from '../ports/timers.ts';
import { Unavailable } from '../unavailable.ts';
import { orderOf, orderText } from './order-text.ts';
import {
  type Attempt,
  type Execution,
  type OrderStore,
  type StoredOrder,
  TooManyExecutions,
} from './order-store.ts';

export interface SharedOrdersOptions {
  readonly runs: SharedRuns;
  /** Executions that may be under way in this process. */
  readonly capacity: number;
  readonly timers: Timers;
  readonly newHolder: () => string;
  /** Told of a defect that does not keep the request from being answered. */
  readonly onDefect: (error: unknown) => void;
}

/** How `runs` must be set up. */
export const SHARED_ORDERS = {
  kind: 'order',
  whenLost: 'Orders cannot be kept or executed at the moment; try again in a second',
  /** Longer than any blockhash lives. */
  taskLifeMs: 5 * 60_000,
  /** After a process was killed another takes over within so long. */
  leaseMs: 10_000,
  /** For clients that ask again because they missed the answer. */
  answerLifeMs: 10 * 60_000,
} as const;

const KEEP_MS = SHARED_ORDERS.leaseMs / 3;
const ASK_AGAIN_MS = 250;
/** Longer than a transaction may take to land. */
const LONGEST_WAIT_MS = 150_000;
const WRITE_AGAIN_MS = 1_000;

type Run<Answer> = (attempt: Attempt) => Promise<Execution<Answer>>;

/**
 * Orders of several processes: one gives an order out, any executes it, and all give its one answer. A process that is
 * killed while it executes is followed by whoever asks next; that lands the very message that the first may have sent,
 * which the network takes once.
 */
export class SharedOrders<Answer> implements OrderStore<Answer> {
  readonly #options: SharedOrdersOptions;
  /** Until the answer is written where the others see it. */
  readonly #underWay = new Map<string, Promise<Answer>>();
  readonly #toWrite = new Set<Promise<void>>();
  /** Requests whose transaction this process may have sent. */
  readonly #sent: BoundedCache<string, true>;

  constructor(options: SharedOrdersOptions) {
    this.#options = options;
    this.#sent = new BoundedCache(options.capacity);
  }

  put(order: StoredOrder): Promise<void> {
    return this.#options.runs.put(order.requestId, orderText(order));
  }

  async get(requestId: string): Promise<StoredOrder | null> {
    const text = await this.#options.runs.get(requestId);
    return text === null ? null : orderOf(text);
  }

  executeOnce(order: StoredOrder, run: Run<Answer>): Promise<Answer> {
    const { requestId } = order;
    const known = this.#underWay.get(requestId);
    if (known !== undefined) return known;
    const { capacity } = this.#options;
    if (this.#underWay.size >= capacity) {
      const message = `${capacity} swaps are under way already; try again in a second`;
      return Promise.reject(new TooManyExecutions(message));
    }
    const answer = this.#beginOrWait(order, run);
    this.#underWay.set(requestId, answer);
    answer.catch(() => this.#underWay.delete(requestId));
    return answer;
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#underWay.values());
    await Promise.allSettled(this.#toWrite);
  }

  async #beginOrWait(order: StoredOrder, run: Run<Answer>): Promise<Answer> {
    const { runs, timers, newHolder } = this.#options;
    const { requestId } = order;
    const holder = newHolder();
    const giveUpAt = timers.now() + LONGEST_WAIT_MS;
    while (timers.now() < giveUpAt) {
      const beginning = await runs.begin(requestId, orderText(order), holder);
      if (beginning.kind === 'begun') {
        return this.#run(requestId, holder, run, beginning.isMarked === true);
      }
      if (beginning.kind === 'ended') {
        this.#underWay.delete(requestId);
        return JSON.parse(beginning.answer) as Answer;
      }
      await this.#wait(ASK_AGAIN_MS);
    }
    throw new Unavailable('another instance executes the order still; ask again');
  }

  async #run(requestId: string, holder: string, run: Run<Answer>, isMarked: boolean): Promise<Answer> {
    const stopKeeping = this.#keep(requestId, holder);
    const attempt: Attempt = {
      mayBeOut: isMarked || this.#sent.get(requestId) === true,
      noteSending: async () => {
        this.#sent.set(requestId, true);
        // Without the mark another instance counts the costs twice, which is the safe side, and still lands once.
        await this.#options.runs.mark(requestId, holder).catch(ifLost);
      },
    };
    try {
      const { final, answer } = await run(attempt);
      this.#write(requestId, holder, final ? JSON.stringify(answer) : null);
      return answer;
    } catch (error) {
      this.#write(requestId, holder, null);
      throw error;
    } finally {
      stopKeeping();
    }
  }

  /** Goes on trying: whoever executes again after everybody forgot could not say what became of the swap. */
  #write(requestId: string, holder: string, answer: string | null): void {
    const { runs, timers, onDefect } = this.#options;
    const giveUpAt = timers.now() + SHARED_ORDERS.answerLifeMs;
    const attempt = async (): Promise<void> => {
      while (timers.now() < giveUpAt) {
        try {
          return await runs.end(requestId, holder, answer);
        } catch (error) {
          if (!(error instanceof Unavailable)) return onDefect(error);
          // A lease that nobody gives back runs out by itself.
          if (answer === null) return;
          await this.#wait(WRITE_AGAIN_MS);
        }
      }
    };
    const written = attempt().finally(() => {
      this.#underWay.delete(requestId);
      this.#toWrite.delete(written);
    });
    this.#toWrite.add(written);
  }

  #keep(requestId: string, holder: string): () => void {
    const { runs, timers } = this.#options;
    let cancel = () => {};
    const again = () => {
      cancel = timers.after(KEEP_MS, () => {
        // What is lost meanwhile is kept again the next time, or taken over.
        runs.keep(requestId, holder).catch(() => undefined);
        again();
      });
    };
    again();
    return () => cancel();
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.#options.timers.after(ms, resolve));
  }
}

function ifLost(error: unknown): void {
  if (!(error instanceof Unavailable)) throw error;
}
