import type { Timers } from '../../../common/ports/timers.ts';
import type { Address } from '../../../solana/address.ts';
import type { ReportedTransaction, ReportedTransactions, TimeRange } from '../../reported-transactions.ts';
import { PubSub } from '../client/pubsub.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import { CatchUp } from './catch-up.ts';
import { Coverage } from './coverage.ts';
import type { ListedTransaction } from './list-page.ts';
import { readLogs } from './read-logs.ts';
import { ReadQueue } from './read-queue.ts';
import { MAX_SECONDS_APART, type Reported } from './reported.ts';

export interface TransactionReportsOptions {
  readonly client: Pick<RpcClient, 'call'>;
  readonly wsUrl: URL;
  readonly timers: Timers;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  /** How many transactions, and lists of transactions, are read in a second at most. */
  readonly readsPerSecond: number;
  /** The number of blocks after its own in which a blockhash can be used. */
  readonly blockhashSlots: number;
  /** Returns the Unix seconds of the network. */
  readonly now: () => number;
  /** @throws OperatorError for a slot that the network cannot have reached */
  readonly requirePlausible: (slot: bigint) => void;
  /** Called with a sentence about an event that the operator may want to know about, and whether it is good news. */
  readonly onNotice: (message: string, isRecovery?: boolean) => void;
}

/** The most signatures that are remembered, so that a transaction that several programs report is read once. */
const MAX_SEEN = 20_000;
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
  readonly #queue: ReadQueue;
  #pubsub: PubSub | null = null;
  #catchUp: CatchUp | null = null;
  #onTransaction: (transaction: ReportedTransaction) => void = () => undefined;

  constructor(options: TransactionReportsOptions) {
    const { client, timers, readsPerSecond, blockhashSlots, onNotice } = options;
    this.#options = options;
    this.#queue = new ReadQueue({
      client,
      timers,
      readsPerSecond,
      blockhashSlots,
      onRead: (transaction) => this.#onTransaction(transaction),
      onGivenUp: (reported) => this.#forget(reported),
      onMisdated: (time) => this.#coverage.miss(time),
      onNotice,
    });
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
    return !this.#queue.hasUnread(isLate) && this.#coverage.isComplete(range);
  }

  resume(passedOn: TimeRange): void {
    this.#coverage.resume(passedOn);
  }

  lastPassedOn(): TimeRange | null {
    let end = this.#options.now();
    for (const { at, onEnd } of this.#queue.unread()) if (onEnd === null) end = Math.min(end, at);
    return this.#coverage.lastComplete(end - MAX_SECONDS_APART);
  }

  close(): void {
    this.#pubsub?.close();
    this.#pubsub = null;
    this.#catchUp?.close();
    this.#catchUp = null;
    this.#queue.close();
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
    this.#queue.add({ signature, slot, at, attempts: 0, onEnd: null });
  }

  #openCatchUp(programs: readonly Address[]): CatchUp {
    const { client, timers, now, onNotice } = this.#options;
    return new CatchUp({
      client,
      programs,
      coverage: this.#coverage,
      timers,
      now,
      turn: () => this.#queue.turn(),
      isKnown: (signature) => this.#seen.has(signature),
      remembersSince: (time) => time - MAX_SECONDS_APART > this.#forgottenAt,
      read: (listed) => this.#readListed(listed),
      onNotice,
    });
  }

  /** It may have been reported in the meantime. If it is not passed on then, its time becomes a gap again. */
  #readListed({ signature, slot, time }: ListedTransaction): Promise<boolean> {
    if (this.#pubsub === null) return Promise.resolve(false);
    if (this.#seen.has(signature)) return Promise.resolve(true);
    this.#remember(signature, time);
    return new Promise((onEnd) => this.#queue.read({ signature, slot, at: time, attempts: 0, onEnd }));
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

  /** Forgets a transaction that is not read after all, so that it can be read when its gap is filled. */
  #forget({ signature, at, onEnd }: Reported): void {
    this.#seen.delete(signature);
    if (onEnd === null) this.#coverage.miss(at);
  }
}
