import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LiveMarketData } from '../../src/market-data/live-market-data.ts';
import { VENUES } from '../../src/protocols/venues.ts';
import { type Address, address } from '../../src/solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../src/solana/program-addresses.ts';
import { BuildClient } from '../../src/testing/genesis-market/builds.ts';
import { openRichSwap, type RichSwap } from '../../src/testing/genesis-market/rich.ts';
import { openTestStore, type TestStore } from '../../src/testing/store/test-store.ts';
import { ManualTimers } from '../../src/testing/timers.ts';
import { MAX_DEVIATION } from '../../src/market-data/prices/token-prices.ts';
import type { HeldPrice } from '../../src/waiting-orders/triggers/trigger-index.ts';
import { MEDIAN_SLOTS } from '../../src/waiting-orders/references/price-history.ts';
import { ReferencePrices } from '../../src/waiting-orders/references/reference-prices.ts';

let world: AttackedMarket;
beforeAll(async () => {
  world = await AttackedMarket.open();
});
afterAll(() => world?.close());

describe('whoever moves the price of a pool, with real pools and a wallet without limits', () => {
  it('triggers nothing by a shallow pool, however far and long it is moved', async () => {
    const attack = await world.move(BONK, 400_000);
    world.pass(MEDIAN_SLOTS + 5);
    expect(world.reference(BONK)).toEqual({ price: 1, median: 1, triggered: [] });
    // The pool has a twentieth of the depth, and its price was tripled.
    const { cost, lostIfTradedBack } = await attack.undo();
    expect(cost).toBeCloseTo(3_638, -1);
    expect(lostIfTradedBack).toBeGreaterThan(150_000);
  });

  it('triggers nothing by the deepest pool, if the others together are as deep', async () => {
    const attack = await world.move(JUP, 400_000);
    world.pass(MEDIAN_SLOTS + 5);
    expect(world.reference(JUP)).toEqual({ price: 1, median: 1, triggered: [] });
    expect((await attack.undo()).cost).toBeCloseTo(1_935, -1);
  });

  it('triggers nothing by the pool that has more than half of the depth, if it is moved back within the slot', async () => {
    for (let slot = 0; slot < 10; slot++) {
      const attack = await world.move(WIF, 200_000);
      expect(world.reference(WIF).price).toBeGreaterThan(1.07);
      expect((await attack.undo()).cost).toBeGreaterThan(600);
      world.pass(1);
      expect(world.reference(WIF)).toMatchObject({ triggered: [] });
    }
  });

  it('triggers nothing by it either, if it is moved at the end of each slot and back at the beginning of the next', async () => {
    for (let slot = 0; slot < 10; slot++) {
      const attack = await world.move(WIF, 100_000);
      world.pass(1);
      expect(world.reference(WIF)).toMatchObject({ triggered: [] });
      await attack.undo();
    }
    // The fees that the wallet has left in the pool have moved it by less than a percent.
    expect(world.reference(WIF).median).toBeLessThan(1.01);
  });

  it('triggers orders as far as it is moved, once it stays there for a whole slot; and the median after eight', async () => {
    world.pass(MEDIAN_SLOTS + 5);
    const { median } = world.reference(WIF);
    const attack = await world.move(WIF, 200_000);
    world.pass(1);
    expect(world.reference(WIF).triggered).toEqual([]);
    world.pass(1);
    // Orders above the price, by the percent of it.
    const { triggered } = world.reference(WIF);
    expect([triggered[0], triggered.includes(107), triggered.includes(110)]).toEqual([101, true, false]);
    for (let slot = 2; slot <= MEDIAN_SLOTS / 2 + 1; slot++) {
      expect(world.reference(WIF).median).toBe(median);
      world.pass(1);
    }
    expect(world.reference(WIF).median).toBeGreaterThan(1.07);
    // For each of these slots, everybody else may take what the wallet then loses.
    const { cost, lostIfTradedBack } = await attack.undo();
    expect(cost).toBeGreaterThan(600);
    expect(lostIfTradedBack).toBeGreaterThan(7_000);
    world.pass(MEDIAN_SLOTS + 5);
  });

  it('moves it by half a percent with wash trades, and so triggers what was about to be triggered', async () => {
    for (let round = 0; round < 10; round++) {
      await (await world.move(JUP, 500)).undo();
      // The price is that of the trade.
      expect(world.reference(JUP).price).not.toBe(1);
      world.pass(1);
      expect(Math.abs(world.reference(JUP).price - 1)).toBeLessThanOrEqual(MAX_DEVIATION);
    }
    expect(world.reference(JUP).triggered).toEqual([]);
  });
});

const SOL = WRAPPED_SOL_MINT;
const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const JUP = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');
const BONK = address('DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263');
const WIF = address('EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm');

/** The pool of each token that is moved: where it is, the token that is paid, and its share of the token's depth. */
const MOVED: Readonly<Record<Address, { readonly dexes: string; readonly by: Address }>> = {
  // 4 percent.
  [BONK]: { dexes: 'Meteora DAMM v2', by: SOL },
  // A third, which is more than any other has.
  [JUP]: { dexes: 'Raydium CP', by: USDC },
  // 59 percent.
  [WIF]: { dexes: 'Whirlpool', by: SOL },
};

interface MovedPrice {
  /** Sells what was bought. */
  readonly undo: () => Promise<{
    /** Dollars that it cost, because nobody else has traded. */
    readonly cost: number;
    /** Dollars that it would have cost if others had brought the price back. */
    readonly lostIfTradedBack: number;
  }>;
}

const PERCENT = Array.from({ length: 81 }, (_, index) => 60 + index).filter((percent) => percent !== 100);

/** Whether an order above or below the price, by so many percent of it, is triggered. */
function isReached(percent: number, { low, high }: HeldPrice, initial: number): boolean {
  const trigger = (initial * percent) / 100;
  return percent > 100 ? trigger <= low : trigger >= high;
}

/** The pools of the genesis, which a wallet without limits trades in, and the prices that orders are triggered by. */
class AttackedMarket {
  readonly references: ReferencePrices;
  readonly #rich: RichSwap;
  readonly #client: BuildClient;
  readonly #marketData: LiveMarketData;
  readonly #stored: TestStore;
  readonly #timers: ManualTimers;
  readonly #slots: { now: number };
  readonly #initial = new Map<Address, number>();

  private constructor(
    rich: RichSwap,
    marketData: LiveMarketData,
    stored: TestStore,
    timers: ManualTimers,
    slots: { now: number },
  ) {
    this.#rich = rich;
    this.#client = new BuildClient(rich.swap.market);
    this.#marketData = marketData;
    this.#stored = stored;
    this.#timers = timers;
    this.#slots = slots;
    this.references = new ReferencePrices({
      marketData,
      chain: { slot: () => BigInt(slots.now), unhealthy: () => null },
      holdSlots: 1,
      timers,
      onDefect: (_where, error) => {
        throw error;
      },
    });
    for (const mint of [SOL, USDC, JUP, BONK, WIF]) {
      this.references.follow(mint);
      this.#initial.set(mint, marketData.dollarsPerAtom(mint) ?? 0);
    }
    this.pass(MEDIAN_SLOTS + 2);
  }

  static async open(): Promise<AttackedMarket> {
    const rich = await openRichSwap();
    const { chain, pools } = rich.swap.market;
    const stored = await openTestStore('sqlite');
    const timers = new ManualTimers();
    const slots = { now: 1 };
    const marketData = await LiveMarketData.open({
      chain: {
        genesisHash: chain.genesisHash,
        slot: () => BigInt(slots.now),
        clock: () => chain.clock(),
        getAccounts: (addresses) => chain.getAccounts(addresses),
      },
      pools,
      venues: VENUES,
      fillPrograms: {},
      store: stored.store,
      timers,
      onDefect: (where, error) => {
        throw new Error(`${where}: ${String(error)}`);
      },
      maxTokens: 1_000,
      maxWalletMinutes: 1_000,
      maxBots: 10,
    });
    return new AttackedMarket(rich, marketData, stored, timers, slots);
  }

  /** Returns prices as parts of those before all attacks, and the triggers that are reached, in percent of it. */
  reference(mint: Address) {
    this.#timers.advance(0);
    const dollars = this.#marketData.plainPrice(mint)?.usdPrice ?? Number.NaN;
    const initial =
      (this.#initial.get(mint) ?? Number.NaN) * (dollars / (this.#marketData.dollarsPerAtom(mint) ?? 1));
    const held = this.references.held(mint);
    return {
      price: dollars / initial,
      median: (this.references.median(mint) ?? Number.NaN) / initial,
      triggered: held === null ? [] : PERCENT.filter((percent) => isReached(percent, held, initial)),
    };
  }

  /** Buys the token for so many dollars in the pool that is moved. */
  async move(mint: Address, dollars: number): Promise<MovedPrice> {
    const { dexes, by } = MOVED[mint] ?? {};
    if (dexes === undefined || by === undefined) throw new Error('no pool of it is moved');
    const before = this.#worth([mint, by]);
    const received = await this.swap(dexes, by, mint, this.#atoms(by, dollars));
    const lostIfTradedBack = before - this.#worth([mint, by]);
    const undo = async () => {
      await this.swap(dexes, mint, by, received);
      return { cost: before - this.#worth([mint, by]), lostIfTradedBack };
    };
    return { undo };
  }

  #atoms(mint: Address, dollars: number): bigint {
    return BigInt(Math.round(dollars / (this.#initial.get(mint) ?? 1)));
  }

  /** Dollars that the wallet's tokens are worth at the prices before the attack. */
  #worth(mints: readonly Address[]): number {
    return mints.reduce((sum, mint) => {
      const held = this.#client.holding(this.#rich.whale, mint) - (1n << 60n);
      return sum + Number(held) * (this.#initial.get(mint) ?? 0);
    }, 0);
  }

  async swap(dexes: string, inputMint: Address, outputMint: Address, amount: bigint): Promise<bigint> {
    const before = this.#client.holding(this.#rich.whale, outputMint);
    const built = await this.#client.build({
      taker: this.#rich.whale,
      inputMint,
      outputMint,
      amount: String(amount),
      dexes,
      slippageBps: '10000',
      mode: 'fast',
    });
    const { error } = this.#client.execute(built, this.#rich.whale);
    if (error !== null) throw new Error(`the swap failed: ${JSON.stringify(error)}`);
    const received = this.#client.holding(this.#rich.whale, outputMint) - before;
    const traded = this.#rich.swap.market.pools
      .between(inputMint, outputMint)
      .find(({ venue }) => venue.label === dexes);
    this.#marketData.addTrade({
      pool: traded?.pool.address ?? null,
      venue: dexes,
      paid: { mint: inputMint, amount },
      received: { mint: outputMint, amount: received },
      trader: this.#rich.whale,
      signature: null,
      slot: BigInt(this.#slots.now),
      time: Number(this.#rich.swap.market.chain.clock().unixTimestamp),
      isRoundTrip: false,
      isSandwich: false,
    });
    this.#timers.advance(0);
    return received;
  }

  pass(slots: number): void {
    for (let left = slots; left > 0; left--) {
      this.#slots.now++;
      this.#timers.advance(20);
      this.#timers.advance(0);
    }
  }

  async close(): Promise<void> {
    this.references.close();
    await this.#marketData.close();
    await this.#stored.cleanUp();
  }
}
