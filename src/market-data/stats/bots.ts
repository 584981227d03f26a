import { OldestFirst } from '../../common/collections/oldest-first.ts';
import type { Address } from '../../solana/address.ts';
import type { Trade } from '../trades/trade.ts';

/** A wallet with more trades in a minute is a bot. */
export const MAX_TRADES_A_MINUTE = 20;
/** For how long a wallet stays a bot, in minutes: as long as the longest window. */
const REMEMBERED_MINUTES = 1_440;

/**
 * Tells bots from other wallets by what they do: many trades in a minute, trades back within one transaction, and trades
 * around those of others. A wallet counts as a bot for 24 hours.
 */
export class Bots {
  readonly #maxBots: number;
  /** The minute of the last such trade, by wallet. */
  readonly #bots = new OldestFirst<Address, number>();
  #minute = 0;
  /** The number of trades of each wallet in the newest minute, and in the one that late trades are of. */
  #counts = { trades: new Map<Address, number>() };
  #lateCounts = { minute: 0, trades: new Map<Address, number>() };
  #version = 0;

  /** @param maxBots - Beyond it, those that were seen first are forgotten. */
  constructor(maxBots: number) {
    this.#maxBots = maxBots;
  }

  /** Changes with each wallet that becomes a bot. */
  get version(): number {
    return this.#version;
  }

  add({ trader, time, isRoundTrip, isSandwich }: Trade): void {
    if (trader === null) return;
    const minute = Math.floor(time / 60);
    if (minute > this.#minute) {
      this.#minute = minute;
      this.#counts = { trades: new Map() };
      this.#forget();
    }
    const trades = this.#count(trader, minute);
    if (isRoundTrip === true || isSandwich === true || trades > MAX_TRADES_A_MINUTE)
      this.#mark(trader, minute);
  }

  /** Late trades, which an outside RPC reported late, come in the order of their minutes. */
  #count(trader: Address, minute: number): number {
    const isLate = minute < this.#minute;
    if (isLate && minute !== this.#lateCounts.minute) this.#lateCounts = { minute, trades: new Map() };
    const { trades } = isLate ? this.#lateCounts : this.#counts;
    const count = (trades.get(trader) ?? 0) + 1;
    trades.set(trader, count);
    return count;
  }

  has(wallet: Address): boolean {
    const minute = this.#bots.get(wallet);
    return minute !== undefined && minute + REMEMBERED_MINUTES >= this.#minute;
  }

  #mark(wallet: Address, minute: number): void {
    const known = this.#bots.get(wallet);
    if (known === undefined) this.#version++;
    // Deleted first, so that the order stays that of the last such trade.
    this.#bots.delete(wallet);
    this.#bots.set(wallet, Math.max(minute, known ?? minute));
    if (this.#bots.size > this.#maxBots) this.#deleteOldest();
  }

  #forget(): void {
    for (let oldest = this.#bots.oldest(); oldest !== null; oldest = this.#bots.oldest()) {
      if (oldest[1] + REMEMBERED_MINUTES >= this.#minute) return;
      this.#deleteOldest();
    }
  }

  #deleteOldest(): void {
    const oldest = this.#bots.oldest();
    if (oldest !== null) this.#bots.delete(oldest[0]);
  }
}
