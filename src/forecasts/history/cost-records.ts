import { and, asc, eq, gte, inArray } from 'drizzle-orm';
import type { Address } from '../../solana/address.ts';
import type { Database } from '../../store/index.ts';
import { splitRows } from '../../store/sql/split-rows.ts';
import { forecastCosts } from './forecast-tables.ts';
import type { TradedCost } from './traded-cost.ts';

/** What the tokens of one side have cost a wallet, as it is recorded. */
export interface RecordedCost extends TradedCost {
  readonly owner: Address;
  readonly mint: Address;
  readonly round: Address;
  /** The token account of the newest trade. */
  readonly account: Address;
  /** Unix seconds. */
  readonly openedAt: number;
  readonly updatedAt: number;
  /** Whether its cost was realized as a loss, because the side has lost. */
  readonly isLost: boolean;
  /** The slot of its last change. */
  readonly slot: number;
}

/** The recorded costs of one network. */
export class ForecastCostRecords {
  readonly #network: string;

  /** @param network - The genesis hash. */
  constructor(network: string) {
    this.#network = network;
  }

  /** Returns null for a wallet that has not traded the token. */
  async find(db: Database, owner: Address, mint: Address): Promise<RecordedCost | null> {
    const [row] = await db.select().from(forecastCosts).where(this.#isOf(owner, mint));
    return row === undefined ? null : readCostRow(row);
  }

  /** Writes what is known of a wallet and a token. */
  async put(db: Database, cost: RecordedCost): Promise<void> {
    const changing = {
      account: cost.account,
      contracts: String(cost.contracts),
      cost: String(cost.cost),
      realizedPnl: String(cost.realizedPnl),
      updatedAt: cost.updatedAt,
      isLost: cost.isLost ? 1 : 0,
      slot: cost.slot,
    };
    const { owner, mint, round, openedAt } = cost;
    await db
      .insert(forecastCosts)
      .values({ network: this.#network, owner, mint, round, openedAt, ...changing })
      .onConflictDoUpdate({
        target: [forecastCosts.network, forecastCosts.owner, forecastCosts.mint],
        set: changing,
      });
  }

  /** Returns what wallets have traded in a round, in the order of their addresses. */
  async listOfRound(db: Database, round: Address): Promise<readonly RecordedCost[]> {
    const rows = await db
      .select()
      .from(forecastCosts)
      .where(and(this.#isHere(), eq(forecastCosts.round, round)))
      .orderBy(asc(forecastCosts.owner), asc(forecastCosts.mint));
    return rows.map(readCostRow);
  }

  /** Notes that a side has lost. */
  async noteLost(db: Database, round: Address, mint: Address, slot: bigint): Promise<void> {
    await db
      .update(forecastCosts)
      .set({ isLost: 1, slot: Number(slot) })
      .where(and(this.#isHere(), eq(forecastCosts.round, round), eq(forecastCosts.mint, mint)));
  }

  /** Returns what was changed in a slot or after it, in the order of the changes. */
  async listChanged(db: Database, from: number): Promise<readonly RecordedCost[]> {
    const rows = await db
      .select()
      .from(forecastCosts)
      .where(and(this.#isHere(), gte(forecastCosts.slot, from)))
      .orderBy(asc(forecastCosts.slot));
    return rows.map(readCostRow);
  }

  /** Removes what was traded in rounds that are over. */
  async removeOfRounds(db: Database, rounds: readonly string[]): Promise<void> {
    for (const some of splitRows(rounds)) {
      await db.delete(forecastCosts).where(and(this.#isHere(), inArray(forecastCosts.round, some)));
    }
  }

  /** Removes everything, because the network began again. */
  async clear(db: Database): Promise<void> {
    await db.delete(forecastCosts).where(this.#isHere());
  }

  #isOf(owner: Address, mint: Address) {
    return and(this.#isHere(), eq(forecastCosts.owner, owner), eq(forecastCosts.mint, mint));
  }

  #isHere() {
    return eq(forecastCosts.network, this.#network);
  }
}

function readCostRow(row: typeof forecastCosts.$inferSelect): RecordedCost {
  return {
    owner: row.owner as Address,
    mint: row.mint as Address,
    round: row.round as Address,
    account: row.account as Address,
    contracts: BigInt(row.contracts),
    cost: BigInt(row.cost),
    realizedPnl: BigInt(row.realizedPnl),
    openedAt: row.openedAt,
    updatedAt: row.updatedAt,
    isLost: row.isLost === 1,
    slot: row.slot,
  };
}
