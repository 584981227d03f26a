import type { EmbeddedChain } from '../chain/embedded/network.ts';
import type { Timers } from '../common/ports/timers.ts';
import { GENESIS_FEEDS } from '../protocol/genesis/price-feeds.ts';
import { findTokenByMint } from '../solana/known-tokens.ts';
import type { PoolHandle } from '../market/pools/liquidity.ts';
import type { Pools } from '../market/pools/pools.ts';
import { type Arbitrage, findBestArbitrage } from '../market/prices/arbitrage.ts';
import type { Quote } from '../protocol/venue/venue.ts';
import type { Address } from '../solana/address.ts';
import type { Keypair } from '../solana/keypair.ts';
import { compileMessage } from '../solana/messages/compile-message.ts';
import {
  parseTransaction,
  signTransaction,
  getTransactionSignature,
} from '../solana/messages/transaction.ts';
import { WRAPPED_SOL_MINT } from '../solana/program-addresses.ts';
import { setDistinctUnitLimit } from '../solana/programs/compute-budget.ts';
import { decodePriceFeed } from '../solana/programs/price-feed/feed.ts';
import { bps } from '../solana/units.ts';
import { type Assembly, assemble } from '../swaps/build/assembly.ts';
import { createSwapTerms } from '../swaps/build/swap-terms.ts';
import { submitAndConfirm } from '../transactions/submit/submit-and-confirm.ts';

export interface PriceFollowerOptions {
  readonly chain: EmbeddedChain;
  readonly pools: Pools;
  /** The wallet that trades. The faucet gives it what it sells. */
  readonly trader: Keypair;
  readonly timers: Timers;
  readonly onDefect: (error: unknown) => void;
}

/** The feeds of tokens that pools trade. */
const FOLLOWED = GENESIS_FEEDS.flatMap(({ address, mint }) => (mint === null ? [] : [{ address, mint }]));
/** The minimum profit of a trade, in dollars. */
const MIN_PROFIT = 1;
/** One pass brings every pool to the prices. Further passes correct what others traded in the meantime. */
const MAX_PASSES = 3;
/** The most trades in flight at once. Each of them goes through another pool. */
const TRADES_AT_ONCE = 16;
const UNIT_LIMIT = 600_000;
const SLIPPAGE_BPS = bps(100);
/** Lamports for fees. The faucet gives them again whenever less than a tenth is left. */
const FEE_LAMPORTS = 10_000_000_000n;

/**
 * Moves the pools of the embedded network to the prices of its feeds in the way that arbitrageurs do: by swaps that are
 * profitable at these prices. Afterwards each pool is within its fee of the price.
 */
export class PriceFollower {
  readonly #options: PriceFollowerOptions;
  #prices: ReadonlyMap<Address, number> = new Map();
  #stopWatching: (() => void) | null = null;
  /** The passes in flight, and whether a price has moved since they began. */
  #running: Promise<number> | null = null;
  #isDue = false;
  #sent = 0;

  constructor(options: PriceFollowerOptions) {
    this.#options = options;
  }

  get following(): boolean {
    return this.#stopWatching !== null;
  }

  /** Follows every price from now on. Resolves to the number of swaps that the current prices took. */
  async follow(): Promise<number> {
    this.#stopWatching ??= this.#options.chain.watchAccounts(
      FOLLOWED.map(({ address }) => address),
      () => {
        this.#isDue = true;
        this.#align().catch(this.#options.onDefect);
      },
    );
    this.#isDue = true;
    return this.#align();
  }

  /** Stops following. Resolves when no swap is in flight. */
  async stop(): Promise<void> {
    this.#stopWatching?.();
    this.#stopWatching = null;
    this.#isDue = false;
    await this.#running?.catch(() => {});
  }

  /** Only one run is active at a time. A price that moves during the run is handled by the same run. */
  #align(): Promise<number> {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #run(): Promise<number> {
    let trades = 0;
    try {
      while (this.#isDue) {
        this.#isDue = false;
        if (!(await this.#readPrices())) continue;
        for (let pass = 0; pass < MAX_PASSES; pass++) {
          const landed = await this.#pass();
          trades += landed;
          if (landed === 0) break;
        }
      }
    } catch (error) {
      // These prices count as new when the feeds are published next.
      this.#prices = new Map();
      throw error;
    }
    return trades;
  }

  /** Returns whether a price has moved. Feeds are also published when no price has moved. */
  async #readPrices(): Promise<boolean> {
    const feeds = await this.#options.chain.getAccounts(FOLLOWED.map(({ address }) => address));
    const prices = new Map<Address, number>();
    for (const [index, { mint }] of FOLLOWED.entries()) {
      const account = feeds[index]?.account;
      const decimals = findTokenByMint(mint)?.decimals;
      if (account === null || account === undefined || decimals === undefined) continue;
      const { price, exponent } = decodePriceFeed(account.data);
      prices.set(mint, Number(price) * 10 ** (exponent - decimals));
    }
    const moved = [...prices].some(([mint, price]) => this.#prices.get(mint) !== price);
    this.#prices = prices;
    return moved;
  }

  /** Makes one trade through every pool where that is profitable. Returns the number of swaps that succeeded. */
  async #pass(): Promise<number> {
    const trades = this.#handles().flatMap((handle) => this.#tradeThrough(handle) ?? []);
    if (trades.length === 0) return 0;
    await this.#payFees();
    let landed = 0;
    for (let at = 0; at < trades.length; at += TRADES_AT_ONCE) {
      const batch = trades.slice(at, at + TRADES_AT_ONCE);
      const ends = await Promise.allSettled(batch.map((trade) => this.#trade(trade)));
      for (const end of ends) {
        if (end.status === 'rejected') this.#options.onDefect(end.reason);
        else if (end.value) landed++;
      }
    }
    return landed;
  }

  /**
   * Returns the profitable trade through a pool, or null if there is none. A pool that cannot be quoted must not stop
   * the others from following.
   */
  #tradeThrough(handle: PoolHandle): Arbitrage | null {
    const { chain, onDefect } = this.#options;
    try {
      const trade = findBestArbitrage(handle, (mint) => this.#prices.get(mint) ?? null, chain.clock());
      return trade !== null && trade.profit >= MIN_PROFIT ? trade : null;
    } catch (error) {
      onDefect(error);
      return null;
    }
  }

  #handles(): readonly PoolHandle[] {
    const { pools } = this.#options;
    const found = new Map<Address, PoolHandle>();
    for (const mint of this.#prices.keys()) {
      for (const handles of pools.counterparts(mint).values()) {
        for (const handle of handles) found.set(handle.pool.address, handle);
      }
    }
    return [...found.values()];
  }

  async #payFees(): Promise<void> {
    const { chain, trader } = this.#options;
    const [wallet] = await chain.getAccounts([trader.address]);
    if ((wallet?.account?.lamports ?? 0n) < FEE_LAMPORTS / 10n) {
      await chain.requestAirdrop(trader.address, FEE_LAMPORTS);
    }
  }

  async #trade({ handle, inputMint, outputMint, quote }: Arbitrage): Promise<boolean> {
    const bought = await this.#buyStaked(inputMint, quote.inAmount);
    if (bought === null) {
      await this.#options.chain.faucet(this.#options.trader.address, inputMint, quote.inAmount);
    } else if (!bought) return false;
    return this.#swap(handle, inputMint, outputMint, quote);
  }

  /**
   * Buys the staked SOL that is to be sold from its stake pool, because minting it would devalue the whole supply.
   *
   * Whether that succeeded; null for tokens without a stake pool.
   */
  async #buyStaked(mint: Address, amount: bigint): Promise<boolean | null> {
    const { chain, pools, trader } = this.#options;
    const pool = pools.between(WRAPPED_SOL_MINT, mint).find(({ venue }) => venue.label === 'Sanctum');
    if (pool === undefined) return null;
    const quote = pool.venue.quoteExactOut(pool.pool, WRAPPED_SOL_MINT, amount, chain.clock());
    if (quote === null) return false;
    await chain.faucet(trader.address, WRAPPED_SOL_MINT, quote.inAmount);
    return this.#swap(pool, WRAPPED_SOL_MINT, mint, quote);
  }

  async #swap(handle: PoolHandle, inputMint: Address, outputMint: Address, quote: Quote): Promise<boolean> {
    const { chain, trader, timers } = this.#options;
    const { bytes, lastValidBlockHeight } = chain.recentBlockhash();
    const { setup, swap } = this.#assemble(handle, inputMint, outputMint, quote);
    const message = compileMessage({
      feePayer: trader.address,
      blockhash: bytes,
      instructions: [setDistinctUnitLimit(UNIT_LIMIT, this.#sent++), ...setup, swap],
    });
    const wire = signTransaction(message, [trader]);
    const signature = getTransactionSignature(parseTransaction(wire));
    const outcome = await submitAndConfirm(chain, timers, { wire, signature, lastValidBlockHeight });
    return outcome.kind === 'landed' && outcome.status.error === null;
  }

  /** Builds a swap through one pool. The trader holds wrapped SOL like any other token. */
  #assemble(handle: PoolHandle, inputMint: Address, outputMint: Address, quote: Quote): Assembly {
    const { inAmount, outAmount } = quote;
    const leg = { handle, inputMint, outputMint, bps: 10_000, inputIndex: 0, outputIndex: 1, quote };
    const terms = createSwapTerms({
      inputMint,
      outputMint,
      amount: inAmount,
      taker: this.#options.trader.address,
      wrapAndUnwrapSol: false,
    });
    return assemble({ pools: this.#options.pools, lookupTables: null }, terms, {
      route: { legs: [leg], inAmount, outAmount },
      fee: null,
      slippageBps: SLIPPAGE_BPS,
    });
  }
}
