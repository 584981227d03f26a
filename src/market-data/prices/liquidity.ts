import { measurePoolDepth } from '../../market/prices/pool-depth.ts';
import { DOLLARS } from '../../market/prices/prices.ts';
import type { PoolHandle } from '../../market/pools/liquidity.ts';
import type { Pools } from '../../market/pools/pools.ts';
import type { Address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';

/** Tokens of which nobody can issue any amount to put it into a pool. */
const RESERVES: readonly Address[] = [...DOLLARS, WRAPPED_SOL_MINT];
/** How long a sum is used, in milliseconds. A token may be in very many pools, and each of their changes changes it. */
const LIFETIME_MS = 1_000;

/** A token, and US dollars per atom of it. */
type MintWithPrice = readonly [mint: Address, price: number];

interface SummedLiquidity {
  readonly dollars: number;
  readonly at: number;
}

/**
 * Adds up what the pools of tokens could pay out, in dollars. Anybody can issue a token and put any amount of it into a
 * pool, so a token other than a stablecoin or SOL counts for no more than what the other side of its pool is worth. If that
 * is such a token too, both count for no more than what the other token's pools against stablecoins and SOL hold.
 */
export class TokenLiquidity {
  readonly #pools: Pools;
  readonly #dollarsPerAtom: (mint: Address) => number | null;
  /** Returns milliseconds. */
  readonly #now: () => number;
  /** Only tokens with a price, which are in pools. */
  readonly #sums = new Map<Address, SummedLiquidity>();

  constructor(pools: Pools, dollarsPerAtom: (mint: Address) => number | null, now: () => number) {
    this.#pools = pools;
    this.#dollarsPerAtom = dollarsPerAtom;
    this.#now = now;
  }

  /** Returns US dollars in all pools of the token, on both sides. At most a second old. */
  of(mint: Address): number {
    const now = this.#now();
    const known = this.#sums.get(mint);
    if (known !== undefined && now - known.at < LIFETIME_MS && now >= known.at) return known.dollars;
    const price = this.#dollarsPerAtom(mint);
    if (price === null) {
      this.#sums.delete(mint);
      return 0;
    }
    let dollars = 0;
    for (const [counterpart, handles] of this.#pools.counterparts(mint)) {
      dollars += this.#between([mint, price], counterpart, handles);
    }
    this.#sums.set(mint, { dollars, at: now });
    return dollars;
  }

  #between([mint, price]: MintWithPrice, counterpart: Address, handles: readonly PoolHandle[]): number {
    const otherPrice = this.#dollarsPerAtom(counterpart) ?? 0;
    const [isReserve, isOtherReserve] = [RESERVES.includes(mint), RESERVES.includes(counterpart)];
    let [reserved, issued] = [0, 0];
    for (const handle of handles) {
      const { held } = measurePoolDepth(handle, mint, counterpart);
      const [own, other] = [held[0] * price, held[1] * otherPrice];
      const matched = Math.min(own, other);
      // What issues receipts for deposits holds the deposits alone, and decides itself which tokens it takes.
      if (handle.venue.isIssuer === true) reserved += own + other;
      else if (isReserve || isOtherReserve)
        reserved += (isReserve ? own : matched) + (isOtherReserve ? other : matched);
      else issued += 2 * matched;
    }
    return reserved + (issued === 0 ? 0 : Math.min(issued, this.#againstReserves(counterpart)));
  }

  /** Returns US dollars in the pools of a token against stablecoins and SOL. */
  #againstReserves(mint: Address): number {
    const priced: MintWithPrice = [mint, this.#dollarsPerAtom(mint) ?? 0];
    return RESERVES.reduce(
      (sum, reserve) => sum + this.#between(priced, reserve, this.#pools.between(mint, reserve)),
      0,
    );
  }
}
