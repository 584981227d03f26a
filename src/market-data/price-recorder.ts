import { computeMintDisplay } from '../market/mint-facts.ts';
import { computeDollarsPerToken } from '../solana/programs/token/display-amount.ts';
import type { Address } from '../solana/address.ts';
import type { KnownMints } from './prices/known-mints.ts';
import type { TokenLiquidity } from './prices/liquidity.ts';
import type { PricedToken, TokenPrices } from './prices/token-prices.ts';
import type { TradeStats } from './stats/trade-stats.ts';
import type { Trade } from './trades/trade.ts';

/** The most tokens whose price one call of `recordChanged` records. */
const MAX_RECORDED_AT_ONCE = 2_000;

export interface PriceRecorderDependencies {
  readonly prices: Pick<TokenPrices, 'price'>;
  readonly mints: Pick<KnownMints, 'facts' | 'read'>;
  readonly liquidity: Pick<TokenLiquidity, 'of'>;
  readonly stats: Pick<TradeStats, 'setPrice' | 'minutes'>;
  /** Returns the Unix seconds of the network. */
  readonly now: () => number;
}

/** Records the prices of tokens in their statistics: those that trades make, and those that follow from changes of pools. */
export class PriceRecorder {
  readonly #dependencies: PriceRecorderDependencies;
  /** Tokens whose price may have changed since it was last recorded. */
  readonly #changed = new Set<Address>();

  constructor(dependencies: PriceRecorderDependencies) {
    this.#dependencies = dependencies;
  }

  /** Notes that the price of a token may have changed. It is recorded by a later call. */
  noteChange(mint: Address): void {
    this.#changed.add(mint);
  }

  /**
   * Reads the mints of the tokens whose price may have changed, because the price of a token needs its decimals.
   * @throws ChainUnavailable if the network does not answer
   */
  async readMints(): Promise<void> {
    const { mints } = this.#dependencies;
    for (const mint of this.#changed) mints.facts(mint);
    await mints.read();
  }

  /** Records prices that may have changed, those that have waited longest first. */
  recordChanged(): void {
    let left = MAX_RECORDED_AT_ONCE;
    for (const mint of this.#changed) {
      if (left-- === 0) break;
      this.recordIfChanged(mint);
    }
  }

  /** Records the price of a token if it may have changed: by its own pools, or by the price of a token in them. */
  recordIfChanged(mint: Address): void {
    if (this.#changed.delete(mint) || this.#differsFromLast(mint)) this.#record(mint);
  }

  /** Records the prices of both tokens of a trade. `priced` is the one that the trade is a price of, if there is one. */
  recordTrade(trade: Trade, priced: PricedToken | null): void {
    for (const { mint } of [trade.paid, trade.received]) {
      this.#changed.delete(mint);
      if (mint === priced?.mint) this.recordTradePrice(trade, priced);
      else this.#record(mint);
    }
  }

  /** Records the price that a trade makes. */
  recordTradePrice(trade: Trade, { mint, dollarsPerAtom }: PricedToken): void {
    this.#set(mint, this.#dollarsPerToken(mint, dollarsPerAtom), trade);
  }

  #record(mint: Address): void {
    this.#set(mint, this.#usdPrice(mint), null);
  }

  #set(mint: Address, usdPrice: number | null, trade: Trade | null): void {
    const { stats, liquidity } = this.#dependencies;
    if (usdPrice !== null) stats.setPrice(mint, usdPrice, liquidity.of(mint), trade);
  }

  /** Returns whether the price of a token differs from the one that was last recorded. */
  #differsFromLast(mint: Address): boolean {
    const { stats, now } = this.#dependencies;
    const last = stats.minutes(mint).at(-1);
    if (last === undefined || last.close === null) return false;
    // The price of a trade stands for its minute.
    if (last.hasTradePrice && last.minute >= Math.floor(now() / 60)) return false;
    const usdPrice = this.#usdPrice(mint);
    return usdPrice !== null && usdPrice !== last.close;
  }

  #usdPrice(mint: Address): number | null {
    const price = this.#dependencies.prices.price(mint);
    return price === null ? null : this.#dollarsPerToken(mint, price.dollarsPerAtom);
  }

  /** Returns null while the token's decimals are not known, too. */
  #dollarsPerToken(mint: Address, dollarsPerAtom: number): number | null {
    const { mints, now } = this.#dependencies;
    const facts = mints.facts(mint);
    if (facts === null) return null;
    return computeDollarsPerToken(dollarsPerAtom, computeMintDisplay(facts, now()));
  }
}
