import { hasBegunAgain, type HistoryCursor, readListedTransactions } from '../address-history.ts';
import type { AddressSignature, Chain } from '../chain.ts';
import type { LandedTransaction } from '../landed-transactions.ts';
import { describeOutageReason, type OutageLog } from '../../common/outage-log.ts';
import { runAs } from '../../common/party.ts';
import { repeatWithPauses, type Timers } from '../../common/ports/timers.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { runOneByOne } from '../../common/work/run-one-by-one.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import { type EmittedEvent, listEmittedEvents } from './emitted-events.ts';
import type { EventRecorder, FollowedProgram } from './followed-program.ts';
import { listLoggedEvents } from './logged-events.ts';
import { MAX_BACKLOG, TransactionBacklog } from './transaction-backlog.ts';

export interface EventFollowerOptions<Step> {
  readonly chain: Pick<Chain, 'signaturesOf' | 'transaction' | 'slot' | 'clock' | 'unhealthy'>;
  readonly program: FollowedProgram<Step>;
  readonly recorder: EventRecorder<Step>;
  /**
   * Whether the network is the instance's own. It then begins with everything that the network still has. Over an outside RPC,
   * which has years of history, it begins with what lands from now on.
   */
  readonly isOwnNetwork: boolean;
  readonly timers: Pick<Timers, 'after' | 'now'>;
  /** Called when a run in the background has failed or succeeded. The next one follows. */
  readonly outage: OutageLog;
  /** Called when events are passed over: those that cannot be decoded, and those of transactions that nobody can read. */
  readonly onDefect: (where: string, error: unknown) => void;
  /** Bounds for tests. */
  readonly bounds?: Partial<FollowingBounds> | undefined;
}

/** How much is done in one run. What is left is done in the next. */
export interface FollowingBounds {
  /** Pages of signatures that are listed. */
  readonly pages: number;
  /** Transactions that are read. */
  readonly transactions: number;
  /** Transactions that wait: when there are more, the oldest are passed over. */
  readonly backlog: number;
}

/** How often it looks for what is new, unless a caller asks for it. */
const READ_EVERY_MS = 2_000;
/** Transactions whose events are recorded together. */
const BATCH = 50;
const BOUNDS: FollowingBounds = { pages: 20, transactions: 1_000, backlog: MAX_BACKLOG };

/** Rejects callers who ask for what is recorded while more transactions wait than one run reads, or when nothing is read any more. */
export class EventsBehind extends Unavailable {
  override readonly name = 'EventsBehind';
}

/**
 * Follows a program by its events, and records what they say. It lists the transactions that name the program's event
 * authority, and reads those behind the cursor in the database, which every instance moves with what it records.
 *
 * Anybody can name that address in transactions. A run reads a bounded number of them, and the next one goes on. If more than
 * 100,000 wait, the oldest are passed over, and reported to `onDefect`.
 */
export class EventFollower<Step> {
  readonly #options: EventFollowerOptions<Step>;
  readonly #bounds: FollowingBounds;
  readonly #backlog: TransactionBacklog;
  readonly #run: () => Promise<void>;
  #stop: () => void = () => undefined;
  #isClosed = false;
  #failure: string | null = null;

  constructor(options: EventFollowerOptions<Step>) {
    const { chain, program, bounds } = options;
    this.#options = options;
    this.#bounds = { ...BOUNDS, ...bounds };
    this.#backlog = new TransactionBacklog({
      chain,
      address: program.eventAuthority,
      maxLength: this.#bounds.backlog,
    });
    // All callers share a run, so it counts as work of the instance, and not as that of the caller who began it.
    this.#run = runOneByOne(() => runAs('own', () => this.#readNew()));
  }

  /** Begins to look for what is new: now, and every two seconds. */
  start(): void {
    const { timers, outage } = this.#options;
    const onError = (error: unknown) => this.#noteFailure(error);
    const follow = async () => {
      // The next run goes on with what this one has left.
      await waitUnlessBehind(this.#run());
      this.#failure = null;
      outage.onAnswer();
    };
    void follow().catch(onError);
    this.#stop = repeatWithPauses(READ_EVERY_MS, follow, timers, onError);
  }

  /**
   * Records everything that was confirmed before the call. Calls that wait at the same time share one run.
   *
   * @throws ChainUnavailable when the network does not answer, or does not return a transaction that it lists.
   * @throws EventsBehind when more transactions wait than one run reads, so that the next run goes on; and after `close`.
   */
  upToNow(): Promise<void> {
    return this.#run();
  }

  /** Returns why the program is not followed now, for the operator; null while it is. */
  unhealthy(): string | null {
    return this.#failure;
  }

  /** Stops, and waits for the recording in progress. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop();
    await this.#run().catch(() => undefined);
  }

  /** A run that `close` has cut short is no outage. */
  #noteFailure(error: unknown): void {
    if (this.#isClosed) return;
    const { outage, program } = this.#options;
    this.#failure = `the events of ${program.name} cannot be followed: ${describeOutageReason(error)}`;
    outage.onFailure(error);
  }

  async #readNew(): Promise<void> {
    if (this.#isClosed) {
      throw new EventsBehind(
        `the events of ${this.#options.program.name} are not read any more, because this instance is ending`,
      );
    }
    const { chain } = this.#options;
    let cursor = await this.#findCursor();
    this.#backlog.moveTo(cursor);
    const dropped = await this.#backlog.list(chain.slot('confirmed'), this.#bounds.pages);
    if (dropped !== null) cursor = await this.#passOver(cursor, dropped);
    for (let read = 0; read < this.#bounds.transactions && !this.#isClosed; read += BATCH) {
      const batch = this.#backlog.next(Math.min(BATCH, this.#bounds.transactions - read));
      const last = batch.at(-1);
      if (last === undefined) break;
      cursor = await this.#move(cursor, last, this.#listSteps(await readListedTransactions(chain, batch)));
    }
    this.#requireNoneLeft();
  }

  #requireNoneLeft(): void {
    const { isListed, length } = this.#backlog;
    if (isListed && length === 0) return;
    const count = isListed ? String(length) : `more than ${length}`;
    throw new EventsBehind(
      `the events of ${this.#options.program.name} are being read, and ${count} transactions are still to be read`,
      { retryAfterSeconds: READ_EVERY_MS / 1_000 },
    );
  }

  /** Begins, or begins again after the network did. */
  async #findCursor(): Promise<HistoryCursor> {
    const { chain, recorder, isOwnNetwork, timers } = this.#options;
    const found = await recorder.findCursor();
    if (found !== null && !hasBegunAgain(chain, found, isOwnNetwork, timers.now())) return found;
    if (found !== null) await recorder.forget(found);
    return recorder.begin(isOwnNetwork ? { signature: null, slot: 0n } : await this.#findNewest());
  }

  async #findNewest(): Promise<HistoryCursor> {
    const { chain, program } = this.#options;
    const asOf = chain.slot('confirmed');
    const [newest] = await chain.signaturesOf(program.eventAuthority, { limit: 1, asOf });
    return newest ?? { signature: null, slot: asOf };
  }

  /** Returns where the cursor is afterwards: further, if another instance has moved it. */
  async #move(
    from: HistoryCursor,
    { signature, slot }: AddressSignature,
    steps: readonly Step[],
  ): Promise<HistoryCursor> {
    const to = { signature, slot };
    const hasMoved = await this.#options.recorder.record(from, to, steps);
    const cursor = hasMoved ? to : await this.#findCursor();
    this.#backlog.moveTo(cursor);
    return cursor;
  }

  async #passOver(from: HistoryCursor, last: AddressSignature): Promise<HistoryCursor> {
    const { onDefect, program } = this.#options;
    onDefect(
      `the events of ${program.name}`,
      new Error(
        `more than ${this.#bounds.backlog} transactions waited; the events up to ${last.signature} in slot ${last.slot} are passed over`,
      ),
    );
    return this.#move(from, last, []);
  }

  #listSteps(transactions: readonly (LandedTransaction | null)[]): readonly Step[] {
    const { chain, program, onDefect } = this.#options;
    const steps: Step[] = [];
    for (const transaction of transactions) {
      // The network has lost it.
      if (transaction === null) continue;
      const { signature, slot, blockTime } = transaction;
      const moment = { signature, slot, at: blockTime ?? chain.clock().unixTimestamp };
      for (const event of listEvents(transaction, program)) {
        try {
          const step = program.toStep(event, moment);
          if (step !== null) steps.push(step);
        } catch (error) {
          // No later event would ever be read if this one stopped the others.
          if (!(error instanceof LayoutInvalid)) throw error;
          onDefect(`an event of ${program.name} in ${signature}`, error);
        }
      }
    }
    return steps;
  }
}

/** Waits for a run, whether or not it has left something to the next one. */
export async function waitUnlessBehind(run: Promise<void>): Promise<void> {
  try {
    await run;
  } catch (error) {
    if (!(error instanceof EventsBehind)) throw error;
  }
}

function listEvents(
  transaction: LandedTransaction,
  program: FollowedProgram<unknown>,
): readonly EmittedEvent[] {
  return program.eventsIn === 'log'
    ? listLoggedEvents(transaction, program.program)
    : listEmittedEvents(transaction, program);
}
