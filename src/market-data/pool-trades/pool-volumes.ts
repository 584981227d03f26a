import type { TimeRange } from '../../chain/reported-transactions.ts';
import type { Address } from '../../solana/address.ts';
import type { Trade } from '../trades/trade.ts';

/** US dollars for which a token was bought and sold. */
export interface Volumes {
  readonly bought: number;
  readonly sold: number;
}

const MINUTE = 60;
const KEPT_MINUTES = 24 * 60;
/** The most entries of a token in a minute, over all tokens. Beyond it, the oldest minutes are forgotten. */
const MAX_ENTRIES = 500_000;

/** The volumes of trades that changes of pools showed, in the last 24 hours. They are kept in memory only. */
export class PoolVolumes {
  /** By minute, in the order in which the minutes began, and by token. */
  readonly #minutes = new Map<number, Map<Address, Volumes>>();
  #entries = 0;

  add({ time, dollars, paid, received }: Trade): void {
    if (dollars === null) return;
    const minute = Math.floor(time / MINUTE);
    const volumes = this.#minutes.get(minute) ?? new Map<Address, Volumes>();
    this.#minutes.set(minute, volumes);
    this.#count(volumes, received.mint, { bought: dollars, sold: 0 });
    this.#count(volumes, paid.mint, { bought: 0, sold: dollars });
    for (const [oldest, entries] of this.#minutes) {
      if (oldest > minute - KEPT_MINUTES && this.#entries <= MAX_ENTRIES) break;
      this.#minutes.delete(oldest);
      this.#entries -= entries.size;
    }
  }

  /** @param range - The minutes that begin in it count. */
  within(mint: Address, { from, to }: TimeRange): Volumes {
    let [bought, sold] = [0, 0];
    for (const [minute, volumes] of this.#minutes) {
      if (minute * MINUTE < from || minute * MINUTE >= to) continue;
      const found = volumes.get(mint);
      bought += found?.bought ?? 0;
      sold += found?.sold ?? 0;
    }
    return { bought, sold };
  }

  #count(volumes: Map<Address, Volumes>, mint: Address, { bought, sold }: Volumes): void {
    const known = volumes.get(mint);
    if (known === undefined) this.#entries++;
    volumes.set(mint, { bought: (known?.bought ?? 0) + bought, sold: (known?.sold ?? 0) + sold });
  }
}
