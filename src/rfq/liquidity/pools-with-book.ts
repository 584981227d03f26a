import type { Counterparts, Liquidity, PoolHandle } from '../../market/pools/liquidity.ts';
import type { Address } from '../../solana/address.ts';

/** All pools and one book. */
export class PoolsWithBook implements Liquidity {
  readonly #pools: Liquidity;
  readonly #handle: PoolHandle;

  constructor(pools: Liquidity, handle: PoolHandle) {
    this.#pools = pools;
    this.#handle = handle;
  }

  counterparts(mint: Address): Counterparts {
    const counterparts = this.#pools.counterparts(mint);
    const [base, quote] = this.#handle.pool.mints;
    const other = mint === base ? quote : mint === quote ? base : null;
    if (other === null || counterparts.has(other)) return counterparts;
    return {
      size: counterparts.size + 1,
      has: (each) => each === other || counterparts.has(each),
      *keys() {
        yield other;
        yield* counterparts.keys();
      },
    };
  }

  between(one: Address, other: Address): readonly PoolHandle[] {
    const pools = this.#pools.between(one, other);
    const { mints } = this.#handle.pool;
    return one !== other && mints.includes(one) && mints.includes(other) ? [...pools, this.#handle] : pools;
  }

  hubs(): ReadonlySet<Address> {
    return this.#pools.hubs();
  }
}
