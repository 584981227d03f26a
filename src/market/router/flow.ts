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
 * Splits `amount` over at most `maxPaths` of the paths and over the pools of each hop: each piece goes where it is paid
 * most on top of what flows already, so that marginal prices after fees end up equal. Pools are shared: what one path
 * sends through a pool lowers what the others can get from it. With `maxPaths` 0 nothing is split: the whole goes
 * through the best pool of each hop of the best path. Once `maxPools` are in use, pieces go through those only.
 */
export function splitFlow(
  paths: readonly Path[],
  amount: number,
  maxPaths: number,
  maxPools = Number.POSITIVE_INFINITY,
): Flow {
  const flows: Flows = new Map();
  const order = new MintOrder();
  const used = new Set<Path>();
  for (const piece of maxPaths === 0 ? WHOLE : PIECES) {
    const usable = maxPaths > 0 && used.size >= maxPaths ? used : paths;
    const open = flows.size < maxPools;
    const best = bestPath(usable, amount * piece, flows, order, open);
    if (best === null) break;
    used.add(best);
    send(best, amount * piece, flows, order, open);
  }
  const rank = order.ranks();
  return [...flows.values()].sort(
    (one, other) => (rank.get(one.inputMint) ?? 0) - (rank.get(other.inputMint) ?? 0),
  );
}

type Flows = Map<Market, PoolFlow>;

/** The path that pays most for `amount` on top of what flows already; null when none pays anything. */
function bestPath(
  paths: Iterable<Path>,
  amount: number,
  flows: Flows,
  order: MintOrder,
  open: boolean,
): Path | null {
  let best: Path | null = null;
  let most = 0;
  for (const path of paths) {
    const paid = paidAlong(path, amount, flows, open);
    if (paid > most && order.admits(path)) [best, most] = [path, paid];
  }
  return best;
}

/** This is the inner loop of the search: it makes no objects. */
function paidAlong(path: Path, amount: number, flows: Flows, open: boolean): number {
  let stream = amount;
  for (const { markets, inputMint } of path) {
    let best = 0;
    for (const market of markets) {
      const paid = paidOnTop(market, inputMint, stream, flows.get(market), open);
      if (paid > best) best = paid;
    }
    stream = best;
  }
  return stream;
}

function paidOnTop(
  market: Market,
  inputMint: Address,
  amount: number,
  flow: PoolFlow | undefined,
  open: boolean,
): number {
  if (flow === undefined && !open) return 0;
  if (flow === undefined) return market.venue.estimate(market.pool, inputMint, amount);
  return market.venue.estimate(market.pool, inputMint, flow.amount + amount) - flow.paid;
}

/** Sends the amount through the best pool of each hop. */
function send(path: Path, amount: number, flows: Flows, order: MintOrder, open: boolean): void {
  let stream = amount;
  for (const edge of path) {
    let [best, most]: [Market | null, number] = [null, 0];
    for (const market of edge.markets) {
      const paid = paidOnTop(market, edge.inputMint, stream, flows.get(market), open);
      if (paid > most) [best, most] = [market, paid];
    }
    if (best === null) return;
    order.add(edge.inputMint, edge.outputMint);
    addFlow(flows, edge, best, stream, most);
    stream = most;
  }
}

function addFlow(flows: Flows, edge: Edge, market: Market, amount: number, paid: number): void {
  const flow = flows.get(market);
  if (flow === undefined) {
    const { inputMint, outputMint } = edge;
    flows.set(market, { market, inputMint, outputMint, amount, paid });
    return;
  }
  flow.amount += amount;
  flow.paid += paid;
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
