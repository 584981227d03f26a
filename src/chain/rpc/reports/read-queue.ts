import { OperatorError } from '../../../common/operator-error.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import { ChainUnavailable } from '../../chain.ts';
import type { ReportedTransaction } from '../../reported-transactions.ts';
import { type RpcClient, RpcRefusal } from '../client/rpc-client.ts';
import { readReported } from './read-reported.ts';
import { isPlausible, type Reported } from './reported.ts';

export interface ReadQueueOptions {
  /** It paces the calls, at `readsPerSecond`. */
  readonly client: Pick<RpcClient, 'call'>;
  readonly timers: Timers;
  /** How many transactions, and lists of transactions, are read in a second at most. Only a notice says it here. */
  readonly readsPerSecond: number;
  /** The number of blocks after its own in which a blockhash can be used. */
  readonly blockhashSlots: number;
  /** Called with each transaction that was read, in the order in which they were added. If it throws, the transaction is given up. */
  readonly onRead: (transaction: ReportedTransaction) => void;
  /** Called with each transaction that is not read after all. */
  readonly onGivenUp: (reported: Reported) => void;
  /** Called with the time of a transaction that was given up because it is too far from the time of its report. */
  readonly onMisdated: (time: number) => void;
  /** Called with a sentence about an event that the operator may want to know about. */
  readonly onNotice: (message: string) => void;
}

/** The most transactions that wait to be read. Beyond it, the oldest are left out. */
const MAX_WAITING = 1_000;
/** The most transactions that are read at a time, or wait for the pace of the calls. */
const MAX_READS = 4;
/** How often a transaction is asked for when the node does not have it yet. */
const MAX_ATTEMPTS = 3;
const RETRY_MS = 1_000;

/**
 * Reads transactions with `getTransaction`, a few at a time. What its client's pace leaves goes to calls for transactions
 * that were not reported.
 */
export class ReadQueue {
  readonly #options: ReadQueueOptions;
  /** The oldest first. */
  readonly #waiting: Reported[] = [];
  readonly #reading = new Set<Reported>();
  /** Those whose reading failed, and which are read again after a while. */
  readonly #retrying = new Set<Reported>();
  /** Transactions are passed on in the order in which they were added. */
  #delivery: Promise<void> = Promise.resolve();
  /** Calls for transactions that were not reported. They wait until none is waiting that was. */
  readonly #turns: (() => void)[] = [];
  #isOverloaded = false;
  #isFailing = false;

  constructor(options: ReadQueueOptions) {
    this.#options = options;
  }

  /** Returns the transactions that are not read yet. */
  unread(): readonly Reported[] {
    return [...this.#waiting, ...this.#reading, ...this.#retrying];
  }

  /** Returns whether a transaction that is not read yet matches. Of those that wait, only the oldest is looked at. */
  hasUnread(matches: (reported: Reported) => boolean): boolean {
    const [oldest] = this.#waiting;
    if (oldest !== undefined && matches(oldest)) return true;
    return [...this.#reading, ...this.#retrying].some(matches);
  }

  /** Adds a transaction that was reported. If too many are waiting, the oldest is given up. */
  add(reported: Reported): void {
    if (reported.attempts === 0) this.#waiting.push(reported);
    else this.#waiting.unshift(reported);
    if (this.#waiting.length > MAX_WAITING) {
      const left = this.#waiting.shift();
      if (left !== undefined) this.#giveUp(left);
      if (!this.#isOverloaded) {
        this.#isOverloaded = true;
        this.#options.onNotice(
          `more transactions have trades than the ${this.#options.readsPerSecond} a second that rpc-transactions-per-second allows to read: volumes of these minutes are left out`,
        );
      }
    }
    this.#readNext();
  }

  /** Resolves when no reported transaction waits and one may be read that was not reported, and when the queue is closed. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#turns.push(resolve);
      this.#readNext();
    });
  }

  /** Reads a transaction at once. */
  read(reported: Reported): void {
    this.#reading.add(reported);
    const asked = this.#ask(reported);
    this.#delivery = this.#delivery.then(async () => {
      const found = await asked;
      // It was given up in the meantime, and counts as missed.
      if (!this.#reading.delete(reported)) return;
      if (found === 'retry') this.#retry(reported);
      else if (found === 'unreadable') this.#giveUp(reported);
      else this.#pass(found, reported);
      this.#readNext();
    });
  }

  /** Gives up everything that is not read yet. The queue can be used again. */
  close(): void {
    for (const go of this.#turns.splice(0)) go();
    const unread = this.unread();
    this.#waiting.length = 0;
    this.#reading.clear();
    this.#retrying.clear();
    for (const each of unread) this.#giveUp(each);
  }

  #readNext(): void {
    while (this.#reading.size < MAX_READS) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.read(next);
    }
    if (this.#waiting.length > 0) return;
    this.#isOverloaded = false;
    if (this.#reading.size < MAX_READS) this.#turns.shift()?.();
  }

  /** Never rejects. */
  async #ask(reported: Reported): Promise<ReportedTransaction | 'retry' | 'unreadable'> {
    const { client, blockhashSlots, onMisdated } = this.#options;
    try {
      const found = await readReported(client, reported.signature);
      if (found === null) return 'retry';
      if (isPlausible(found, reported, BigInt(blockhashSlots))) return found;
      // The network's clock may have been ahead of what was known of it: then its own time lacks the transaction.
      if (reported.onEnd === null) onMisdated(Number(found.time));
      return 'unreadable';
    } catch (error) {
      if (error instanceof ChainUnavailable) return 'retry';
      if (!(error instanceof RpcRefusal || error instanceof OperatorError))
        this.#noticeFailure(reported, error);
      return 'unreadable';
    }
  }

  /** Nothing that a transaction holds may end the delivery of those after it. */
  #pass(found: ReportedTransaction, reported: Reported): void {
    try {
      this.#options.onRead(found);
      this.#isFailing = false;
      reported.onEnd?.(true);
    } catch (error) {
      this.#noticeFailure(reported, error);
      this.#giveUp(reported);
    }
  }

  #retry(reported: Reported): void {
    const attempts = reported.attempts + 1;
    if (attempts >= MAX_ATTEMPTS) {
      this.#giveUp(reported);
      return;
    }
    const again = { ...reported, attempts };
    this.#retrying.add(again);
    this.#options.timers.after(RETRY_MS, () => {
      // False when it was given up in the meantime.
      if (this.#retrying.delete(again)) this.add(again);
    });
  }

  #giveUp(reported: Reported): void {
    this.#options.onGivenUp(reported);
    reported.onEnd?.(false);
  }

  /** Only the first failure in a row is noticed, because a node that lies could fill the log otherwise. */
  #noticeFailure({ signature }: Reported, error: unknown): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#options.onNotice(
      `transaction ${signature} cannot be taken in, and its trades are left out: ${error}`,
    );
  }
}
