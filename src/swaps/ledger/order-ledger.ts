import { SharesOfSecond } from '../../common/collections/fair-shares.ts';
import type { Metrics } from '../../common/ports/metrics.ts';
import { repeatWithPauses, type Timers } from '../../common/ports/timers.ts';
import type { LogDatabase } from '../../store/log/log-database.ts';
import { RowWriter } from '../../store/log/row-writer.ts';
import type { ExecutionResult } from '../orders/execution-result.ts';
import type { StoredOrder } from '../orders/stored-order.ts';
import {
  BID_TABLE,
  createLedgerStatement,
  joinLedgerCells,
  type LedgerCells,
  type LedgerTable,
  listLedgerKeys,
  ORDER_TABLE,
} from './ledger-columns.ts';
import {
  formatLedgerText,
  type NotedVolume,
  toOrderCells,
  toResultCells,
  toVolumeCells,
} from './ledger-cells.ts';
import { toLossCells } from './bid-distance.ts';
import type { GivenOrder } from './given-order.ts';
import type { LastLookAnswer } from './ledger-records.ts';

export interface OrderLedgerOptions {
  readonly database: Pick<LogDatabase, 'kind' | 'query' | 'write' | 'now'>;
  /** How many days orders are kept: as long as the request log. */
  readonly days: number;
  readonly timers: Timers;
  readonly metrics: Metrics;
  /** Called when rows could not be written; they are written later, unless the tables refuse them. */
  readonly onDefect: (error: unknown) => void;
}

/** What the end of a fill says. */
export interface EndedFill {
  readonly state: string;
  readonly answer: ExecutionResult;
  /** What a webhook fill moved, which its order states; absent for a fill over a stream. */
  readonly volume?: NotedVolume;
}

interface LedgerRow {
  readonly table: LedgerTable;
  readonly key: string;
  readonly cells: LedgerCells;
}

/** What a killed process can lose at most, as of the request log. */
const FLUSH_MS = 1_000;
const MAX_WAITING = 20_000;
/** Few enough that formatting them does not keep a request waiting. */
const ROWS_AT_ONCE = 250;
/**
 * Orders that nobody executes must not fill the disk. One organisation has half of these at most, which is more than the
 * largest plan allows it, and so have all callers without a key together.
 */
const MAX_ORDERS_IN_A_SECOND = 400;
const ORDERS_FACTOR = 1;
/** The most makers that are noted of one order; the winner is always among them. */
const MAX_BIDS = 32;
const PRUNE_MS = 3_600_000;
const PRUNED_AT_ONCE = 5_000;
const DAY_MS = 86_400_000;
const TABLES: readonly LedgerTable[] = [ORDER_TABLE, BID_TABLE];

/**
 * Keeps the orders that were given out, their executions, the makers that were considered for them, and their fills, for as
 * long as the request log. It is written behind the answers: nothing waits for it, and an instance that is killed loses
 * what it noted in its last second. Whatever money depends on is kept elsewhere, before a maker is sent anything.
 *
 * @example
 * ```ts
 * import type { StoredOrder } from '../orders/stored-order.ts';
 * import type { OrderLedger } from './order-ledger.ts';
 *
 * function begin(ledger: OrderLedger, order: StoredOrder): void {
 *   ledger.executing(order);
 * }
 * ```
 */
export class OrderLedger {
  readonly database: OrderLedgerOptions['database'];
  readonly #options: OrderLedgerOptions;
  readonly #rows: RowWriter<LedgerRow>;
  readonly #stopPruning: () => void;
  #pruning: Promise<void> = Promise.resolve();
  #isClosed = false;
  readonly #orders = new SharesOfSecond(MAX_ORDERS_IN_A_SECOND, ORDERS_FACTOR);
  /** Orders that were not noted, because too many came in a second. */
  #left = 0;

  constructor(options: OrderLedgerOptions) {
    this.#options = options;
    const { database, timers, metrics, onDefect } = options;
    this.database = database;
    this.#rows = new RowWriter({
      database,
      timers,
      flushMs: FLUSH_MS,
      maxWaiting: MAX_WAITING,
      rowsAtOnce: ROWS_AT_ONCE,
      join: (row, newer) => {
        joinLedgerCells(row.table, row.cells, newer.cells);
        return row;
      },
      toStatements: (rows) => toStatements(database.kind, rows),
      onDefect,
    });
    metrics.gauge(
      'sluice_ledger_waiting_rows',
      'Rows of the ledger of orders that wait to be written.',
      () => this.#rows.waiting,
    );
    metrics.gauge(
      'sluice_ledger_lost_rows',
      'Rows of the ledger of orders that this instance lost: too many waited, the tables refused them, or too many orders came in a second.',
      () => this.lost,
    );
    metrics.queue({
      name: 'ledger of orders',
      meaning:
        'Rows of the ledger of orders that wait for its database. When there is no more room, the oldest of them are lost; orders and fills go on.',
      read: () => ({ waiting: this.#rows.waiting, limit: MAX_WAITING, lost: this.lost }),
    });
    const prune = () => {
      this.#pruning = this.prune();
      return this.#pruning;
    };
    this.#stopPruning = repeatWithPauses(PRUNE_MS, prune, timers, onDefect);
  }

  /** How many rows this process lost. */
  get lost(): number {
    return this.#rows.lost + this.#left;
  }

  /** Notes an order that was given out, and the makers that were considered for it. */
  ordered(order: GivenOrder): void {
    const { requestId, caller, request, router, payment, quote, makerId, bids } = order;
    const at = this.#options.timers.now();
    if (!this.#orders.take(caller, at)) {
      this.#left++;
      return;
    }
    const { inputMint, outputMint, taker, receiver, swapMode } = request;
    const owner = caller.kind === 'organisation' ? caller.id : '';
    this.#putOrder(requestId, {
      at,
      owner,
      taker,
      receiver,
      input_mint: inputMint,
      output_mint: outputMint,
      swap_mode: swapMode,
      in_amount: String(quote.inAmount ?? request.amount),
      out_amount: String(quote.outAmount),
      slippage_bps: quote.slippageBps,
      fee_mint: quote.fees.mint,
      fee_amount: String(quote.fees.platformAmount),
      router,
      maker: makerId,
      payer: payment.payer,
      paid_by: payment.by,
    });
    let noted = 0;
    for (const bid of bids) {
      const hasWon = bid.makerId === makerId;
      if (!hasWon && noted >= MAX_BIDS - 1) continue;
      noted++;
      this.#putBid(requestId, bid.makerId, {
        at,
        input_mint: inputMint,
        output_mint: outputMint,
        channel: bid.channel,
        ...(bid.quoted === null
          ? {}
          : { in_amount: String(bid.quoted.inAmount), out_amount: String(bid.quoted.outAmount) }),
        ...(hasWon ? { owner, taker } : toLossCells(order, bid)),
      });
    }
  }

  /** Notes that an order is being executed. */
  executing(order: StoredOrder): void {
    const at = this.#options.timers.now();
    this.#putOrder(order.requestId, { ...toOrderCells(order), at, executed_at: at });
  }

  /** Notes how an execution ended. A later attempt may know more. */
  executed(order: StoredOrder, result: ExecutionResult): void {
    const at = this.#options.timers.now();
    this.#putOrder(order.requestId, { ...toOrderCells(order), at, ended_at: at, ...toResultCells(result) });
  }

  /** Notes that a maker is offered the fill of an order. */
  offered(
    { requestId, taker, inputMint, outputMint, webhookFill }: StoredOrder,
    makerId: string,
    offeredAt: number,
  ): void {
    this.#putBid(requestId, makerId, {
      at: offeredAt,
      taker,
      channel: webhookFill === undefined ? 'stream' : 'webhook',
      input_mint: inputMint,
      output_mint: outputMint,
      offered_at: offeredAt,
      state: 'offered',
    });
  }

  /** Notes the answer of a maker at last look. */
  answered(requestId: string, makerId: string, answer: LastLookAnswer): void {
    const at = this.#options.timers.now();
    this.#putBid(requestId, makerId, { at, answered_at: at, answer });
  }

  /** Notes what a fill moved. */
  traded(requestId: string, makerId: string, volume: NotedVolume): void {
    this.#putBid(requestId, makerId, { at: this.#options.timers.now(), ...toVolumeCells(volume) });
  }

  /** Notes the end of a fill, and with it that of its order, which another process may have executed. */
  filled(order: StoredOrder, makerId: string, { state, answer, volume }: EndedFill): void {
    const at = this.#options.timers.now();
    this.#putBid(order.requestId, makerId, {
      at,
      ended_at: at,
      state,
      failure: answer.kind === 'failed' ? formatLedgerText(answer.reason) : null,
      signature: answer.signature,
      ...(volume === undefined ? {} : toVolumeCells(volume)),
    });
    this.executed(order, answer);
  }

  /** Resolves when what was noted before is written, or an attempt to write it has failed. */
  flush(): Promise<void> {
    return this.#rows.flush();
  }

  /**
   * Deletes what is older than the request log is kept, by the database's clock, because an instance whose clock is ahead would
   * delete what all others still keep. A few rows at a time, so that the request log is written in between.
   */
  async prune(): Promise<void> {
    const { database, days } = this.#options;
    const before = (Math.floor((await database.now()) / DAY_MS) - days) * DAY_MS;
    for (const table of TABLES) {
      const keys = listLedgerKeys(table);
      const some = `select ${keys} from ${table.name} where at < $1 limit ${PRUNED_AT_ONCE}`;
      const oldest = `select at from ${table.name} where at < $1 limit 1`;
      while ((await database.query(oldest, [before])).length > 0 && !this.#isClosed) {
        await database.write([
          { text: `delete from ${table.name} where (${keys}) in (${some})`, parameters: [before] },
        ]);
      }
    }
  }

  /** Writes what is waiting, and ends what is being deleted, so that the database can be closed next. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopPruning();
    await Promise.allSettled([this.#pruning]);
    await this.#rows.close();
  }

  /** @param cells - A new object, which the row keeps. */
  #putOrder(requestId: string, cells: LedgerCells): void {
    cells.request_id = requestId;
    this.#rows.put(requestId, { table: ORDER_TABLE, key: requestId, cells });
  }

  /** @param cells - A new object, which the row keeps. */
  #putBid(requestId: string, maker: string, cells: LedgerCells): void {
    const key = `${requestId} ${maker}`;
    cells.request_id = requestId;
    cells.maker = maker;
    this.#rows.put(key, { table: BID_TABLE, key, cells });
  }
}

/** Rows are sorted, so that two instances cannot deadlock. */
function toStatements(kind: LogDatabase['kind'], rows: readonly LedgerRow[]) {
  const sorted = [...rows].sort((one, other) => (one.key < other.key ? -1 : 1));
  return TABLES.flatMap((table) => {
    const own = sorted.filter((row) => row.table === table).map(({ cells }) => cells);
    return own.length === 0 ? [] : [createLedgerStatement(kind, table, own)];
  });
}
