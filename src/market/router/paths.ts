import type { Address } from '../../solana/address.ts';
import type { Market, Pools } from '../pools.ts';

/** One hop of a path: the pools that may carry it. */
export interface Edge {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly markets: readonly Market[];
}

/** Hops from the input mint to the output mint, over at most two other mints. */
export type Path = readonly Edge[];

export interface PathRequest {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly amount: number;
  readonly maxHops: number;
  readonly allows: (market: Market) => boolean;
  /** Only hubs between the two ends. */
  readonly onlyHubs: boolean;
}

/** How many paths a search considers, of each way of ranking them. */
export const PATHS = 8;
/** Up to so many counterparts of an end are all looked at; beyond, only those that are hubs. */
const WIDE = 96;
/** Parallel pools that one hop may use. */
const PARALLEL = 6;

/**
 * The most promising paths, by what they are estimated to pay for the whole amount and for a small part of it:
 * deep paths win the first, well-priced shallow ones the second, and a split wants both. At most `count` of each.
 */
export function promisingPaths(pools: Pools, request: PathRequest, count: number): readonly Path[] {
  const whole = new Best(count);
  const part = new Best(count);
  const consider = (path: Path): void => {
    whole.offer(path, estimatePath(path, request.amount));
    part.offer(path, estimatePath(path, request.amount / 64));
  };
  for (const path of allPaths(pools, request)) consider(path);
  return [...new Set([...whole.paths(), ...part.paths()])];
}

/** What the best pool of each hop is estimated to pay for all that the hop before pays. */
export function estimatePath(path: Path, amount: number): number {
  let flow = amount;
  for (const { markets, inputMint } of path) {
    let best = 0;
    for (const { venue, pool } of markets) {
      const out = venue.estimate(pool, inputMint, flow);
      if (out > best) best = out;
    }
    flow = best;
  }
  return flow;
}

function* allPaths(pools: Pools, request: PathRequest): Iterable<Path> {
  const { inputMint, outputMint, maxHops } = request;
  const edges = new Edges(pools, request);
  const direct = edges.between(inputMint, outputMint);
  if (direct !== null) yield [direct];
  if (maxHops < 2) return;
  const firsts = intermediates(pools, request, inputMint);
  const lasts = intermediates(pools, request, outputMint);
  const [few, many] = firsts.size <= lasts.size ? [firsts, lasts] : [lasts, firsts];
  for (const middle of few) {
    if (many.has(middle)) yield* chain(edges, [inputMint, middle, outputMint]);
  }
  if (maxHops < 3) return;
  for (const first of firsts) {
    const onward = pools.counterparts(first);
    for (const last of lasts) {
      if (first !== last && onward.has(last)) yield* chain(edges, [inputMint, first, last, outputMint]);
    }
  }
}

/** The counterparts of one end that paths may go over. */
function intermediates(pools: Pools, request: PathRequest, end: Address): ReadonlySet<Address> {
  const counterparts = pools.counterparts(end);
  const hubs = pools.hubs();
  const restricted = request.onlyHubs || counterparts.size > WIDE;
  const found = new Set<Address>();
  for (const mint of restricted ? hubs : counterparts.keys()) {
    if (mint === request.inputMint || mint === request.outputMint) continue;
    if (!restricted || counterparts.has(mint)) found.add(mint);
  }
  return found;
}

function* chain(edges: Edges, mints: readonly Address[]): Iterable<Path> {
  const path: Edge[] = [];
  for (let at = 1; at < mints.length; at++) {
    const edge = edges.between(mints[at - 1] as Address, mints[at] as Address);
    if (edge === null) return;
    path.push(edge);
  }
  yield path;
}

/** Makes each edge once for a search. */
class Edges {
  readonly #pools: Pools;
  readonly #request: PathRequest;
  readonly #made = new Map<Address, Map<Address, Edge | null>>();

  constructor(pools: Pools, request: PathRequest) {
    this.#pools = pools;
    this.#request = request;
  }

  /** Null when no allowed pool trades the two. */
  between(inputMint: Address, outputMint: Address): Edge | null {
    let outputs = this.#made.get(inputMint);
    if (outputs === undefined) {
      outputs = new Map();
      this.#made.set(inputMint, outputs);
    }
    let edge = outputs.get(outputMint);
    if (edge === undefined) {
      const markets = this.#pools.between(inputMint, outputMint).filter(this.#request.allows);
      edge = markets.length === 0 ? null : { inputMint, outputMint, markets: strongest(markets, inputMint) };
      outputs.set(outputMint, edge);
    }
    return edge;
  }
}

/** Far beyond any pool's reserves, the estimate tends to what the pool holds of the output: its depth. */
const EVERYTHING = 1e30;

function strongest(markets: readonly Market[], inputMint: Address): readonly Market[] {
  if (markets.length <= PARALLEL) return markets;
  const depth = ({ venue, pool }: Market): number => venue.estimate(pool, inputMint, EVERYTHING);
  return markets
    .map((market) => ({ market, depth: depth(market) }))
    .sort((one, other) => other.depth - one.depth)
    .slice(0, PARALLEL)
    .map(({ market }) => market);
}

/** Keeps the paths with the highest scores. */
class Best {
  readonly #size: number;
  readonly #kept: { readonly path: Path; readonly score: number }[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  offer(path: Path, score: number): void {
    const last = this.#kept[this.#size - 1];
    if (score <= 0 || (last !== undefined && last.score >= score)) return;
    let place = this.#kept.length;
    while (place > 0 && (this.#kept[place - 1]?.score ?? 0) < score) place--;
    this.#kept.splice(place, 0, { path, score });
    if (this.#kept.length > this.#size) this.#kept.pop();
  }

  paths(): readonly Path[] {
    return this.#kept.map(({ path }) => path);
  }
}
