import type { Address } from '../../solana/address.ts';
import type { Market } from '../pools.ts';
import type { Edge, Path } from './paths.ts';

/** How much of a route's stream goes through one pool, in estimated atoms. */
export interface PoolFlow {
  readonly market: Market;
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** Of the input mint. */
  amount: number;
  /** Of the output mint. */
  paid: number;
}

/** Pools with what flows through each, in an order in which whatever feeds a mint stands before what spends it. */
export type Flow = readonly PoolFlow[];

const WHOLE: readonly number[] = [1];
/** Sizes of the pieces that the amount is handed out in: coarse ones decide the shape, fine ones even it out. */
const PIECES: readonly number[] = [
  ...new Array<number>(12).fill(1 / 16),
  ...new Array<number>(8).fill(1 / 64),
  ...new Array<number>(32).fill(1 / 256),
];

/**
 * Splits `amount` over the paths, at most `maxWays` different ways through pools: each piece takes the way that pays
 * most for it on top of what flows already, so that marginal prices after fees end up equal.
 * Pools are shared: what one path sends through a pool lowers what the others can get from it.
 */
export function splitFlow(paths: readonly Path[], amount: number, maxWays: number): Flow {
  const flows = new Map<Market, PoolFlow>();
  const order = new MintOrder();
  const ways = new Set<string>();
  for (const piece of maxWays === 1 ? WHOLE : PIECES) {
    const best = bestWay(paths, amount * piece, flows, order, ways, maxWays);
    if (best === null) break;
    ways.add(best.key);
    for (const { edge, market, amount: input, paid } of best.hops) {
      order.add(edge.inputMint, edge.outputMint);
      const flow = flows.get(market);
      if (flow === undefined) {
        const { inputMint, outputMint } = edge;
        flows.set(market, { market, inputMint, outputMint, amount: input, paid });
      } else {
        flow.amount += input;
        flow.paid += paid;
      }
    }
  }
  const rank = order.ranks();
  return [...flows.values()].sort(
    (one, other) => (rank.get(one.inputMint) ?? 0) - (rank.get(other.inputMint) ?? 0),
  );
}

interface Hop {
  readonly edge: Edge;
  readonly market: Market;
  readonly amount: number;
  readonly paid: number;
}

interface Way {
  readonly key: string;
  readonly hops: readonly Hop[];
  readonly paid: number;
}

function bestWay(
  paths: readonly Path[],
  amount: number,
  flows: ReadonlyMap<Market, PoolFlow>,
  order: MintOrder,
  ways: ReadonlySet<string>,
  maxWays: number,
): Way | null {
  let best: Way | null = null;
  for (const path of paths) {
    if (!order.admits(path)) continue;
    const way = alongPath(path, amount, flows);
    if (way === null || (best !== null && way.paid <= best.paid)) continue;
    if (ways.size >= maxWays && !ways.has(way.key)) continue;
    best = way;
  }
  return best;
}

/** The best pool of each hop for what the hop before adds to it; null where the flow would turn back on itself. */
function alongPath(path: Path, amount: number, flows: ReadonlyMap<Market, PoolFlow>): Way | null {
  const hops: Hop[] = [];
  let input = amount;
  let key = '';
  for (const edge of path) {
    let best: Hop | null = null;
    for (const market of edge.markets) {
      const flow = flows.get(market);
      const before = flow?.amount ?? 0;
      const paid = market.venue.estimate(market.pool, edge.inputMint, before + input) - (flow?.paid ?? 0);
      if (paid > (best?.paid ?? 0)) best = { edge, market, amount: input, paid };
    }
    if (best === null) return null;
    hops.push(best);
    key += best.market.pool.address;
    input = best.paid;
  }
  return { key, hops, paid: input };
}

/** Which mints feed which. Routes are run step by step, so no mint may feed itself, over however many pools. */
class MintOrder {
  readonly #next = new Map<Address, Set<Address>>();

  /** Whether no mint of the path feeds one that stands before it on the path already. */
  admits(path: Path): boolean {
    return path.every(({ outputMint }, at) =>
      path.slice(0, at + 1).every(({ inputMint }) => !this.#reaches(outputMint, inputMint)),
    );
  }

  add(from: Address, to: Address): void {
    const next = this.#next.get(from);
    if (next === undefined) this.#next.set(from, new Set([to]));
    else next.add(to);
  }

  /** A number for each mint, above those of all mints that feed it. */
  ranks(): ReadonlyMap<Address, number> {
    const ranks = new Map<Address, number>();
    const raise = (mint: Address, rank: number): void => {
      if ((ranks.get(mint) ?? -1) >= rank) return;
      ranks.set(mint, rank);
      for (const next of this.#next.get(mint) ?? []) raise(next, rank + 1);
    };
    for (const mint of this.#next.keys()) raise(mint, 0);
    return ranks;
  }

  #reaches(from: Address, to: Address): boolean {
    if (from === to) return true;
    for (const next of this.#next.get(from) ?? []) if (this.#reaches(next, to)) return true;
    return false;
  }
}
