import type { PoolHandle } from '../../market/pools/liquidity.ts';
import type { Pools } from '../../market/pools/pools.ts';
import { type PoolState, SETTLED_CLOCK, type Trading } from '../../protocol/venue/venue.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { encodeMint } from '../../solana/programs/token/mint.ts';
import { TokenPrices } from '../../market-data/prices/token-prices.ts';

/** Base units of a whole token. */
export const ATOMS = 1e6;

/** Returns an address for each number. */
export function numbered(tag: number): Address {
  const bytes = new Uint8Array(32).fill(1);
  new DataView(bytes.buffer).setUint32(0, tag);
  return toAddress(bytes);
}

/** A constant-product pool. */
interface PricedTestPool extends PoolState {
  readonly reserves: readonly [number, number];
  /** The share of each input that is left after the fee. */
  readonly kept: number;
}

/** That of every token. */
const MINT_ACCOUNT = {
  lamports: 1n,
  owner: TOKEN_PROGRAM,
  executable: false,
  data: encodeMint({ mintAuthority: null, supply: 0n, decimals: 6, freezeAuthority: null, extensions: [] }),
};

const VENUE = {
  estimate: ({ mints, reserves, kept }: PricedTestPool, inputMint: Address, amount: number) => {
    const [x, y] = inputMint === mints[0] ? reserves : [reserves[1], reserves[0]];
    return (y * amount * kept) / (x + amount * kept);
  },
} as unknown as Trading;

/** Pools between any tokens, and the prices by them. All tokens have six decimals. */
export class PricedTestMarket {
  readonly #handles = new Map<Address, PoolHandle>();
  readonly #listeners = new Set<(handle: PoolHandle) => void>();
  #listing = 0;
  #changes = 0;
  readonly pools: Pools;
  readonly prices: TokenPrices;

  constructor() {
    const pools = {
      clock: SETTLED_CLOCK,
      between: (one: Address, other: Address) =>
        [...this.#handles.values()].filter(
          ({ pool: { mints } }) => mints.includes(one) && mints.includes(other),
        ),
      counterparts: (mint: Address) => {
        const found = new Map<Address, PoolHandle[]>();
        for (const handle of this.#handles.values()) {
          const { mints } = handle.pool;
          if (!mints.includes(mint)) continue;
          const other = mints[0] === mint ? mints[1] : mints[0];
          found.set(other, [...(found.get(other) ?? []), handle]);
        }
        return found;
      },
      all: () => this.#handles.values(),
      unusable: () => [],
      account: () => MINT_ACCOUNT,
      onChange: (listener: (handle: PoolHandle) => void) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
    };
    Object.defineProperty(pools, 'listing', { get: () => this.#listing });
    Object.defineProperty(pools, 'changes', { get: () => this.#changes });
    this.pools = pools as unknown as Pools;
    this.prices = new TokenPrices(this.pools, () => 1n);
  }

  /**
   * @param reserves - Whole tokens; they replace those that the pool had.
   * @param fee - The share of each input that the pool keeps.
   */
  pool(
    pool: Address,
    mints: readonly [Address, Address],
    reserves: readonly [number, number],
    fee = 0,
  ): void {
    const state: PricedTestPool = {
      address: pool,
      mints,
      reserves: [reserves[0] * ATOMS, reserves[1] * ATOMS],
      kept: 1 - fee,
    };
    const known = this.#handles.get(pool);
    if (known === undefined) this.#listing++;
    this.#changes++;
    const handle = known ?? { venue: VENUE, pool: state };
    handle.pool = state;
    this.#handles.set(pool, handle);
    for (const listener of this.#listeners) listener(handle);
  }

  /** Returns dollars for a whole token. */
  price(mint: Address): number | null {
    const price = this.prices.price(mint);
    return price === null ? null : price.dollarsPerAtom * ATOMS;
  }
}
