import type { Address } from '../../solana/address.ts';

/** What one wallet traded of one token in one minute, in dollars. */
export interface WalletMinute {
  bought: number;
  sold: number;
  buys: number;
}

/** What happened to a token in one minute. */
export interface TokenMinute {
  /** Minutes since 1970. */
  readonly minute: number;
  /** US dollars per whole token; null while it has none. */
  open: number | null;
  high: number | null;
  low: number | null;
  close: number | null;
  /** US dollars. */
  buyVolume: number;
  sellVolume: number;
  buys: number;
  sells: number;
  /** US dollars over all pools, at the end of the minute; null while unknown. */
  liquidity: number | null;
  /** The slot of the last trade; 0 without one. */
  slot: bigint;
  /** Whether the prices are those of trades. Otherwise they are what the pools would have paid. */
  hasTradePrice: boolean;
  /** What each wallet traded; null when some trader is not known, or the wallets were dropped to save memory. */
  wallets: Map<Address, WalletMinute> | null;
}

export function createEmptyMinute(minute: number): TokenMinute {
  return {
    minute,
    open: null,
    high: null,
    low: null,
    close: null,
    buyVolume: 0,
    sellVolume: 0,
    buys: 0,
    sells: 0,
    liquidity: null,
    slot: 0n,
    hasTradePrice: false,
    wallets: new Map(),
  };
}

/**
 * Applies a price, in US dollars per whole token, to a minute. Prices of trades replace those of pools, so that a minute
 * with trades can be computed from them alone. A trade that comes after a later one of the minute does not close it.
 */
export function setPrice(
  into: TokenMinute,
  price: number,
  { isTrade, isLast }: { readonly isTrade: boolean; readonly isLast: boolean },
): void {
  if (into.hasTradePrice && !isTrade) return;
  if (isTrade && !into.hasTradePrice) {
    into.hasTradePrice = true;
    into.open = into.high = into.low = into.close = price;
  }
  into.open ??= price;
  into.high = into.high === null ? price : Math.max(into.high, price);
  into.low = into.low === null ? price : Math.min(into.low, price);
  if (isLast || into.close === null) into.close = price;
}

/** The minutes of one token, oldest first; only those in which something happened. */
export class TokenMinutes {
  readonly #minutes: TokenMinute[] = [];
  /** Changes with everything that is added. */
  version = 0;

  get list(): readonly TokenMinute[] {
    return this.#minutes;
  }

  /** Returns the entry of a minute, and makes it if it does not exist. */
  at(minute: number): TokenMinute {
    this.version++;
    const last = this.#minutes.at(-1);
    if (last !== undefined && last.minute === minute) return last;
    if (last === undefined || last.minute < minute) {
      const made = createEmptyMinute(minute);
      this.#minutes.push(made);
      return made;
    }
    // The clock of a network that was restored has gone back.
    const index = this.#minutes.findIndex((each) => each.minute >= minute);
    const found = this.#minutes[index];
    if (found !== undefined && found.minute === minute) return found;
    const made = createEmptyMinute(minute);
    this.#minutes.splice(index, 0, made);
    return made;
  }

  find(minute: number): TokenMinute | undefined {
    return this.#minutes.findLast((each) => each.minute === minute);
  }

  /**
   * Drops all minutes before the given one, except the last of them, because it has the price at the start of windows.
   *
   * Returns the dropped ones.
   */
  forgetBefore(minute: number): readonly TokenMinute[] {
    let first = 0;
    while ((this.#minutes[first + 1]?.minute ?? minute) < minute) first++;
    return first === 0 ? [] : this.#minutes.splice(0, first);
  }
}
