import type { Timers } from '../../../common/ports/timers.ts';
import type { Address } from '../../../solana/address.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import { ChainUnavailable } from '../../chain.ts';
import type { ReportedTransaction, ReportedTransactions, TimeRange } from '../../reported-transactions.ts';
import { PubSub } from '../client/pubsub.ts';
import { type RpcClient, RpcRefusal } from '../client/rpc-client.ts';
import { CatchUp } from './catch-up.ts';
import { Coverage } from './coverage.ts';
import type { Listed } from './list-page.ts';
import { readLogs } from './read-logs.ts';
import { isPlausible, MAX_SECONDS_APART, type Reported } from './reported.ts';
import { readReported } from './read-reported.ts';

export interface TransactionReportsOptions {
  readonly client: Pick<RpcClient, 'call'>;
  readonly wsUrl: URL;
  readonly timers: Timers;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  /** How many transactions, and lists of transactions, are read in a second at most. */
  readonly readsPerSecond: number;
  /** Returns the Unix seconds of the network. */
  readonly now: () => number;
  /** @throws OperatorError for a slot that the network cannot have reached */
  readonly requirePlausible: (slot: bigint) => void;
  /** Called with a sentence about an event that the operator may want to know about, and whether it is good news. */
  readonly onNotice: (message: string, isRecovery?: boolean) => void;
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
/**
 * Follows transactions by `logsSubscribe` and reads each with `getTransaction`, within a budget of calls; what is left of it
 * goes to transactions that were not reported. It has a WebSocket of its own, so that a flood of logs does not end the
 * subscriptions of accounts.
 */
export class TransactionReports implements ReportedTransactions {
  readonly #options: TransactionReportsOptions;
  readonly #coverage = new Coverage();
  /** When transactions were reported that were passed on or are being read, by their signatures, the oldest first. */
  readonly #seen = new Map<string, number>();
  /** The last time of a transaction that is no longer in `#seen`. */
  #forgottenAt = Number.NEGATIVE_INFINITY;
  /** The oldest first. */
  readonly #waiting: Reported[] = [];
  readonly #reading = new Set<Reported>();
  /** Those whose reading failed, and which are read again after a while. */
  readonly #retrying = new Set<Reported>();
  /** Transactions are passed on in the order in which they were reported. */
  #delivery: Promise<void> = Promise.resolve();
  /** Calls for transactions that were not reported. They wait until none is waiting that was. */
  readonly #turns: (() => void)[] = [];
  #pubsub: PubSub | null = null;
  #catchUp: CatchUp | null = null;
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
    this.#catchUp = this.#openCatchUp([...watched]);
    return () => {
      if (this.#pubsub === pubsub) this.close();
    };
  }

  isFollowing(): boolean {
    return this.#coverage.isReported;
  }

  isComplete(range: TimeRange): boolean {
    const late = this.#options.now() - WAIT_GRACE;
    // One that was listed for a gap is late as long as the gap is open.
    const isLate = ({ at, onEnd }: Reported) =>
      onEnd === null && at < late && at - MAX_SECONDS_APART < range.to;
    const [oldest] = this.#waiting;
    if (oldest !== undefined && isLate(oldest)) return false;
    if ([...this.#reading, ...this.#retrying].some(isLate)) return false;
    return this.#coverage.isComplete(range);
  }

  resume(passedOn: TimeRange): void {
    this.#coverage.resume(passedOn);
  }

  lastPassedOn(): TimeRange | null {
    let end = this.#options.now();
    for (const { at, onEnd } of this.#unread()) if (onEnd === null) end = Math.min(end, at);
    return this.#coverage.lastComplete(end - MAX_SECONDS_APART);
  }

  close(): void {
    this.#pubsub?.close();
    this.#pubsub = null;
    this.#catchUp?.close();
    this.#catchUp = null;
    for (const go of this.#turns.splice(0)) go();
    this.#cancelRead?.();
    this.#cancelRead = null;
    for (const each of this.#unread()) this.#giveUp(each);
    this.#waiting.length = 0;
    this.#reading.clear();
    this.#retrying.clear();
    // A transaction that was not read is read when it is reported again after the next start.
    this.#seen.clear();
    this.#forgottenAt = Number.NEGATIVE_INFINITY;
    this.#onTransaction = () => undefined;
    this.#coverage.lose(this.#options.now());
  }

  /** @throws OperatorError for a notification that cannot be true */
  #note(result: unknown, program: Address): void {
    const { slot, signature, mayCall } = readLogs(result, program);
    this.#options.requirePlausible(slot);
    if (!mayCall || this.#seen.has(signature)) return;
    const at = this.#options.now();
    this.#remember(signature, at);
    this.#enqueue({ signature, slot, at, attempts: 0, onEnd: null });
  }

  #openCatchUp(programs: readonly Address[]): CatchUp {
    const { client, timers, now, onNotice } = this.#options;
    return new CatchUp({
      client,
      programs,
      coverage: this.#coverage,
      timers,
      now,
      turn: () =>
        new Promise((resolve) => {
          this.#turns.push(resolve);
          this.#readLater();
        }),
      isKnown: (signature) => this.#seen.has(signature),
      remembersSince: (time) => time - MAX_SECONDS_APART > this.#forgottenAt,
      read: (listed) => this.#readListed(listed),
      onNotice,
    });
  }

  /** It may have been reported in the meantime. If it is not passed on then, its time becomes a gap again. */
  #readListed({ signature, slot, time }: Listed): Promise<boolean> {
    if (this.#pubsub === null) return Promise.resolve(false);
    if (this.#seen.has(signature)) return Promise.resolve(true);
    this.#remember(signature, time);
    return new Promise((onEnd) => this.#read({ signature, slot, at: time, attempts: 0, onEnd }));
  }

  /** A map is read in the order in which its elements were added. */
  #remember(signature: string, at: number): void {
    this.#seen.set(signature, at);
    if (this.#seen.size <= MAX_SEEN) return;
    const { value: oldest } = this.#seen.entries().next();
    if (oldest === undefined) return;
    this.#seen.delete(oldest[0]);
    this.#forgottenAt = Math.max(this.#forgottenAt, oldest[1]);
  }

  #unread(): readonly Reported[] {
    return [...this.#waiting, ...this.#reading, ...this.#retrying];
  }

  /** Forgets the signature too, so that the transaction can be read when its gap is filled. */
  #giveUp({ signature, at, onEnd }: Reported): void {
    this.#seen.delete(signature);
    if (onEnd === null) this.#coverage.miss(at);
    else onEnd(false);
  }

  #enqueue(reported: Reported): void {
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
    this.#readLater();
  }

  #readLater(): void {
    const { timers, readsPerSecond } = this.#options;
    if (this.#cancelRead !== null || this.#reading.size >= MAX_READS) return;
    if (this.#waiting.length === 0 && this.#turns.length === 0) return;
    const interval = 1_000 / readsPerSecond;
    // The local clock can be set back.
    const wait = Math.min(Math.max(this.#nextReadAt - timers.now(), 0), interval);
    this.#cancelRead = timers.after(wait, () => {
      this.#cancelRead = null;
      this.#nextReadAt = timers.now() + interval;
      const next = this.#waiting.shift();
      if (next === undefined) this.#turns.shift()?.();
      else this.#read(next);
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
      else if (found === 'unreadable') this.#giveUp(reported);
      else this.#pass(found, reported);
      this.#readLater();
    });
  }

  /** Nothing that a transaction holds may end the delivery of those after it. */
  #pass(found: ReportedTransaction, reported: Reported): void {
    try {
      this.#onTransaction(found);
      this.#isFailing = false;
      reported.onEnd?.(true);
    } catch (error) {
      this.#fail(reported, error);
    }
  }

  /** Tells of the first failure in a row only, because a node that lies could fill the log otherwise. */
  #fail(reported: Reported, error: unknown): void {
    this.#giveUp(reported);
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#options.onNotice(
      `transaction ${reported.signature} cannot be taken in, and its trades are left out: ${error}`,
    );
  }

  /** Never rejects. */
  async #ask(reported: Reported): Promise<ReportedTransaction | 'retry' | 'unreadable'> {
    try {
      const found = await readReported(this.#options.client, reported.signature);
      if (found === null) return 'retry';
      if (isPlausible(found, reported)) return found;
      // The network's clock may have been ahead of what was known of it: then its own time lacks the transaction.
      if (reported.onEnd === null) this.#coverage.miss(Number(found.time));
      return 'unreadable';
    } catch (error) {
      if (error instanceof ChainUnavailable) return 'retry';
      if (!(error instanceof RpcRefusal || error instanceof OperatorError)) this.#fail(reported, error);
      return 'unreadable';
    }
  }

  #retry(reported: Reported): void {
    const attempts = reported.attempts + 1;
    if (attempts >= MAX_ATTEMPTS || this.#pubsub === null) {
      this.#giveUp(reported);
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
