import type { Address } from '../../solana/address.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { waitForFurther } from '../../common/work/gathered-work.ts';
import { getInnermostReason, type Store } from '../../store/sql/sql.ts';
import type { BookOrder } from '../books/book-order.ts';
import {
  type BestPrices,
  describeBook,
  describePrices,
  estimatePurchase,
  estimateSale,
} from '../books/book-view.ts';
import { ExchangeState } from '../books/exchange-state.ts';
import { toContracts } from '../books/lots.ts';
import type { PredictionBook, PredictionFillEstimate } from '../exchange.ts';
import type {
  ExchangeCommand,
  ExchangeOutcome,
  ExchangeTrade,
  KnownExchangeOrder,
} from '../exchange-order.ts';
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

const NO_FILL: PredictionFillEstimate = { contracts: 0n, amount: 0n, fee: 0n, worstPrice: null };

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

/** A market as the exchange has it. */
export interface TradedMarket {
  readonly isHalted: boolean;
  /** Micro-contracts of yes that the house is short of, without the trades in flight. */
  readonly netYes: bigint;
  /** How many trades are in flight. */
  readonly tradesInFlight: number;
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
  for await (const { entries } of journal.read()) {
    for (const entry of entries) applyEntry(state, entry);
    entryCount += entries.length;
  }
  return new ExchangeBooks(options, { journal, state, entryCount });
}

/**
 * The exchange of a network. A command is written to the journal first. Then it is applied, and what it has brought about is
 * told: nothing can be seen here that a restart would not bring back.
 */
export class ExchangeBooks {
  readonly #options: ExchangeBooksOptions;
  readonly #journal: ExchangeJournal;
  readonly #state: ExchangeState;
  /** How many entries the journal has. */
  #entryCount: number;
  readonly #waiting: WaitingCommand[] = [];
  readonly #listeners = new Set<(marketId: string) => void>();
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
    this.#options = options;
    this.#journal = replayed.journal;
    this.#state = replayed.state;
    this.#entryCount = replayed.entryCount;
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

  /** Returns the order book of a market; null if it is not traded now. */
  getBook(marketId: string): PredictionBook | null {
    const book = this.#state.markets.get(marketId);
    return book === undefined || book.isHalted ? null : describeBook(book);
  }

  /** Returns the best prices of a market; null if it is not traded now. */
  getPrices(marketId: string): BestPrices | null {
    const book = this.#state.markets.get(marketId);
    return book === undefined || book.isHalted ? null : describePrices(book);
  }

  /** Estimates a purchase for up to `amount` micro USD, fees included, at up to `maxPrice`. */
  estimateBuy(
    marketId: string,
    isYes: boolean,
    limits: { readonly amount: bigint; readonly maxPrice: bigint },
  ): PredictionFillEstimate {
    const book = this.#state.markets.get(marketId);
    return book === undefined ? NO_FILL : estimatePurchase(book, isYes, limits);
  }

  /** Estimates a sale of up to `contracts` at no less than `minPrice`. */
  estimateSell(
    marketId: string,
    isYes: boolean,
    limits: { readonly contracts: bigint; readonly minPrice: bigint },
  ): PredictionFillEstimate {
    const book = this.#state.markets.get(marketId);
    return book === undefined ? NO_FILL : estimateSale(book, isYes, limits);
  }

  findMarket(marketId: string): TradedMarket | null {
    const book = this.#state.markets.get(marketId);
    if (book === undefined) return null;
    const { isHalted, netYes, tradesInFlight } = book;
    return { isHalted, netYes: toContracts(netYes), tradesInFlight };
  }

  /** Returns the markets that are open, or halted and not closed. */
  listMarkets(): readonly string[] {
    return [...this.#state.markets.keys()];
  }

  findOrder(address: Address): KnownExchangeOrder | null {
    const order = this.#state.orders.get(address);
    return order === undefined ? null : toKnownExchangeOrder(order);
  }

  /** Returns all orders that it knows: those that rest, that have trades in flight, and that have ended and are not forgotten. */
  *orders(): Iterable<KnownExchangeOrder> {
    for (const order of this.#state.orders.values()) yield toKnownExchangeOrder(order);
  }

  findTrade(number: number): ExchangeTrade | null {
    return this.#state.trades.get(number)?.trade ?? null;
  }

  *tradesInFlight(): Iterable<ExchangeTrade> {
    for (const { trade } of this.#state.trades.values()) yield trade;
  }

  /** Calls back when the book of a market may have changed. Returns what ends it. */
  onChange(listener: (marketId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
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
      const marketId = this.#findMarketOf(command);
      resolve(this.#state.apply(command));
      if (marketId !== null) changed.add(marketId);
    }
    for (const marketId of changed) for (const listener of this.#listeners) listener(marketId);
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

  #findMarketOf(command: ExchangeCommand): string | null {
    switch (command.kind) {
      case 'open':
        return command.terms.marketId;
      case 'accept':
        return command.order.marketId;
      case 'end':
      case 'forget':
        return this.#state.orders.get(command.order)?.order.marketId ?? null;
      case 'confirm':
      case 'revert':
        return this.#state.trades.get(command.trade)?.trade.marketId ?? null;
      default:
        return command.marketId;
    }
  }
}

function toKnownExchangeOrder({ order, resting, inFlight, confirmed, ended }: BookOrder): KnownExchangeOrder {
  return {
    order,
    resting: toContracts(resting),
    inFlight: toContracts(inFlight),
    confirmed: toContracts(confirmed),
    ended,
  };
}
