import { BoundedCache } from '../../../common/collections/bounded-cache.ts';
import { OldestFirst } from '../../../common/collections/oldest-first.ts';
import {
  type Attempt,
  type Execution,
  type OrderStore,
  type StoredOrder,
  TooManyExecutions,
} from './order-store.ts';

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
}

interface EndedRun<Answer> extends Run<Answer> {
  readonly endedAt: number;
}

/** Longer than any blockhash lives. */
const ORDER_LIFE_MS = 5 * 60_000;
/** For clients that ask again because they missed the answer. */
const ANSWER_LIFE_MS = 10 * 60_000;

/** Orders in this process: it alone gives them out and executes them, and they do not survive it. */
export class MemoryOrders<Answer> implements OrderStore<Answer> {
  readonly #capacity: number;
  readonly #now: () => number;
  readonly #waiting = new OldestFirst<string, Waiting>();
  readonly #underWay = new Map<string, Run<Answer>>();
  /** Requests whose transaction may be out. */
  readonly #sent: BoundedCache<string, true>;
  readonly #ended = new OldestFirst<string, EndedRun<Answer>>();

  constructor({ capacity, now }: MemoryOrdersOptions) {
    this.#capacity = capacity;
    this.#now = now;
    this.#sent = new BoundedCache(capacity);
  }

  async put(order: StoredOrder): Promise<void> {
    this.#forgetOld();
    const oldest = this.#waiting.size < this.#capacity ? null : this.#waiting.oldest();
    if (oldest !== null) this.#waiting.delete(oldest[0]);
    this.#waiting.set(order.requestId, { order, since: this.#now() });
  }

  async get(requestId: string): Promise<StoredOrder | null> {
    this.#forgetOld();
    return (this.#waiting.get(requestId) ?? this.#run(requestId))?.order ?? null;
  }

  async executeOnce(
    order: StoredOrder,
    run: (attempt: Attempt) => Promise<Execution<Answer>>,
  ): Promise<Answer> {
    this.#forgetOld();
    const known = this.#run(order.requestId);
    if (known !== undefined) return known.answer;
    this.#makeRoom();
    const { requestId } = order;
    const execution = run({
      mayBeOut: this.#sent.get(requestId) === true,
      noteSending: async () => void this.#sent.set(requestId, true),
    });
    const answer = execution.then(({ answer }) => answer);
    this.#underWay.set(requestId, { order, answer });
    execution.then(
      ({ final }) => {
        this.#underWay.delete(requestId);
        if (final) this.#ended.set(requestId, { order, answer, endedAt: this.#now() });
      },
      () => this.#underWay.delete(requestId),
    );
    return answer;
  }

  /** What this process forgets it forgets with everything else. */
  async mayHaveForgotten(): Promise<boolean> {
    return false;
  }

  async settled(): Promise<void> {
    await Promise.allSettled(Array.from(this.#underWay.values(), ({ answer }) => answer));
  }

  #run(requestId: string): Run<Answer> | undefined {
    return this.#underWay.get(requestId) ?? this.#ended.get(requestId);
  }

  #forgetOld(): void {
    const now = this.#now();
    for (let first = this.#waiting.oldest(); first !== null; first = this.#waiting.oldest()) {
      if (now - first[1].since < ORDER_LIFE_MS) break;
      this.#waiting.delete(first[0]);
    }
    for (let first = this.#ended.oldest(); first !== null; first = this.#ended.oldest()) {
      if (now - first[1].endedAt < ANSWER_LIFE_MS) break;
      this.#ended.delete(first[0]);
    }
  }

  #makeRoom(): void {
    if (this.#underWay.size + this.#ended.size < this.#capacity) return;
    const ended = this.#ended.oldest();
    if (ended === null) {
      throw new TooManyExecutions(`${this.#capacity} swaps are under way already; try again in a second`);
    }
    const [requestId] = ended;
    this.#ended.delete(requestId);
    // A forgotten execution must not run again.
    this.#waiting.delete(requestId);
  }
}
