import { BoundedCache } from '../../../common/collections/bounded-cache.ts';
import { OldestFirst } from '../../../common/collections/oldest-first.ts';
import type { SharedRuns } from '../../../common/ports/shared-runs.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import { Unavailable } from '../../../common/unavailable.ts';
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
const MAX_WAIT_MS = 150_000;
const WRITE_AGAIN_MS = 1_000;
/** By then whoever executes has kept its runs, and some. */
const KNOWN_AGAIN_MS = KEEP_MS + 1_500;

interface Known<Answer> {
  readonly order: StoredOrder;
  readonly answer: Promise<Answer>;
}

type Run<Answer> = (attempt: Attempt) => Promise<Execution<Answer>>;

/**
 * Orders of several processes: one gives an order out, any executes it, and all give its one answer. A process that is
 * killed while it executes is followed by whoever asks next; that lands the very message that the first may have sent,
 * which the network takes once.
 */
export class SharedOrders<Answer> implements OrderStore<Answer> {
  readonly #options: SharedOrdersOptions;
  /** Until the answer is written where the others see it. */
  readonly #underWay = new Map<string, Known<Answer>>();
  /** For as long as the server would remember them, in case it does not. */
  readonly #ended = new OldestFirst<string, Known<Answer> & { readonly endedAt: number }>();
  readonly #toWrite = new Set<Promise<void>>();
  /** Requests whose transaction this process may have sent. */
  readonly #sent: BoundedCache<string, true>;

  constructor(options: SharedOrdersOptions) {
    this.#options = options;
    this.#sent = new BoundedCache(options.capacity);
    // From now on a gap shows; a server that is away says so when it is needed.
    options.runs.age().catch(ifLost).catch(options.onDefect);
  }

  put(order: StoredOrder): Promise<void> {
    return this.#options.runs.put(order.requestId, orderText(order));
  }

  /** What this process executes, or has executed, it knows also while the server does not. */
  async get(requestId: string): Promise<StoredOrder | null> {
    this.#forgetOld();
    const here = this.#underWay.get(requestId) ?? this.#ended.get(requestId);
    if (here !== undefined) return here.order;
    const text = await this.#options.runs.get(requestId);
    return text === null ? null : orderOf(text);
  }

  async mayHaveForgotten(): Promise<boolean> {
    return (await this.#options.runs.age()) < KNOWN_AGAIN_MS;
  }

  executeOnce(order: StoredOrder, run: Run<Answer>): Promise<Answer> {
    const { requestId } = order;
    const known = this.#underWay.get(requestId);
    if (known !== undefined) return known.answer;
    const { capacity } = this.#options;
    if (this.#underWay.size >= capacity) {
      const message = `${capacity} swaps are under way already; try again in a second`;
      return Promise.reject(new TooManyExecutions(message));
    }
    const answer = this.#beginOrWait(order, run);
    this.#underWay.set(requestId, { order, answer });
    answer.catch(() => this.#underWay.delete(requestId));
    return answer;
  }

  async settled(): Promise<void> {
    await Promise.allSettled(Array.from(this.#underWay.values(), ({ answer }) => answer));
    await Promise.allSettled(this.#toWrite);
  }

  async #beginOrWait(order: StoredOrder, run: Run<Answer>): Promise<Answer> {
    const { timers, newHolder } = this.#options;
    const holder = newHolder();
    const giveUpAt = timers.now() + MAX_WAIT_MS;
    for (let wasHeld = false; timers.now() < giveUpAt; wasHeld = true) {
      // A run that somebody held a moment ago is not free because the server has forgotten it.
      if (!(wasHeld && (await this.mayHaveForgotten()))) {
        const begun = await this.#begin(order, holder, run);
        if (begun !== null) return begun.answer;
      }
      await this.#wait(ASK_AGAIN_MS);
    }
    throw new Unavailable('another instance executes the order still; ask again');
  }

  /** Null while another process holds the run. */
  async #begin(
    order: StoredOrder,
    holder: string,
    run: Run<Answer>,
  ): Promise<{ readonly answer: Answer } | null> {
    const { requestId } = order;
    const ended = this.#ended.get(requestId);
    const beginning = await this.#options.runs.begin(requestId, orderText(order), holder).catch((error) => {
      if (ended !== undefined && error instanceof Unavailable) return null;
      throw error;
    });
    if (beginning?.kind === 'held') return null;
    if (beginning?.kind === 'ended') {
      this.#underWay.delete(requestId);
      return { answer: JSON.parse(beginning.answer) as Answer };
    }
    if (ended === undefined) {
      return { answer: await this.#run(order, holder, run, beginning?.isMarked === true) };
    }
    // The server has forgotten what this process remembers, or is away.
    const answer = await ended.answer;
    if (beginning !== null) this.#write(order, holder, JSON.stringify(answer));
    else this.#underWay.delete(requestId);
    return { answer };
  }

  async #run(order: StoredOrder, holder: string, run: Run<Answer>, isMarked: boolean): Promise<Answer> {
    const { requestId } = order;
    const stopKeeping = this.#keep(order, holder);
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
      if (final) this.#remember(order, answer);
      this.#write(order, holder, final ? JSON.stringify(answer) : null);
      return answer;
    } catch (error) {
      this.#write(order, holder, null);
      throw error;
    } finally {
      stopKeeping();
    }
  }

  #remember(order: StoredOrder, answer: Answer): void {
    this.#forgetOld();
    const endedAt = this.#options.timers.now();
    this.#ended.set(order.requestId, { order, answer: Promise.resolve(answer), endedAt });
  }

  #forgetOld(): void {
    const { capacity, timers } = this.#options;
    const since = timers.now() - SHARED_ORDERS.answerLifeMs;
    for (let first = this.#ended.oldest(); first !== null; first = this.#ended.oldest()) {
      if (first[1].endedAt > since && this.#ended.size < capacity) return;
      this.#ended.delete(first[0]);
    }
  }

  /** Goes on trying: whoever executes again after everybody forgot could not say what became of the swap. */
  #write(order: StoredOrder, holder: string, answer: string | null): void {
    const { runs, timers, onDefect } = this.#options;
    const { requestId } = order;
    const task = orderText(order);
    const giveUpAt = timers.now() + SHARED_ORDERS.answerLifeMs;
    const attempt = async (): Promise<void> => {
      while (timers.now() < giveUpAt) {
        try {
          return await runs.end(requestId, holder, answer, task);
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

  #keep(order: StoredOrder, holder: string): () => void {
    const { runs, timers } = this.#options;
    const task = orderText(order);
    let cancel = () => {};
    const again = () => {
      cancel = timers.after(KEEP_MS, () => {
        // What is lost meanwhile is kept again the next time, or taken over.
        runs.keep(order.requestId, holder, task).catch(() => undefined);
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
