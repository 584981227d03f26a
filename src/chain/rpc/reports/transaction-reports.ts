import type { Timers } from '../../../common/ports/timers.ts';
import type { Address } from '../../../solana/address.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import { ChainUnavailable } from '../../chain.ts';
import type { ReportedTransaction, ReportedTransactions } from '../../reported-transactions.ts';
import { PubSub } from '../client/pubsub.ts';
import { type RpcClient, RpcRefusal } from '../client/rpc-client.ts';
import { Coverage } from './coverage.ts';
import { readLogs } from './read-logs.ts';
import { readReported } from './read-reported.ts';

export interface TransactionReportsOptions {
  readonly client: Pick<RpcClient, 'call'>;
  readonly wsUrl: URL;
  readonly timers: Timers;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  /** How many transactions are read in a second at most. */
  readonly readsPerSecond: number;
  /** Returns the Unix seconds of the network. */
  readonly now: () => number;
  /** @throws OperatorError for a slot that the network cannot have reached */
  readonly requirePlausible: (slot: bigint) => void;
  /** Called with a sentence about an event that the operator may want to know about, and whether it is good news. */
  readonly onNotice: (message: string, isRecovery?: boolean) => void;
}

/** A transaction that was reported and is not read yet. */
interface Reported {
  readonly signature: string;
  readonly slot: bigint;
  /** Unix seconds of the network. */
  readonly at: number;
  readonly attempts: number;
}

/** The most transactions that wait to be read. Beyond it, the oldest are left out. */
const MAX_WAITING = 1_000;
/** The most transactions that are read at a time. */
const MAX_READS = 4;
/** The most signatures that are remembered, so that a transaction that several programs report is read once. */
const MAX_SEEN = 20_000;
/** How often a transaction is asked for when the node does not have it yet. */
const MAX_ATTEMPTS = 3;
const RETRY_MS = 1_000;
/** A transaction that has waited for longer makes its time incomplete until it is read, in seconds. */
const WAIT_GRACE = 10;
/** How far a transaction may be from the slot and the time at which it was reported. */
const MAX_SLOTS_APART = 150n;
const MAX_SECONDS_APART = 120;

/**
 * Follows transactions by `logsSubscribe` and reads each with `getTransaction`, within a budget of calls. It has a
 * WebSocket of its own, so that a flood of logs does not end the subscriptions of accounts.
 */
export class TransactionReports implements ReportedTransactions {
  readonly #options: TransactionReportsOptions;
  readonly #coverage = new Coverage();
  readonly #seen = new Set<string>();
  /** The oldest first. */
  readonly #waiting: Reported[] = [];
  readonly #reading = new Set<Reported>();
  /** Those whose reading failed, and which are read again after a while. */
  readonly #retrying = new Set<Reported>();
  /** Transactions are passed on in the order in which they were reported. */
  #delivery: Promise<void> = Promise.resolve();
  #pubsub: PubSub | null = null;
  #onTransaction: (transaction: ReportedTransaction) => void = () => undefined;
  #nextReadAt = 0;
  #cancelRead: (() => void) | null = null;
  #isOverloaded = false;
  #isFailing = false;

  constructor(options: TransactionReportsOptions) {
    this.#options = options;
  }

  watch(programs: readonly Address[], onTransaction: (transaction: ReportedTransaction) => void): () => void {
    const { wsUrl, timers, random, now } = this.#options;
    this.close();
    this.#onTransaction = onTransaction;
    const watched = new Set(programs);
    const active = new Set<Address>();
    const pubsub = new PubSub({
      url: wsUrl,
      timers,
      random,
      maxSubscriptions: watched.size,
      onUp: () => undefined,
      onDown: () => this.#coverage.lose(now()),
    });
    this.#pubsub = pubsub;
    for (const program of watched) {
      pubsub.subscribe({
        kind: 'logs',
        params: [{ mentions: [program] }, { commitment: 'confirmed' }],
        onActive: () => {
          active.add(program);
          if (active.size === watched.size) this.#coverage.begin(now());
        },
        onLost: () => active.delete(program),
        onNotification: (result) => this.#note(result, program),
      });
    }
    return () => {
      if (this.#pubsub === pubsub) this.close();
    };
  }

  isComplete(range: { readonly from: number; readonly to: number }): boolean {
    const late = this.#options.now() - WAIT_GRACE;
    const isLate = ({ at }: Reported) => at < late && at - MAX_SECONDS_APART < range.to;
    const [oldest] = this.#waiting;
    if (oldest !== undefined && isLate(oldest)) return false;
    if ([...this.#reading, ...this.#retrying].some(isLate)) return false;
    return this.#coverage.isComplete(range);
  }

  close(): void {
    this.#pubsub?.close();
    this.#pubsub = null;
    this.#cancelRead?.();
    this.#cancelRead = null;
    for (const { at } of [...this.#waiting, ...this.#reading, ...this.#retrying]) this.#coverage.miss(at);
    this.#waiting.length = 0;
    this.#reading.clear();
    this.#retrying.clear();
    // A transaction that was not read is read when it is reported again after the next start.
    this.#seen.clear();
    this.#onTransaction = () => undefined;
    this.#coverage.lose(this.#options.now());
  }

  /** @throws OperatorError for a notification that cannot be true */
  #note(result: unknown, program: Address): void {
    const { slot, signature, mayCall } = readLogs(result, program);
    this.#options.requirePlausible(slot);
    if (!mayCall || this.#seen.has(signature)) return;
    this.#seen.add(signature);
    this.#forgetOldest();
    this.#enqueue({ signature, slot, at: this.#options.now(), attempts: 0 });
  }

  /** A set is read in the order in which its elements were added. */
  #forgetOldest(): void {
    if (this.#seen.size <= MAX_SEEN) return;
    const { value } = this.#seen.values().next();
    if (value !== undefined) this.#seen.delete(value);
  }

  #enqueue(reported: Reported): void {
    if (reported.attempts === 0) this.#waiting.push(reported);
    else this.#waiting.unshift(reported);
    if (this.#waiting.length > MAX_WAITING) {
      const left = this.#waiting.shift();
      if (left !== undefined) this.#coverage.miss(left.at);
      if (!this.#isOverloaded) {
        this.#isOverloaded = true;
        this.#options.onNotice(
          `more transactions have trades than the ${this.#options.readsPerSecond} a second that rpc-transactions-per-second allows to read: volumes of these minutes are left out`,
        );
      }
    }
    this.#readLater();
  }

  #readLater(): void {
    const { timers, readsPerSecond } = this.#options;
    if (this.#cancelRead !== null || this.#waiting.length === 0 || this.#reading.size >= MAX_READS) return;
    const interval = 1_000 / readsPerSecond;
    // The local clock can be set back.
    const wait = Math.min(Math.max(this.#nextReadAt - timers.now(), 0), interval);
    this.#cancelRead = timers.after(wait, () => {
      this.#cancelRead = null;
      this.#nextReadAt = timers.now() + interval;
      const next = this.#waiting.shift();
      if (next !== undefined) this.#read(next);
      if (this.#waiting.length === 0) this.#isOverloaded = false;
      this.#readLater();
    });
  }

  #read(reported: Reported): void {
    this.#reading.add(reported);
    const asked = this.#ask(reported);
    this.#delivery = this.#delivery.then(async () => {
      const found = await asked;
      // It was given up in the meantime, and counts as missed.
      if (!this.#reading.delete(reported)) return;
      if (found === 'retry') this.#retry(reported);
      else if (found === 'unreadable') this.#coverage.miss(reported.at);
      else this.#pass(found, reported);
      this.#readLater();
    });
  }

  /** Nothing that a transaction holds may end the delivery of those after it. */
  #pass(found: ReportedTransaction, reported: Reported): void {
    try {
      this.#onTransaction(found);
      this.#isFailing = false;
    } catch (error) {
      this.#fail(reported, error);
    }
  }

  /** Tells of the first failure in a row only, because a node that lies could fill the log otherwise. */
  #fail({ signature, at }: Reported, error: unknown): void {
    this.#coverage.miss(at);
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#options.onNotice(
      `transaction ${signature} cannot be taken in, and its trades are left out: ${error}`,
    );
  }

  /** Never rejects. */
  async #ask(reported: Reported): Promise<ReportedTransaction | 'retry' | 'unreadable'> {
    try {
      const found = await readReported(this.#options.client, reported.signature);
      if (found === null) return 'retry';
      return this.#isPlausible(found, reported) ? found : 'unreadable';
    } catch (error) {
      if (error instanceof ChainUnavailable) return 'retry';
      if (!(error instanceof RpcRefusal || error instanceof OperatorError)) this.#fail(reported, error);
      return 'unreadable';
    }
  }

  #isPlausible({ slot, time }: ReportedTransaction, reported: Reported): boolean {
    const apart = slot > reported.slot ? slot - reported.slot : reported.slot - slot;
    return apart <= MAX_SLOTS_APART && Math.abs(Number(time) - reported.at) <= MAX_SECONDS_APART;
  }

  #retry(reported: Reported): void {
    const attempts = reported.attempts + 1;
    if (attempts >= MAX_ATTEMPTS || this.#pubsub === null) {
      this.#coverage.miss(reported.at);
      return;
    }
    const again = { ...reported, attempts };
    this.#retrying.add(again);
    this.#options.timers.after(RETRY_MS, () => {
      // False when it was given up in the meantime.
      if (this.#retrying.delete(again)) this.#enqueue(again);
    });
  }
}
