import { MAX_BLOCKHASH_AGE } from '../../chain/recent-blockhashes.ts';
import { BoundedCache } from '../../common/collections/bounded-cache.ts';
import { OldestFirst } from '../../common/collections/oldest-first.ts';
import { Unavailable } from '../../common/unavailable.ts';
import {
  type Attempt,
  type Execution,
  type PreparedStore,
  type PreparedTransaction,
  TooManyExecutions,
} from './store.ts';

export interface MemoryPreparedStoreOptions {
  /** The maximum number of waiting transactions, and of remembered executions. */
  readonly capacity: number;
  /** What is executed, in the plural, for refusals: `swaps`. */
  readonly what: string;
  /** Unix milliseconds. */
  readonly now: () => number;
}

interface Waiting<Prepared> {
  readonly prepared: Prepared;
  readonly since: number;
}

interface Run<Prepared, Answer> {
  readonly prepared: Prepared;
  readonly answer: Promise<Answer>;
}

interface EndedRun<Prepared, Answer> extends Run<Prepared, Answer> {
  readonly endedAt: number;
}

const RETRY_AFTER_SECONDS = 5;
/** Longer than the lifetime of any blockhash. */
const PREPARED_LIFE_MS = 5 * 60_000;
/** For clients that ask again because they missed the answer. */
const ANSWER_LIFE_MS = 10 * 60_000;

/**
 * The store of a single process that hands out and executes all transactions. Its contents do not survive the
 * process.
 */
export class MemoryPreparedStore<Prepared extends PreparedTransaction, Answer>
  implements PreparedStore<Prepared, Answer>
{
  readonly #capacity: number;
  readonly #what: string;
  readonly #now: () => number;
  readonly #waiting = new OldestFirst<string, Waiting<Prepared>>();
  readonly #running = new Map<string, Run<Prepared, Answer>>();
  /** Requests whose transaction may have been sent. */
  readonly #sent: BoundedCache<string, true>;
  readonly #ended = new OldestFirst<string, EndedRun<Prepared, Answer>>();

  constructor({ capacity, what, now }: MemoryPreparedStoreOptions) {
    this.#capacity = capacity;
    this.#what = what;
    this.#now = now;
    this.#sent = new BoundedCache(capacity);
  }

  async put(prepared: Prepared): Promise<void> {
    this.#forgetOld();
    this.#makeRoomToWait(prepared);
    this.#waiting.set(prepared.requestId, { prepared, since: this.#now() });
  }

  async get(requestId: string): Promise<Prepared | null> {
    this.#forgetOld();
    return (this.#waiting.get(requestId) ?? this.#run(requestId))?.prepared ?? null;
  }

  async executeOnce(
    prepared: Prepared,
    run: (attempt: Attempt) => Promise<Execution<Answer>>,
  ): Promise<Answer> {
    this.#forgetOld();
    const known = this.#run(prepared.requestId);
    if (known !== undefined) return known.answer;
    this.#makeRoom();
    const { requestId } = prepared;
    const execution = run({
      mayBeOut: this.#sent.get(requestId) === true,
      noteSending: async () => void this.#sent.set(requestId, true),
      // Nobody else executes what this process has handed out.
      requireHeld: async () => {},
    });
    const answer = execution.then(({ answer }) => answer);
    this.#running.set(requestId, { prepared, answer });
    execution.then(
      ({ final }) => {
        this.#running.delete(requestId);
        if (!final) return;
        this.#waiting.delete(requestId);
        this.#ended.set(requestId, { prepared, answer, endedAt: this.#now() });
      },
      () => this.#running.delete(requestId),
    );
    return answer;
  }

  /**
   * A process that restarts loses the orders and the executions together, so no execution can be running elsewhere.
   */
  async mayHaveForgotten(): Promise<boolean> {
    return false;
  }

  async settled(): Promise<void> {
    await Promise.allSettled(Array.from(this.#running.values(), ({ answer }) => answer));
  }

  #run(requestId: string): Run<Prepared, Answer> | undefined {
    return this.#running.get(requestId) ?? this.#ended.get(requestId);
  }

  #forgetOld(): void {
    const now = this.#now();
    for (let first = this.#waiting.oldest(); first !== null; first = this.#waiting.oldest()) {
      if (now - first[1].since < PREPARED_LIFE_MS) break;
      this.#waiting.delete(first[0]);
    }
    for (let first = this.#ended.oldest(); first !== null; first = this.#ended.oldest()) {
      if (now - first[1].endedAt < ANSWER_LIFE_MS) break;
      this.#ended.delete(first[0]);
    }
  }

  /**
   * New transactions must not displace those that can still be executed: when all waiting ones can land, no more are
   * accepted.
   */
  #makeRoomToWait({ requestId, lastValidBlockHeight }: Prepared): void {
    if (this.#waiting.size < this.#capacity || this.#waiting.get(requestId) !== undefined) return;
    const oldest = this.#waiting.oldest();
    if (oldest === null) return;
    const [oldestId, { prepared }] = oldest;
    // The chain has reached at least this height, because no blockhash lives longer.
    const height = lastValidBlockHeight - MAX_BLOCKHASH_AGE;
    if (prepared.lastValidBlockHeight >= height) {
      throw new Unavailable(
        `${this.#capacity} ${this.#what} wait to be executed; try again in a few seconds`,
        {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        },
      );
    }
    this.#waiting.delete(oldestId);
  }

  #makeRoom(): void {
    if (this.#running.size + this.#ended.size < this.#capacity) return;
    const ended = this.#ended.oldest();
    if (ended === null) {
      throw new TooManyExecutions(this.#capacity, this.#what);
    }
    const [requestId] = ended;
    this.#ended.delete(requestId);
    // A forgotten execution must not run again.
    this.#waiting.delete(requestId);
  }
}
