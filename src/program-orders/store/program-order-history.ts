import { and, count, desc, eq, gt, inArray, or, type SQL } from 'drizzle-orm';
import type { Address } from '../../solana/address.ts';
import type { Store } from '../../store/index.ts';
import {
  MAX_SHOWN_TRADES,
  type OrderProgram,
  type ProgramOrderQuery,
  type ProgramOrderTrade,
} from '../program-order.ts';
import type { NumberedOrder } from './order-changes.ts';
import { readOrderRow, readTradeRow } from './order-rows.ts';
import { HAS_ENDED_ROW, IS_OPEN_ROW, programOrders, programOrderTrades } from './program-order-tables.ts';

/** An order as it is recorded, with its newest trades, the newest first. */
export interface OrderWithTrades extends NumberedOrder {
  readonly shownTrades: readonly ProgramOrderTrade[];
}

export interface EndedOrdersPage {
  /** Those that ended last first. */
  readonly orders: readonly OrderWithTrades[];
  /** How many there are on all pages. */
  readonly total: number;
}

/** Reads what an `OrderRecorder` has recorded of the orders of one program on one network, for the lists. */
export class ProgramOrderHistory {
  readonly #store: Store;
  readonly #network: string;
  readonly #program: OrderProgram;

  /** @param network - The genesis hash. */
  constructor(store: Store, network: string, program: OrderProgram) {
    this.#store = store;
    this.#network = network;
    this.#program = program;
  }

  /** Returns a page of the orders of a maker that have ended. */
  async listEnded(query: Omit<ProgramOrderQuery, 'isOpen'>): Promise<EndedOrdersPage> {
    const { page, perPage } = query;
    const { db } = this.#store;
    const which = this.#isEndedOf(query);
    const [counted] = await db.select({ total: count() }).from(programOrders).where(which);
    const total = Number(counted?.total ?? 0);
    const offset = (page - 1) * perPage;
    if (offset >= total) return { orders: [], total };
    const order = [desc(programOrders.updatedAt), desc(programOrders.number)];
    // The page is found in the index alone, so that only its own rows are read, wherever it begins.
    const found = await db
      .select({ number: programOrders.number })
      .from(programOrders)
      .where(which)
      .orderBy(...order)
      .limit(perPage)
      .offset(offset);
    const numbers = found.map(({ number }) => number);
    const rows = await db
      .select()
      .from(programOrders)
      .where(and(this.#isOfProgram(), inArray(programOrders.number, numbers)))
      .orderBy(...order);
    return { orders: await this.#addTrades(rows), total };
  }

  /** Returns the open orders at some addresses, by address. */
  async findOpen(addresses: readonly Address[]): Promise<ReadonlyMap<Address, OrderWithTrades>> {
    if (addresses.length === 0) return new Map();
    const rows = await this.#store.db
      .select()
      .from(programOrders)
      .where(and(this.#isOfProgram(), inArray(programOrders.address, [...addresses]), IS_OPEN_ROW));
    return new Map((await this.#addTrades(rows)).map((each) => [each.order.address, each]));
  }

  async #addTrades(
    rows: readonly (typeof programOrders.$inferSelect)[],
  ): Promise<readonly OrderWithTrades[]> {
    const trades = new Map<number, ProgramOrderTrade[]>(rows.map((row) => [row.number, []]));
    const add = (found: readonly (typeof programOrderTrades.$inferSelect)[]) => {
      for (const row of found) trades.get(row.orderNumber)?.push(readTradeRow(row));
    };
    const isLong = (row: { readonly trades: number }) => row.trades > MAX_SHOWN_TRADES;
    const short = rows.filter((row) => row.trades > 0 && !isLong(row)).map(({ number }) => number);
    if (short.length > 0) add(await this.#readTrades(inArray(programOrderTrades.orderNumber, short)));
    // Of those with more trades than are shown, only the newest are read.
    for (const row of rows.filter(isLong)) {
      const isNewest = gt(programOrderTrades.number, row.trades - MAX_SHOWN_TRADES);
      add(await this.#readTrades(and(eq(programOrderTrades.orderNumber, row.number), isNewest)));
    }
    return rows.map((row) => ({
      number: row.number,
      order: readOrderRow(row),
      trades: row.trades,
      shownTrades: trades.get(row.number)?.slice(0, MAX_SHOWN_TRADES) ?? [],
    }));
  }

  /** Reads trades, the newest first. */
  #readTrades(which: SQL | undefined) {
    const { network, program, orderNumber, number } = programOrderTrades;
    return this.#store.db
      .select()
      .from(programOrderTrades)
      .where(and(eq(network, this.#network), eq(program, this.#program), which))
      .orderBy(desc(orderNumber), desc(number));
  }

  #isEndedOf({ maker, inputMint, outputMint, anyMint }: Omit<ProgramOrderQuery, 'isOpen'>): SQL | undefined {
    return and(
      eq(programOrders.maker, maker),
      this.#isOfProgram(),
      HAS_ENDED_ROW,
      inputMint === null ? undefined : eq(programOrders.inputMint, inputMint),
      outputMint === null ? undefined : eq(programOrders.outputMint, outputMint),
      anyMint === null
        ? undefined
        : or(eq(programOrders.inputMint, anyMint), eq(programOrders.outputMint, anyMint)),
    );
  }

  #isOfProgram(): SQL | undefined {
    return and(eq(programOrders.network, this.#network), eq(programOrders.program, this.#program));
  }
}
