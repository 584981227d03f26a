import { describe, expect, it } from 'vitest';
import type { PoolHandle } from '../../market/pools/liquidity.ts';
import type { Pools } from '../../market/pools/pools.ts';
import { type PoolState, SETTLED_CLOCK, type Trading } from '../../protocol/venue/venue.ts';
import { type Address, address, toAddress } from '../../solana/address.ts';
import type { Trade } from '../trades/trade.ts';
import { MAX_DEVIATION, TokenPrices } from './token-prices.ts';

describe('TokenPrices', () => {
  it('is the price of the last trade that agrees with the pools, and of the pools where none does', () => {
    const { market: made, honest } = market();
    expect(made.price()).toBeCloseTo(1, 9);
    const out = made.swap(honest, 'buy', 100 * ATOMS);
    expect(made.prices.price(TOKEN)).toMatchObject({ isTrade: true, slot: 2n });
    expect(made.price()).toBeCloseTo((100 * ATOMS) / out, 6);
    made.swap(honest, 'buy', 50_000 * ATOMS);
    // It moved the pool by ten percent, and was paid on average half of that.
    expect(made.prices.price(TOKEN)).toMatchObject({ isTrade: false });
    expect(made.price()).toBeCloseTo(1.05 ** 2, 2);
  });

  it('leaves out a token that only thin pools price', () => {
    const made = new TestMarket();
    for (let tag = 20; tag < 40; tag++) made.addPool(tag, 900);
    expect(made.prices.price(TOKEN)).toBeNull();
  });
});

describe('attacks on the price', () => {
  it('thin pools: a hundred of them, at any price and with any trades, do not move it', () => {
    const { market: made } = market();
    for (let tag = 20; tag < 120; tag++) {
      const thin = made.addPool(tag, 900, 5);
      made.swap(thin, 'buy', 10 * ATOMS);
    }
    expect(made.price()).toBeCloseTo(1, 9);
  });

  it('a pool of the attacker moves it only with more depth than all others together', () => {
    const { market: made } = market();
    made.addPool(20, 0.99 * MILLION, 1.5);
    expect(made.price()).toBeCloseTo(1, 9);
  });

  it('wash trades in a pool of the attacker move it by half a percent at most, with a tenth of the depth or more', () => {
    for (const share of [0.05, 0.2, 0.4, 0.9]) {
      for (const off of [-0.05, -0.009, -0.004, 0.004, 0.009, 0.05]) {
        const { market: made } = market();
        const own = made.addPool(20, share * MILLION, 1 + off);
        for (let count = 0; count < 20; count++) {
          made.swap(own, 'sell', made.swap(own, 'buy', 50 * ATOMS));
          const moved = Math.abs(made.price() - 1);
          expect(moved).toBeLessThanOrEqual(share < 0.1 ? 1e-9 : MAX_DEVIATION + 1e-9);
        }
      }
    }
  });

  it('a trade whose tokens the attacker only names at a price of his own is no price', () => {
    const { market: made, honest } = market();
    made.trade(honest, 'buy', 2_000_000n, 1_000_000n);
    made.trade(honest, 'sell', 2_000_000n, 1_000_000n);
    expect(made.price()).toBeCloseTo(1, 9);
  });

  it('a flash-loaned swap there and back leaves nothing, whatever its size', () => {
    const { market: made, honest } = market();
    made.swap(honest, 'sell', made.swap(honest, 'buy', 100 * MILLION * ATOMS, true), true);
    expect(made.prices.price(TOKEN)).toMatchObject({ isTrade: false });
    // The pool keeps the fees, so that it is off by what the attacker lost.
    const [tokens, dollars] = made.reserves(honest);
    expect(made.price()).toBeCloseTo(dollars / tokens, 9);
  });

  it('swaps: one percent costs 0.0037 % of a side in fees, if it is traded back before anybody else trades', () => {
    const { market: made, honest } = market();
    const size = smallest((dollars) => {
      const { market: other, honest: pool } = market();
      other.swap(pool, 'buy', dollars * ATOMS);
      return other.price() >= 1.01;
    });
    const out = made.swap(honest, 'buy', size * ATOMS);
    const cost = size - made.swap(honest, 'sell', out) / ATOMS;
    expect(size / MILLION).toBeGreaterThan(0.005);
    // 37 dollars for a million on each side. A decision from which the attacker gains more needs deeper pools.
    expect(cost / MILLION).toBeCloseTo(0.000037, 6);
  });

  it('donations: one percent costs one percent of a side, which is lost', () => {
    const cost = smallest((dollars) => {
      const { market: made, honest } = market();
      made.donate(honest, dollars);
      return made.price() >= 1.01;
    });
    expect(cost / MILLION).toBeCloseTo(0.01, 4);
  });
});

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const TOKEN = toAddress(new Uint8Array(32).fill(1));
const FEE = 0.0025;
const MILLION = 1e6;
/** Both tokens have six decimals. */
const ATOMS = 1e6;

/** A constant-product pool of the token and dollars. */
interface TestPool extends PoolState {
  readonly reserves: readonly [number, number];
}

const VENUE = {
  estimate: ({ reserves: [tokens, dollars] }: TestPool, inputMint: Address, amount: number) => {
    const [x, y] = inputMint === TOKEN ? [tokens, dollars] : [dollars, tokens];
    const paid = amount * (1 - FEE);
    return (y * paid) / (x + paid);
  },
} as unknown as Trading;

/** Pools whose liquidity providers and traders a test plays. */
class TestMarket {
  readonly #handles = new Map<Address, PoolHandle>();
  readonly #listeners = new Set<(handle: PoolHandle) => void>();
  #listing = 0;
  #slot = 1n;
  readonly prices: TokenPrices;

  constructor() {
    const pools = {
      clock: SETTLED_CLOCK,
      between: () => [...this.#handles.values()],
      counterparts: () => new Map([[USDC, [...this.#handles.values()]]]),
      onChange: (listener: (handle: PoolHandle) => void) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
    };
    Object.defineProperty(pools, 'listing', { get: () => this.#listing });
    this.prices = new TokenPrices(pools as unknown as Pools, () => this.#slot);
  }

  /** @param price - In dollars; `dollars` is what lies on each side. */
  addPool(tag: number, dollars: number, price = 1): Address {
    const pool = toAddress(new Uint8Array(32).fill(tag));
    this.#listing++;
    this.#set(pool, [(dollars / price) * ATOMS, dollars * ATOMS]);
    return pool;
  }

  reserves(pool: Address): readonly [number, number] {
    const handle = this.#handles.get(pool);
    if (handle === undefined) throw new Error('no such pool');
    return (handle.pool as TestPool).reserves;
  }

  /** Buys the token for dollars, or sells it for a negative amount of tokens. @returns atoms that came out */
  swap(pool: Address, side: 'buy' | 'sell', amount: number, isRoundTrip = false): number {
    const [tokens, dollars] = this.reserves(pool);
    const input = side === 'buy' ? USDC : TOKEN;
    const state: TestPool = { address: pool, mints: [TOKEN, USDC], reserves: [tokens, dollars] };
    const out = VENUE.estimate(state, input, amount, SETTLED_CLOCK);
    this.#slot++;
    // The fee stays in the pool.
    this.#set(pool, side === 'buy' ? [tokens - out, dollars + amount] : [tokens + amount, dollars - out]);
    this.trade(pool, side, BigInt(Math.round(amount)), BigInt(Math.round(out)), isRoundTrip);
    return out;
  }

  trade(pool: Address, side: 'buy' | 'sell', paid: bigint, received: bigint, isRoundTrip = false): void {
    const [input, output] = side === 'buy' ? [USDC, TOKEN] : [TOKEN, USDC];
    const trade: Trade = {
      pool,
      venue: 'test',
      paid: { mint: input, amount: paid },
      received: { mint: output, amount: received },
      dollars: Number(side === 'buy' ? paid : received) / ATOMS,
      trader: TOKEN,
      signature: null,
      slot: this.#slot,
      time: 0,
      isRoundTrip,
      isSandwich: false,
    };
    this.prices.addTrade(trade);
  }

  donate(pool: Address, dollars: number): void {
    const [tokens, held] = this.reserves(pool);
    this.#set(pool, [tokens, held + dollars * ATOMS]);
  }

  price(): number {
    return (this.prices.price(TOKEN)?.dollarsPerAtom ?? 0) * ATOMS;
  }

  #set(address: Address, reserves: readonly [number, number]): void {
    const pool: TestPool = { address, mints: [TOKEN, USDC], reserves };
    const handle = this.#handles.get(address) ?? { venue: VENUE, pool };
    handle.pool = pool;
    this.#handles.set(address, handle);
    for (const listener of this.#listeners) listener(handle);
  }
}

/** One honest pool with a million dollars on each side. */
function market(): { readonly market: TestMarket; readonly honest: Address } {
  const made = new TestMarket();
  return { market: made, honest: made.addPool(10, MILLION) };
}

/** Returns the smallest number of dollars for which it holds, to a millionth. */
function smallest(holds: (dollars: number) => boolean): number {
  let [low, high] = [0, MILLION];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}
