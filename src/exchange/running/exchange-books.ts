import type { Timers } from '../../common/ports/timers.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { waitForFurther } from '../../common/work/gathered-work.ts';
import { getInnermostReason, type Store } from '../../store/sql/sql.ts';
import { ExchangeReader, findCommandMarket } from '../books/exchange-reader.ts';
import { ExchangeState } from '../books/exchange-state.ts';
import type { ExchangeCommand, ExchangeOutcome } from '../exchange-order.ts';
import { encodeCommand } from '../journal/command-codec.ts';
import { ExchangeDeposed, ExchangeJournal } from '../journal/exchange-journal.ts';
import { applyEntry, encodeState } from '../journal/state-codec.ts';

/** So many commands are written together. */
const COMMANDS_TOGETHER = 2_000;
/** So many commands may wait to be written. */
const MAX_WAITING = 20_000;
/** A snapshot is written after so many entries, and only once they are several times as many as it has itself. */
const SNAPSHOT_AFTER = 20_000;
const SNAPSHOT_RATIO = 4;
const RETRY_MS = 250;

/** What the books of an exchange need. */
export interface ExchangeBooksOptions {
  readonly store: Store;
  /** The genesis hash. */
  readonly network: string;
  readonly timers: Pick<Timers, 'after'>;
  /** Called when the journal could not be written. It is tried again. */
  readonly onError: (error: unknown) => void;
}

interface WaitingCommand {
  readonly command: ExchangeCommand;
  readonly resolve: (outcome: ExchangeOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Opens the exchange of a network and replays its journal. An instance that had it open before can write no more.
 *
 * @throws Error if the journal is damaged
 */
export async function openExchangeBooks(options: ExchangeBooksOptions): Promise<ExchangeBooks> {
  const journal = new ExchangeJournal(options.store, options.network);
  await journal.open();
  const state = new ExchangeState();
  let entryCount = 0;
  let last = 0;
  for await (const { sequence, entries } of journal.read()) {
    for (const entry of entries) applyEntry(state, entry);
    entryCount += entries.length;
    last = sequence;
  }
  journal.requireEnd(last);
  return new ExchangeBooks(options, { journal, state, entryCount });
}

/**
 * The exchange of a network. A command is written to the journal first. Then it is applied, and what it has brought about is
 * told: nothing can be seen here that a restart would not bring back.
 */
export class ExchangeBooks extends ExchangeReader {
  readonly #options: ExchangeBooksOptions;
  readonly #journal: ExchangeJournal;
  readonly #state: ExchangeState;
  /** How many entries the journal has. */
  #entryCount: number;
  readonly #waiting: WaitingCommand[] = [];
  #running: Promise<void> | null = null;
  #isClosed = false;
  #isDeposed = false;
  #fault: string | null = null;
  #stopWaiting: () => void = () => undefined;

  constructor(
    options: ExchangeBooksOptions,
    replayed: {
      readonly journal: ExchangeJournal;
      readonly state: ExchangeState;
      readonly entryCount: number;
    },
  ) {
    super();
    this.#options = options;
    this.#journal = replayed.journal;
    this.#state = replayed.state;
    this.#entryCount = replayed.entryCount;
  }

  protected get state(): ExchangeState {
    return this.#state;
  }

  /** Why the journal cannot be written at present; null while it can. */
  get fault(): string | null {
    return this.#fault;
  }

  /**
   * Gives the exchange a command. Commands are applied in the order in which they are given.
   *
   * Returns what it has brought about, once it is durable.
   * @throws ExchangeDeposed if another instance has opened the exchange: what is known here may be out of date
   * @throws Unavailable if too many commands wait, or the exchange is closed
   */
  send(command: ExchangeCommand): Promise<ExchangeOutcome> {
    if (this.#isDeposed) return Promise.reject(new ExchangeDeposed());
    if (this.#isClosed) return Promise.reject(new Unavailable('the exchange is closed'));
    if (this.#waiting.length >= MAX_WAITING) {
      return Promise.reject(new Unavailable('the exchange has too much to write'));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ command, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Ends the exchange here. Commands that are not durable yet fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopWaiting();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await waitForFurther(() => this.#waiting.length, COMMANDS_TOGETHER);
      const batch = this.#waiting.splice(0, COMMANDS_TOGETHER);
      try {
        const entries = batch.map(({ command }) => encodeCommand(command));
        await this.#writeUntilDurable(() => this.#journal.append(entries));
        this.#entryCount += entries.length;
        this.#applyAll(batch);
        await this.#compact();
      } catch (error) {
        for (const { reject } of [...batch, ...this.#waiting.splice(0)]) reject(error);
      }
    }
    this.#running = null;
  }

  /** A write that fails may have succeeded all the same. Then it writes the same rows once more, in the same places. */
  async #writeUntilDurable(write: () => Promise<void>): Promise<void> {
    for (;;) {
      if (this.#isClosed) throw new Unavailable('the exchange is closed');
      try {
        await write();
        this.#fault = null;
        return;
      } catch (error) {
        if (error instanceof ExchangeDeposed) {
          this.#isDeposed = true;
          throw error;
        }
        this.#fault = `the journal of the exchange cannot be written: ${getInnermostReason(error)}`;
        this.#options.onError(error);
        await new Promise<void>((resolve) => {
          const cancel = this.#options.timers.after(RETRY_MS, resolve);
          this.#stopWaiting = () => {
            cancel();
            resolve();
          };
        });
      }
    }
  }

  #applyAll(batch: readonly WaitingCommand[]): void {
    const changed = new Set<string>();
    for (const { command, resolve } of batch) {
      const marketId = findCommandMarket(this.#state, command);
      resolve(this.#state.apply(command));
      if (marketId !== null) changed.add(marketId);
    }
    this.notify(changed);
  }

  /** Replaces the journal by a snapshot when it has become much longer. */
  async #compact(): Promise<void> {
    const { orders, trades, markets } = this.#state;
    const known = orders.size + trades.size + markets.size;
    if (this.#entryCount < Math.max(SNAPSHOT_AFTER, SNAPSHOT_RATIO * known)) return;
    const snapshot = encodeState(this.#state);
    await this.#writeUntilDurable(() => this.#journal.replace(snapshot));
    this.#entryCount = snapshot.length;
  }
}
