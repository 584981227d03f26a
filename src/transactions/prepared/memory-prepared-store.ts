import { BoundedCache } from '../../common/collections/bounded-cache.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { getCurrentWorker } from '../../common/party.ts';
import { PartyPlaces, WaitingPlaces } from './waiting-places.ts';
import {
  type Attempt,
  type AttemptEnd,
  type PreparedStore,
  type PreparedTransaction,
  TooManyExecutions,
} from './store.ts';

export interface MemoryPreparedStoreOptions {
  /** The maximum number of waiting transactions, and of remembered executions. Each party has a share of both. */
  readonly capacity: number;
  /** What is executed, in the plural, for refusals: `swaps`. */
  readonly what: string;
  readonly timers: Pick<Timers, 'now'>;
  /** The height of the network's newest confirmed block. */
  readonly height: () => bigint;
}

interface MemoryRun<Prepared, Answer> {
  readonly prepared: Prepared;
  readonly answer: Promise<Answer>;
}

interface EndedRun<Prepared, Answer> extends MemoryRun<Prepared, Answer> {
  readonly endedAt: number;
}

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
  readonly #timers: Pick<Timers, 'now'>;
  readonly #waiting: WaitingPlaces<Prepared>;
  readonly #running = new Map<string, MemoryRun<Prepared, Answer>>();
  /** Requests whose transaction may have been sent. */
  readonly #sent: BoundedCache<string, true>;
  /** Those that have ended; those that run hold places here too. */
  readonly #ended: PartyPlaces<EndedRun<Prepared, Answer>>;

  constructor(options: MemoryPreparedStoreOptions) {
    const { capacity, what, timers } = options;
    this.#capacity = capacity;
    this.#what = what;
    this.#timers = timers;
    this.#sent = new BoundedCache(capacity);
    this.#waiting = new WaitingPlaces(options);
    this.#ended = new PartyPlaces({
      capacity,
      mayGo: () => true,
      // A forgotten execution must not run again.
      onGone: (requestId) => this.#waiting.delete(requestId),
    });
  }

  async put(prepared: Prepared): Promise<void> {
    this.#waiting.put(prepared);
  }

  async get(requestId: string): Promise<Prepared | null> {
    this.#forgetOld();
    return this.#waiting.get(requestId) ?? this.#run(requestId)?.prepared ?? null;
  }

  async executeOnce(
    prepared: Prepared,
    run: (attempt: Attempt) => Promise<AttemptEnd<Answer>>,
  ): Promise<Answer> {
    this.#forgetOld();
    const known = this.#run(prepared.requestId);
    if (known !== undefined) return known.answer;
    const place = this.#ended.take(getCurrentWorker());
    if (place === null) throw new TooManyExecutions(this.#capacity, this.#what);
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
        if (!final) return place.giveBack();
        this.#waiting.delete(requestId);
        this.#ended.keep(requestId, { prepared, answer, endedAt: this.#timers.now() }, place);
      },
      () => {
        this.#running.delete(requestId);
        place.giveBack();
      },
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

  #run(requestId: string): MemoryRun<Prepared, Answer> | undefined {
    return this.#running.get(requestId) ?? this.#ended.get(requestId);
  }

  #forgetOld(): void {
    const now = this.#timers.now();
    this.#ended.deleteOldest(({ endedAt }) => now - endedAt >= ANSWER_LIFE_MS);
  }
}
