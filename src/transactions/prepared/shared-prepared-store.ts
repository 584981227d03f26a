import { BoundedCache } from '../../common/collections/bounded-cache.ts';
import { OldestFirst } from '../../common/collections/oldest-first.ts';
import { PartyShares } from '../../common/collections/fair-shares.ts';
import { getCurrentWorker } from '../../common/party.ts';
import type { ExecutionStore } from '../../common/ports/execution-store.ts';
import { type Timers, wait } from '../../common/ports/timers.ts';
import { parsePlain, serializePlain } from '../../common/plain-data.ts';
import { Unavailable } from '../../common/unavailable.ts';
import {
  type Attempt,
  type AttemptEnd,
  type PreparedStore,
  type PreparedTransaction,
  TooManyExecutions,
} from './store.ts';
import { HeldRun } from './held-run.ts';
import { PREPARED_LIFE_MS, WaitingPlaces } from './waiting-places.ts';

/** How answers are encoded for the other instances. */
export interface AnswerText<Answer> {
  write(answer: Answer): string;
  /** @param text - Written by `write`, in this process or another. */
  read(text: string): Answer;
}

export interface SharedPreparedStoreOptions<Answer> {
  /** Set up as `getPreparedStoreOptions` says. */
  readonly executions: ExecutionStore;
  readonly answers: AnswerText<Answer>;
  /** What is executed, in the plural, for refusals: `swaps`. */
  readonly what: string;
  /**
   * The maximum number of transactions that this process has handed out and that wait, and of executions that run in it.
   * Each party has a share of both.
   */
  readonly capacity: number;
  /** The height of the network's newest confirmed block. */
  readonly height: () => bigint;
  readonly timers: Timers;
  readonly newHolder: () => string;
  /** Called when something failed that the client need not know about; the request is still answered. */
  readonly onDefect: (error: unknown) => void;
}

const LIVES = {
  taskLifeMs: PREPARED_LIFE_MS,
  /** When a process is killed, another one takes over within this time. */
  leaseMs: 10_000,
  /** For clients that ask again because they missed the answer. */
  answerLifeMs: 10 * 60_000,
} as const;

/**
 * Returns how the `ExecutionStore` of a `SharedPreparedStore` must be set up.
 * @param kind - Separates the transactions of one product from those of another.
 * @param whenLost - The message for clients while the shared state does not answer.
 */
export function getPreparedStoreOptions(kind: string, whenLost: string) {
  return {
    kind,
    whenLost,
    taskLifeMs: LIVES.taskLifeMs,
    leaseMs: LIVES.leaseMs,
    answerLifeMs: LIVES.answerLifeMs,
  };
}

const ASK_AGAIN_MS = 250;
/** Longer than a transaction may take to land. */
const MAX_WAIT_MS = 150_000;
const WRITE_AGAIN_MS = 1_000;
/** By then, the instance that executes has renewed its lease at least once. */
const KNOWN_AGAIN_MS = LIVES.leaseMs / 3 + 1_500;

interface KnownPrepared<Prepared, Answer> {
  readonly prepared: Prepared;
  readonly answer: Promise<Answer>;
}

type RunAttempt<Answer> = (attempt: Attempt) => Promise<AttemptEnd<Answer>>;

/**
 * Shares transactions between instances: one hands a transaction out, any of them executes it, and all return its one
 * answer. If the executing instance is killed, the next one that is asked takes over. It sends the same message,
 * which the network executes only once.
 */
export class SharedPreparedStore<Prepared extends PreparedTransaction, Answer>
  implements PreparedStore<Prepared, Answer>
{
  readonly #options: SharedPreparedStoreOptions<Answer>;
  /** Executions whose answer is not yet written where other instances can read it. */
  readonly #running = new Map<string, KnownPrepared<Prepared, Answer> & { readonly giveBack: () => void }>();
  readonly #runs: PartyShares;
  /** The transactions that this process has stored on the server. */
  readonly #waiting: WaitingPlaces<Pick<Prepared, 'requestId' | 'lastValidBlockHeight'>>;
  /** Kept for as long as the server keeps answers, in case the server loses them. */
  readonly #ended = new OldestFirst<string, KnownPrepared<Prepared, Answer> & { readonly endedAt: number }>();
  readonly #toWrite = new Set<Promise<void>>();
  /** Requests whose transaction this process may have sent. */
  readonly #sent: BoundedCache<string, true>;

  constructor(options: SharedPreparedStoreOptions<Answer>) {
    this.#options = options;
    this.#sent = new BoundedCache(options.capacity);
    this.#runs = new PartyShares(options.capacity);
    const { capacity, what, timers, height } = options;
    this.#waiting = new WaitingPlaces({ capacity, what, timers, height });
    // From now on a gap is noticed. A server that is away reports it when it is needed.
    options.executions.age().catch(ifLost).catch(options.onDefect);
  }

  async put(prepared: Prepared): Promise<void> {
    const { requestId, lastValidBlockHeight } = prepared;
    this.#waiting.put({ requestId, lastValidBlockHeight });
    try {
      await this.#options.executions.put(requestId, serializePlain(prepared));
    } catch (error) {
      // It is not handed out then.
      this.#waiting.delete(requestId);
      throw error;
    }
  }

  /** Finds what this process executes or has executed, also while the server does not have it. */
  async get(requestId: string): Promise<Prepared | null> {
    this.#forgetOld();
    const here = this.#running.get(requestId) ?? this.#ended.get(requestId);
    if (here !== undefined) return here.prepared;
    const text = await this.#options.executions.get(requestId);
    return text === null ? null : (parsePlain(text) as Prepared);
  }

  async mayHaveForgotten(): Promise<boolean> {
    return (await this.#options.executions.age()) < KNOWN_AGAIN_MS;
  }

  executeOnce(prepared: Prepared, run: RunAttempt<Answer>): Promise<Answer> {
    const { requestId } = prepared;
    const known = this.#running.get(requestId);
    if (known !== undefined) return known.answer;
    const { capacity, what } = this.#options;
    const giveBack = this.#runs.take(getCurrentWorker());
    if (giveBack === null) return Promise.reject(new TooManyExecutions(capacity, what));
    const answer = this.#beginOrWait(prepared, run);
    this.#running.set(requestId, { prepared, answer, giveBack });
    answer.catch(() => this.#stopRunning(requestId));
    return answer;
  }

  async settled(): Promise<void> {
    await Promise.allSettled(Array.from(this.#running.values(), ({ answer }) => answer));
    await Promise.allSettled(this.#toWrite);
  }

  async #beginOrWait(prepared: Prepared, run: RunAttempt<Answer>): Promise<Answer> {
    const { timers, newHolder } = this.#options;
    const holder = newHolder();
    const giveUpAt = timers.now() + MAX_WAIT_MS;
    for (let wasHeld = false; timers.now() < giveUpAt; wasHeld = true) {
      // If another process held the execution a moment ago, it is not free because the server lost it.
      if (!(wasHeld && (await this.mayHaveForgotten()))) {
        const begun = await this.#begin(prepared, holder, run);
        if (begun !== null) return begun.answer;
      }
      await wait(ASK_AGAIN_MS, this.#options.timers);
    }
    throw new Unavailable('another instance is still executing this request; ask again');
  }

  /** Returns null while another process holds the execution. */
  async #begin(
    prepared: Prepared,
    holder: string,
    run: RunAttempt<Answer>,
  ): Promise<{ readonly answer: Answer } | null> {
    const { requestId } = prepared;
    const ended = this.#ended.get(requestId);
    const task = serializePlain(prepared);
    const begunAt = this.#options.timers.now();
    const beginning = await this.#options.executions.begin(requestId, task, holder).catch((error) => {
      if (ended !== undefined && error instanceof Unavailable) return null;
      throw error;
    });
    if (beginning?.kind === 'held') return null;
    if (beginning?.kind === 'ended') {
      this.#stopRunning(requestId);
      return { answer: this.#options.answers.read(beginning.answer) };
    }
    if (ended === undefined) {
      const isMarked = beginning?.isMarked === true;
      return { answer: await this.#run(prepared, holder, run, { task, isMarked, begunAt }) };
    }
    // The server lost what this process knows, or is away.
    const answer = await ended.answer;
    if (beginning !== null) this.#write(prepared, holder, this.#options.answers.write(answer));
    else this.#stopRunning(requestId);
    return { answer };
  }

  #stopRunning(requestId: string): void {
    this.#running.get(requestId)?.giveBack();
    this.#running.delete(requestId);
  }

  async #run(
    prepared: Prepared,
    holder: string,
    run: RunAttempt<Answer>,
    begun: { readonly task: string; readonly isMarked: boolean; readonly begunAt: number },
  ): Promise<Answer> {
    const { requestId } = prepared;
    const { executions, timers } = this.#options;
    const { task, isMarked, begunAt } = begun;
    const { leaseMs } = LIVES;
    const held = new HeldRun({ executions, timers, requestId, task, holder, leaseMs, begunAt });
    const attempt: Attempt = {
      mayBeOut: isMarked || this.#sent.get(requestId) === true,
      noteSending: async () => {
        await held.noteSending();
        this.#sent.set(requestId, true);
      },
      requireHeld: () => held.requireHeld(),
    };
    try {
      const { final, answer } = await run(attempt);
      if (final) this.#remember(prepared, answer);
      this.#write(prepared, holder, final ? this.#options.answers.write(answer) : null);
      return answer;
    } catch (error) {
      this.#write(prepared, holder, null);
      throw error;
    } finally {
      held.stop();
    }
  }

  #remember(prepared: Prepared, answer: Answer): void {
    this.#forgetOld();
    this.#waiting.delete(prepared.requestId);
    const endedAt = this.#options.timers.now();
    this.#ended.set(prepared.requestId, { prepared, answer: Promise.resolve(answer), endedAt });
  }

  #forgetOld(): void {
    const { capacity, timers } = this.#options;
    const since = timers.now() - LIVES.answerLifeMs;
    for (let first = this.#ended.oldest(); first !== null; first = this.#ended.oldest()) {
      if (first[1].endedAt > since && this.#ended.size < capacity) return;
      this.#ended.delete(first[0]);
    }
  }

  /**
   * Retries without end: if the result were lost, a repeated request could not be answered with the outcome of the
   * swap.
   */
  #write(prepared: Prepared, holder: string, answer: string | null): void {
    const { executions, timers, onDefect } = this.#options;
    const { requestId } = prepared;
    const task = serializePlain(prepared);
    const giveUpAt = timers.now() + LIVES.answerLifeMs;
    const attempt = async (): Promise<void> => {
      while (timers.now() < giveUpAt) {
        try {
          return await executions.end(requestId, holder, answer, task);
        } catch (error) {
          if (!(error instanceof Unavailable)) return onDefect(error);
          // A lease that is not released expires by itself.
          if (answer === null) return;
          await wait(WRITE_AGAIN_MS, this.#options.timers);
        }
      }
    };
    const written = attempt().finally(() => {
      this.#stopRunning(requestId);
      this.#toWrite.delete(written);
    });
    this.#toWrite.add(written);
  }
}

function ifLost(error: unknown): void {
  if (!(error instanceof Unavailable)) throw error;
}
