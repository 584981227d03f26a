import { OperatorError } from '../../../common/operator-error.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import type { Address } from '../../../solana/address.ts';
import { ChainUnavailable } from '../../chain.ts';
import type { TimeRange } from '../../reported-transactions.ts';
import { type RpcClient, RpcRefusal } from '../client/rpc-client.ts';
import type { Coverage } from './coverage.ts';
import { keepsHistorySince, type ListedTransaction, listPage, PAGE } from './list-page.ts';

export interface CatchUpOptions {
  readonly client: Pick<RpcClient, 'call'>;
  readonly programs: readonly Address[];
  readonly coverage: Coverage;
  readonly timers: Timers;
  /** Returns the Unix seconds of the network. */
  readonly now: () => number;
  /** Waits until the budget of calls and the transactions that are reported now leave room for a call. */
  readonly turn: () => Promise<void>;
  /** Returns whether a transaction was passed on, or is being read because it was reported. */
  readonly isKnown: (signature: string) => boolean;
  /** Returns whether all transactions that were passed on since a time are still known. */
  readonly remembersSince: (time: number) => boolean;
  /** Reads a transaction and passes it on. Returns false when that cannot be done. */
  readonly read: (listed: ListedTransaction) => Promise<boolean>;
  readonly onNotice: (message: string, isRecovery?: boolean) => void;
}

/** How often it looks for a gap. */
const LOOK_EVERY_MS = 1_000;
/** How long after its end a gap is filled, in seconds: nodes list transactions a while after they confirmed them. */
const SETTLED = 15;
/** The oldest gap that is filled, in seconds: that of the longest window of statistics. */
const MAX_AGE = 24 * 3_600;
/** The most lists that are read, and transactions that are read again, for one gap. */
const MAX_PAGES = 50;
const MAX_TRANSACTIONS = 10_000;
const MAX_ATTEMPTS = 3;
/** How long a gap whose filling failed is left alone, in seconds. */
const RETRY_AFTER = 60;

interface CatchUpAttempts {
  readonly count: number;
  /** Unix seconds of the network. */
  readonly at: number;
}

/** Why a gap could not be filled. */
interface FillFailure {
  readonly message: string;
  /** Whether the gap stays, however often it is tried. */
  readonly isFinal: boolean;
}

/**
 * Reads the transactions that were not reported, such as those during a lost connection: lists them for each program, and
 * reads each that is not known. A gap is closed only when every list reached its beginning and every transaction was read.
 * It works until `close` is called.
 */
export class CatchUp {
  readonly #options: CatchUpOptions;
  readonly #attempts = new WeakMap<TimeRange, CatchUpAttempts>();
  #cancel: () => void = () => undefined;
  #isClosed = false;

  constructor(options: CatchUpOptions) {
    this.#options = options;
    this.#lookLater();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  #lookLater(): void {
    this.#cancel = this.#options.timers.after(LOOK_EVERY_MS, () => {
      void this.#look().finally(() => {
        if (!this.#isClosed) this.#lookLater();
      });
    });
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    const { coverage, now, remembersSince, onNotice } = this.#options;
    const within = { from: now() - MAX_AGE, to: now() - SETTLED };
    const gap = coverage.gapWithin(within, (each) => remembersSince(each.from) && this.#isDue(each));
    if (gap === null) return;
    const failure = await this.#fill(gap);
    if (this.#isClosed) return;
    if (failure === null) {
      if (coverage.close(gap)) onNotice(`the transactions ${formatTimeRange(gap)} were read after all`, true);
      return;
    }
    const count = failure.isFinal ? MAX_ATTEMPTS : (this.#attempts.get(gap)?.count ?? 0) + 1;
    this.#attempts.set(gap, { count, at: now() });
    if (count >= MAX_ATTEMPTS) {
      onNotice(
        `the transactions ${formatTimeRange(gap)} stay unknown, and their volumes are left out: ${failure.message}`,
      );
    }
  }

  #isDue(gap: TimeRange): boolean {
    const attempts = this.#attempts.get(gap);
    if (attempts === undefined) return true;
    // The network's clock can be set back.
    const passed = Math.abs(this.#options.now() - attempts.at);
    return attempts.count < MAX_ATTEMPTS && passed >= RETRY_AFTER;
  }

  /** Returns why the gap could not be filled; null when it was. */
  async #fill(gap: TimeRange): Promise<FillFailure | null> {
    const { read, turn } = this.#options;
    try {
      const missing = await this.#listMissing(gap);
      if ('isFinal' in missing) return missing;
      const reads: Promise<boolean>[] = [];
      for (const listed of missing) {
        await turn();
        if (this.#isClosed) break;
        reads.push(read(listed));
      }
      const failed = (await Promise.all(reads)).indexOf(false);
      if (failed === -1) return null;
      return { message: `transaction ${missing[failed]?.signature} could not be read`, isFinal: false };
    } catch (error) {
      if (!isExpected(error)) throw error;
      return { message: error.message, isFinal: false };
    }
  }

  /** Returns the transactions of a gap that are not known, oldest first, or why they cannot be listed. */
  async #listMissing(gap: TimeRange): Promise<readonly ListedTransaction[] | FillFailure> {
    const { client, programs, turn, isKnown } = this.#options;
    const missing = new Map<string, ListedTransaction>();
    let pages = 0;
    for (const program of programs) {
      for (let before: ListedTransaction | null = null, isOver = false; !isOver; ) {
        if (++pages > MAX_PAGES)
          return { message: `the programs have more than ${MAX_PAGES * PAGE} since`, isFinal: true };
        await turn();
        if (this.#isClosed) return [];
        const page: readonly ListedTransaction[] = await listPage(client, program, before);
        for (const listed of page) {
          const isWithin = listed.time >= gap.from && listed.time < gap.to;
          if (isWithin && !listed.hasFailed && !isKnown(listed.signature))
            missing.set(listed.signature, listed);
        }
        if (missing.size > MAX_TRANSACTIONS)
          return { message: `they are more than ${MAX_TRANSACTIONS}`, isFinal: true };
        before = page.at(-1) ?? before;
        const hasReachedGap = page.some(({ time }) => time < gap.from);
        isOver = hasReachedGap || page.length < PAGE;
        if (isOver && !hasReachedGap && !(await this.#isHistoryKept(gap)))
          return { message: 'the node does not keep transactions that are this old', isFinal: true };
      }
    }
    return [...missing.values()].sort((one, other) => Number(one.slot - other.slot));
  }

  /** Whether the node's list did not end because it does not keep older transactions. */
  async #isHistoryKept(gap: TimeRange): Promise<boolean> {
    const { client, turn } = this.#options;
    await turn();
    return this.#isClosed || (await keepsHistorySince(client, gap.from));
  }
}

function isExpected(error: unknown): error is Error {
  return error instanceof ChainUnavailable || error instanceof RpcRefusal || error instanceof OperatorError;
}

function formatTimeRange({ from, to }: TimeRange): string {
  const [first, last] = [from, to].map((seconds) => new Date(seconds * 1_000).toISOString());
  return `from ${first} to ${last}`;
}
