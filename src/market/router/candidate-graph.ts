import type { ChainClock } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { BEYOND_RESERVES, estimateReceived, isCharged, mayPayMoreForMore } from '../estimate-received.ts';
import type { Liquidity, PoolHandle } from '../pools/liquidity.ts';

/** One hop of a path: two mints and the pools that may trade them. */
export interface Edge {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly handles: readonly PoolHandle[];
  /** Whether transfers of one of the mints can cost a fee. */
  readonly isCharged: boolean;
  /** Whether a small amount may get a worse price than a large one over any of the pools. */
  readonly dearInParts: boolean;
}

/** The pools that routes from one mint to another may use, over at most two mints in between. */
export interface CandidateGraph {
  readonly direct: Edge | null;
  readonly over: readonly CandidateBranch[];
}

/** All candidate paths that begin with the same edge. They end with a second edge, or continue over another mint. */
export interface CandidateBranch {
  readonly first: Edge;
  /** Null where no pool trades the mint for the output. */
  readonly last: Edge | null;
  readonly onward: readonly { readonly middle: Edge; readonly last: Edge }[];
}

export interface CandidateRequest {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly maxHops: number;
  readonly clock: Pick<ChainClock, 'epoch'>;
  /** Which venues may take part, by label; every one when absent. */
  readonly allows?: ((label: string) => boolean) | undefined;
  readonly avoid?: ReadonlySet<Address> | undefined;
  /** Whether a pool may not take part in its present state. Default: all may. */
  readonly excludes?: ((handle: PoolHandle) => boolean) | undefined;
  /** Only venues over which the aggregator delivers an exact output. */
  readonly forExactOut?: boolean;
  /** Only hubs between the two ends. */
  readonly onlyHubs: boolean;
}

/** If an end has at most this many counterparts, all of them are searched; otherwise only hubs. */
const MAX_COUNTERPARTS_SEARCHED = 96;
/** The most pools that one hop may use in parallel. */
const MAX_POOLS_PER_HOP = 6;
/**
 * The most entries that are cached, at some hundred bytes each, which is more than busy pairs need. Beyond it the cache
 * is cleared.
 */
const MAX_KEPT = 100_000;
/** The size of a pair without its edges, measured in edges. */
const ENTRY = 8;

const NONE: ReadonlySet<Address> = new Set();

/**
 * Builds the graph of one pair, or returns the cached one. Graphs are cached until the set of trading pools changes,
 * unless the request restricts venues or pools.
 */
export function getCandidateGraph(pools: Liquidity, request: CandidateRequest): CandidateGraph {
  const { allows, avoid = NONE, excludes, forExactOut = false } = request;
  if (allows !== undefined || avoid.size > 0 || excludes !== undefined || forExactOut) {
    const mayTrade = (handle: PoolHandle): boolean => {
      const { venue, pool } = handle;
      if (allows?.(venue.label) === false || avoid.has(pool.address) || excludes?.(handle) === true)
        return false;
      return !forExactOut || pool.mints.some((mint) => (venue.forExactOut?.(pool, mint) ?? null) !== null);
    };
    return buildGraph(pools, new Edges(pools, mayTrade), request);
  }
  const { listing } = pools;
  if (listing === undefined) return buildGraph(pools, new Edges(pools, null), request);
  let kept = graphCaches.get(pools);
  if (kept?.listing !== listing) {
    kept = new GraphCache(pools, listing);
    graphCaches.set(pools, kept);
  }
  return kept.between(request);
}

const graphCaches = new WeakMap<Liquidity, GraphCache>();

type ChangingEdge = Edge & { dearInParts: boolean };

interface BuiltGraph {
  readonly graph: CandidateGraph;
  readonly crowded: readonly CrowdedEdge[];
  /** Their fees may change as long as the graph is cached. */
  readonly charged: readonly ChangingEdge[];
}

/** The graphs that were built since the set of trading pools last changed. */
class GraphCache {
  readonly listing: number;
  readonly #pools: Liquidity;
  /** Keyed by input mint and output mint, then by `computeGraphIndex`. */
  readonly #found = new Map<Address, Map<Address, BuiltGraph[]>>();
  #edges: Edges;
  #size = 0;

  constructor(pools: Liquidity, listing: number) {
    this.#pools = pools;
    this.listing = listing;
    this.#edges = new Edges(pools, null);
  }

  between(request: CandidateRequest): CandidateGraph {
    const found = this.#found.get(request.inputMint)?.get(request.outputMint)?.[computeGraphIndex(request)];
    if (found === undefined) return this.#find(request);
    for (const edge of found.crowded) edge.choose();
    for (const edge of found.charged) edge.dearInParts = edge.handles.some(mayPayMoreForMore);
    return found.graph;
  }

  #find(request: CandidateRequest): CandidateGraph {
    const graph = cheapestFirst(buildGraph(this.#pools, this.#edges, request), request.clock.epoch);
    const edges = collectEdges(graph);
    // Pairs without a route are cached too, and a request may name any mints.
    this.#size += ENTRY + edges.size;
    if (this.#size > MAX_KEPT) {
      this.#found.clear();
      this.#edges = new Edges(this.#pools, null);
      this.#size = ENTRY + edges.size;
    }
    const crowded = [...edges].filter((edge) => edge instanceof CrowdedEdge);
    const charged: ChangingEdge[] = [...edges].filter((edge) => edge.isCharged);
    this.#keep(request, { graph, crowded, charged });
    return graph;
  }

  #keep(request: CandidateRequest, found: BuiltGraph): void {
    const { inputMint, outputMint } = request;
    const outputs = this.#found.get(inputMint) ?? new Map<Address, BuiltGraph[]>();
    const places = outputs.get(outputMint) ?? [];
    places[computeGraphIndex(request)] = found;
    this.#found.set(inputMint, outputs.set(outputMint, places));
  }
}

/**
 * Sorts the best branches first, so that a search can discard most others at once. Prices seldom move enough to make
 * this order wrong.
 */
function cheapestFirst({ direct, over }: CandidateGraph, epoch: bigint): CandidateGraph {
  const most = (edge: Edge, amount: number): number => mostReceived(edge, amount, epoch);
  const priced = over.map((branch) => {
    const there = most(branch.first, 1);
    const prices = branch.onward.map(({ middle, last }) => most(last, most(middle, there)));
    return { branch, price: Math.max(branch.last === null ? 0 : most(branch.last, there), ...prices) };
  });
  priced.sort((one, other) => other.price - one.price);
  return { direct, over: priced.map(({ branch }) => branch) };
}

/** Returns the estimated output of the best pool. */
function mostReceived({ handles, inputMint }: Edge, amount: number, epoch: bigint): number {
  return Math.max(0, ...handles.map((handle) => estimateReceived(handle, inputMint, amount, epoch)));
}

function computeGraphIndex({ maxHops, onlyHubs }: CandidateRequest): number {
  return 2 * maxHops + Number(onlyHubs);
}

function collectEdges({ direct, over }: CandidateGraph): ReadonlySet<Edge> {
  const edges = over.flatMap(({ first, last, onward }) => [
    first,
    last,
    ...onward.flatMap((each) => [each.middle, each.last]),
  ]);
  return new Set([direct, ...edges].filter((edge) => edge !== null));
}

function buildGraph(pools: Liquidity, edges: Edges, request: CandidateRequest): CandidateGraph {
  const { inputMint, outputMint, maxHops } = request;
  const direct = edges.between(inputMint, outputMint);
  if (maxHops < 2) return { direct, over: [] };
  const lasts = intermediates(pools, request, outputMint);
  const over: CandidateBranch[] = [];
  for (const mint of intermediates(pools, request, inputMint).keys()) {
    if (mint === inputMint || mint === outputMint) continue;
    const first = edges.between(inputMint, mint);
    if (first === null) continue;
    const last = lasts.has(mint) ? edges.between(mint, outputMint) : null;
    const onward = maxHops < 3 ? [] : onwardFrom(mint, pools, edges, { inputMint, outputMint, lasts });
    if (last !== null || onward.length > 0) over.push({ first, last, onward });
  }
  return { direct, over };
}

interface PairEnds {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly lasts: Mints;
}

function onwardFrom(
  mint: Address,
  pools: Liquidity,
  edges: Edges,
  { inputMint, outputMint, lasts }: PairEnds,
): CandidateBranch['onward'] {
  const found: { middle: Edge; last: Edge }[] = [];
  const onward = pools.counterparts(mint);
  const [few, many] = onward.size < lasts.size ? [onward, lasts] : [lasts, onward];
  for (const next of few.keys()) {
    if (next === mint || next === inputMint || next === outputMint || !many.has(next)) continue;
    const middle = edges.between(mint, next);
    const last = middle === null ? null : edges.between(next, outputMint);
    if (middle !== null && last !== null) found.push({ middle, last });
  }
  return found;
}

/** A set of mints, or the keys of a map. */
interface Mints {
  readonly size: number;
  has(mint: Address): boolean;
  keys(): Iterable<Address>;
}

/** The counterparts of one end that paths may go over. They may include the two ends themselves, which callers skip. */
function intermediates(pools: Liquidity, { onlyHubs }: CandidateRequest, end: Address): Mints {
  const counterparts = pools.counterparts(end);
  if (!onlyHubs && counterparts.size <= MAX_COUNTERPARTS_SEARCHED) return counterparts;
  const found = new Set<Address>();
  for (const mint of pools.hubs()) if (counterparts.has(mint)) found.add(mint);
  return found;
}

/** Creates each edge once. */
class Edges {
  readonly #pools: Liquidity;
  /** Null: every pool may take part. */
  readonly #allows: ((handle: PoolHandle) => boolean) | null;
  readonly #made = new Map<Address, Map<Address, Edge | null>>();

  constructor(pools: Liquidity, allows: ((handle: PoolHandle) => boolean) | null) {
    this.#pools = pools;
    this.#allows = allows;
  }

  /** Returns null if no allowed pool trades the two mints. */
  between(inputMint: Address, outputMint: Address): Edge | null {
    let outputs = this.#made.get(inputMint);
    if (outputs === undefined) {
      outputs = new Map();
      this.#made.set(inputMint, outputs);
    }
    let edge = outputs.get(outputMint);
    if (edge === undefined) {
      edge = edgeOver(this.#allowed(this.#pools.between(inputMint, outputMint)), inputMint, outputMint);
      outputs.set(outputMint, edge);
    }
    return edge;
  }

  /** Returns the list itself if all pools are allowed. */
  #allowed(handles: readonly PoolHandle[]): readonly PoolHandle[] {
    if (this.#allows === null || handles.every(this.#allows)) return handles;
    return handles.filter(this.#allows);
  }
}

function edgeOver(handles: readonly PoolHandle[], inputMint: Address, outputMint: Address): Edge | null {
  if (handles.length === 0) return null;
  if (handles.length > MAX_POOLS_PER_HOP) return new CrowdedEdge(handles, inputMint, outputMint);
  return {
    inputMint,
    outputMint,
    handles,
    isCharged: handles.some(isCharged),
    dearInParts: handles.some(mayPayMoreForMore),
  };
}

function tradesInLots({ venue }: PoolHandle): boolean {
  return venue.wholeLots === true;
}

/** An edge with more pools than one hop may use. Which of them are the deepest changes with every swap. */
class CrowdedEdge implements Edge {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly isCharged: boolean;
  dearInParts: boolean;
  readonly #all: readonly PoolHandle[];
  #handles: readonly PoolHandle[] = [];

  constructor(all: readonly PoolHandle[], inputMint: Address, outputMint: Address) {
    this.inputMint = inputMint;
    this.outputMint = outputMint;
    this.isCharged = all.some(isCharged);
    this.dearInParts = all.some(mayPayMoreForMore);
    this.#all = all;
    this.choose();
  }

  get handles(): readonly PoolHandle[] {
    return this.#handles;
  }

  choose(): void {
    const depth = (handle: PoolHandle): number =>
      // An offer in lots is never deep: it takes part for its price.
      tradesInLots(handle)
        ? Number.POSITIVE_INFINITY
        : handle.venue.estimate(handle.pool, this.inputMint, BEYOND_RESERVES);
    this.#handles = this.#all
      .map((handle) => ({ handle, depth: depth(handle) }))
      .sort((one, other) => other.depth - one.depth)
      .slice(0, MAX_POOLS_PER_HOP)
      .map(({ handle }) => handle);
  }
}
