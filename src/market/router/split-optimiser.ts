import type { Address } from '../../solana/address.ts';
import type { PoolHandle } from '../pools/pools.ts';
import { MintOrder } from './mint-order.ts';
import type { CandidatePath } from './candidate-paths.ts';
import type { Edge } from './candidate-graph.ts';

/** How much of a route's stream goes through one pool, in estimated atoms. */
export interface PoolFlow {
  readonly market: PoolHandle;
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
const LAST = 1 / 256;
const ALL_BUT_LAST: readonly number[] = [1 - LAST];
/** Sizes of the pieces that the amount is handed out in: coarse ones decide the shape, fine ones even it out. */
const PIECES: readonly number[] = [
  ...new Array<number>(12).fill(1 / 16),
  ...new Array<number>(8).fill(1 / 64),
  ...new Array<number>(32).fill(LAST),
];

/**
 * Splits `amount` over at most `maxPaths` of the paths and over the pools of each hop: each piece goes where it is paid
 * most on top of what flows already, so that marginal prices after fees end up equal. Pools are shared: what one path
 * sends through a pool lowers what the others can get from it. With `maxPaths` 0 nothing is split: the whole goes
 * through the best pool of each hop of the best path. Once `maxPools` are in use, pieces go through those only.
 *
 * Where the last piece goes after all others went one way, so did each before it, because every piece is paid less than
 * the one before: the flow is found in two steps then.
 */
export function optimiseSplit(
  paths: readonly CandidatePath[],
  amount: number,
  maxPaths: number,
  maxPools = Number.POSITIVE_INFINITY,
): Flow {
  const oneWay = handedOut(
    paths,
    amount,
    Math.max(1, maxPaths),
    maxPools,
    maxPaths === 0 ? WHOLE : ALL_BUT_LAST,
  );
  if (maxPaths === 0) return oneWay.flow();
  const pools = oneWay.size;
  oneWay.handOut(amount * LAST);
  if (oneWay.size === pools) return oneWay.flow();
  return handedOut(paths, amount, maxPaths, maxPools, PIECES).flow();
}

function handedOut(
  paths: readonly CandidatePath[],
  amount: number,
  maxPaths: number,
  maxPools: number,
  pieces: readonly number[],
): SplitOptimiser {
  const split = new SplitOptimiser(paths, maxPaths, maxPools);
  for (const piece of pieces) if (!split.handOut(amount * piece)) break;
  return split;
}

/** Hands out the amount piece by piece. */
class SplitOptimiser {
  readonly #paths: readonly CandidatePath[];
  readonly #maxPaths: number;
  readonly #maxPools: number;
  readonly #flows = new Map<PoolHandle, PoolFlow>();
  readonly #order = new MintOrder();
  readonly #used = new Set<CandidatePath>();
  /** The places of the paths through each pool: a piece changes what these pay, and no others. Made when first needed. */
  #through: ReadonlyMap<PoolHandle, readonly number[]> | null = null;
  /** The pools that the last piece went through. */
  readonly #moved: PoolHandle[] = [];
  /** What each path pays for a piece like the last; below 0 where that must be worked out anew. */
  readonly #paid: number[];
  /** The version of the order that last admitted each path. */
  readonly #admittedAt: number[];
  #piece = 0;
  /** Whether pools may be used that are not yet. */
  #open = true;

  constructor(paths: readonly CandidatePath[], maxPaths: number, maxPools: number) {
    this.#paths = paths;
    this.#maxPaths = maxPaths;
    this.#maxPools = maxPools;
    this.#paid = paths.map(() => STALE);
    this.#admittedAt = paths.map(() => NEVER);
  }

  /** Sends the piece along the path that pays most for it; false when none pays anything. */
  handOut(piece: number): boolean {
    const open = this.#flows.size < this.#maxPools;
    if (piece !== this.#piece || open !== this.#open) this.#paid.fill(STALE);
    else for (const market of this.#moved) this.#forgetThrough(market);
    this.#moved.length = 0;
    this.#piece = piece;
    this.#open = open;
    const best = this.#bestPath();
    if (best === null) return false;
    this.#used.add(best);
    this.#send(best);
    return true;
  }

  /** How many pools are in use. */
  get size(): number {
    return this.#flows.size;
  }

  flow(): Flow {
    const flows = [...this.#flows.values()];
    if (flows.length < 2) return flows;
    const rank = this.#order.ranks();
    return flows.sort((one, other) => (rank.get(one.inputMint) ?? 0) - (rank.get(other.inputMint) ?? 0));
  }

  #forgetThrough(market: PoolHandle): void {
    this.#through ??= placesThrough(this.#paths);
    for (const place of this.#through.get(market) ?? []) this.#paid[place] = STALE;
  }

  #bestPath(): CandidatePath | null {
    const closed = this.#used.size >= this.#maxPaths;
    let best: CandidatePath | null = null;
    let most = 0;
    for (let place = 0; place < this.#paths.length; place++) {
      const path = this.#paths[place] as CandidatePath;
      if (closed && !this.#used.has(path)) continue;
      const paid = this.#paidBy(path, place);
      if (paid > most && this.#admits(path, place)) [best, most] = [path, paid];
    }
    return best;
  }

  #paidBy(path: CandidatePath, place: number): number {
    let paid = this.#paid[place] ?? STALE;
    if (paid < 0) {
      paid = this.#paidAlong(path);
      this.#paid[place] = paid;
    }
    return paid;
  }

  #admits(path: CandidatePath, place: number): boolean {
    if (this.#admittedAt[place] === this.#order.version) return true;
    if (!this.#order.admits(path)) return false;
    this.#admittedAt[place] = this.#order.version;
    return true;
  }

  /** This is the inner loop of the search: it makes no objects. */
  #paidAlong(path: CandidatePath): number {
    let stream = this.#piece;
    for (const { markets, inputMint } of path) {
      let best = 0;
      for (const market of markets) {
        const paid = this.#paidOnTop(market, inputMint, stream);
        if (paid > best) best = paid;
      }
      stream = best;
    }
    return stream;
  }

  #paidOnTop(market: PoolHandle, inputMint: Address, amount: number): number {
    const flow = this.#flows.get(market);
    if (flow === undefined) return this.#open ? market.venue.estimate(market.pool, inputMint, amount) : 0;
    return market.venue.estimate(market.pool, inputMint, flow.amount + amount) - flow.paid;
  }

  /** Through the best pool of each hop. */
  #send(path: CandidatePath): void {
    let stream = this.#piece;
    for (const edge of path) {
      let [best, most]: [PoolHandle | null, number] = [null, 0];
      for (const market of edge.markets) {
        const paid = this.#paidOnTop(market, edge.inputMint, stream);
        if (paid > most) [best, most] = [market, paid];
      }
      if (best === null) return;
      this.#order.add(edge.inputMint, edge.outputMint);
      this.#add(edge, best, stream, most);
      stream = most;
    }
  }

  #add({ inputMint, outputMint }: Edge, market: PoolHandle, amount: number, paid: number): void {
    this.#moved.push(market);
    const flow = this.#flows.get(market);
    if (flow === undefined) {
      this.#flows.set(market, { market, inputMint, outputMint, amount, paid });
      return;
    }
    flow.amount += amount;
    flow.paid += paid;
  }
}

const STALE = -1;
const NEVER = -1;

function placesThrough(paths: readonly CandidatePath[]): ReadonlyMap<PoolHandle, readonly number[]> {
  const through = new Map<PoolHandle, number[]>();
  for (const [place, path] of paths.entries()) {
    for (const { markets } of path) {
      for (const market of markets) {
        const places = through.get(market);
        if (places === undefined) through.set(market, [place]);
        else places.push(place);
      }
    }
  }
  return through;
}
