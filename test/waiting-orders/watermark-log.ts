import type { Store } from '../../src/store/index.ts';
import { WRAPPED_SOL_MINT } from '../../src/solana/program-addresses.ts';
import { IS_TRAILING, waitingOrders } from '../../src/waiting-orders/store/order-tables.ts';
import type { CampaignPrices } from './campaign-prices.ts';

/** What a price has to be, so that watermarks may move to it: the worst of those that have held, and of the median. */
interface SupportedPrices {
  readonly above: number;
  readonly below: number;
}

/** A call to the database may stand still for 100 rounds. */
const LATEST_ROUNDS = 200;
/** Two keepers move watermarks every few seconds. */
const ROUNDS_TO_MOVE = 30;

/** Follows the watermarks of open orders from the outside, and says which have moved in a way that they may not. */
export class WatermarkLog {
  readonly differences: string[] = [];
  readonly #store: Store;
  readonly #prices: CampaignPrices;
  /** In every round, the newest last. */
  readonly #supported: SupportedPrices[] = [];
  readonly #last = new Map<string, number>();

  constructor(store: Store, prices: CampaignPrices) {
    this.#store = store;
    this.#prices = prices;
  }

  /** How many orders were seen that trail. */
  get size(): number {
    return this.#last.size;
  }

  /** Notes the prices of a round. */
  noteRound(): void {
    const held = this.#prices.held(WRAPPED_SOL_MINT);
    const median = this.#prices.median(WRAPPED_SOL_MINT);
    if (held === null || median === null) return;
    this.#supported.push({ below: Math.min(held.low, median), above: Math.max(held.high, median) });
  }

  /** Compares the watermarks with what they were. */
  async read(): Promise<void> {
    for (const { id, condition, watermark } of await this.#list()) {
      const last = this.#last.get(id);
      this.#last.set(id, watermark);
      if (last === undefined || watermark === last) continue;
      const isBetter = condition === 'below' ? watermark > last : watermark < last;
      if (!isBetter)
        this.differences.push(`the watermark of ${id} (${condition}) went from ${last} to ${watermark}`);
      const supported = this.#supported.slice(-LATEST_ROUNDS).map((prices) => prices[condition]);
      if (!supported.includes(watermark))
        this.differences.push(`the watermark of ${id} moved to ${watermark}, which has not held`);
    }
  }

  /** Says which watermarks have not followed prices that held while nothing failed. */
  async checkFollowed(quietRounds: number): Promise<void> {
    const calm = this.#supported.slice(-quietRounds).slice(ROUNDS_TO_MOVE, -ROUNDS_TO_MOVE);
    if (calm.length === 0) return;
    const [highest, lowest] = [
      Math.max(...calm.map(({ below }) => below)),
      Math.min(...calm.map(({ above }) => above)),
    ];
    for (const { id, condition, watermark } of await this.#list()) {
      const isFollowing = condition === 'below' ? watermark >= highest : watermark <= lowest;
      if (isFollowing) continue;
      const [best, at] = [condition === 'below' ? highest : lowest, watermark];
      this.differences.push(`the watermark of ${id} (${condition}) stayed at ${at}, and ${best} has held`);
    }
  }

  async #list() {
    const { id, condition, watermark } = waitingOrders;
    const rows = await this.#store.db
      .select({ id, condition, watermark })
      .from(waitingOrders)
      .where(IS_TRAILING);
    return rows.map((row) => ({
      id: row.id,
      condition: row.condition === 'below' ? ('below' as const) : ('above' as const),
      watermark: Number(row.watermark),
    }));
  }
}
