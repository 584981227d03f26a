import type { ChainClock } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { estimateReceived, mayPayMoreForMore } from '../estimate-received.ts';
import type { Liquidity, PoolHandle } from '../pools/liquidity.ts';
import { type Edge, Edges } from './candidate-edges.ts';
import { CrowdedEdge } from './crowded-edge.ts';

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
  readonly clock: ChainClock;
  /** Which venues may take part, by label; every one when absent. */
  readonly allows?: ((label: string) => boolean) | undefined;
  readonly avoid?: ReadonlySet<Address> | undefined;
  /** Whether a pool may not take the mint in its present state. Default: all may. */
  readonly excludes?: ((handle: PoolHandle, inputMint: Address) => boolean) | undefined;
  /** Only venues over which the aggregator delivers an exact output. */
  readonly forExactOut?: boolean;
  /** Only hubs between the two ends. */
  readonly onlyHubs: boolean;
}

/** If an end has at most this many counterparts, all of them are searched; otherwise only hubs. */
const MAX_COUNTERPARTS_SEARCHED = 96;
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
 * unless the request restricts venues or pools. Of pairs with many pools, those are chosen that matter for the amount.
 *
 * @param amount - Atoms of the input mint.
 */
export function getCandidateGraph(
  pools: Liquidity,
  request: CandidateRequest,
  amount: number,
): CandidateGraph {
  const { allows, avoid = NONE, excludes, forExactOut = false } = request;
  if (allows !== undefined || avoid.size > 0 || excludes !== undefined || forExactOut) {
    const mayTrade = (handle: PoolHandle, inputMint: Address): boolean => {
      const { venue, pool } = handle;
      if (
        allows?.(venue.label) === false ||
        avoid.has(pool.address) ||
        excludes?.(handle, inputMint) === true
      )
        return false;
      return !forExactOut || pool.mints.some((mint) => (venue.forExactOut?.(pool, mint) ?? null) !== null);
    };
    return buildChosen(pools, new Edges(pools, mayTrade), request, amount);
  }
  const { listing } = pools;
  if (listing === undefined) return buildChosen(pools, new Edges(pools, null), request, amount);
  let kept = graphCaches.get(pools);
  if (kept?.listing !== listing) {
    kept = new GraphCache(pools, listing);
    graphCaches.set(pools, kept);
  }
  return kept.between(request, amount);
}

function buildChosen(
  pools: Liquidity,
  edges: Edges,
  request: CandidateRequest,
  amount: number,
): CandidateGraph {
  const graph = buildGraph(pools, edges, request);
  choosePools(listCrowdedEdges(graph), amount, request.clock);
  return graph;
}

const graphCaches = new WeakMap<Liquidity, GraphCache>();

type ChangingEdge = Edge & { dearInParts: boolean };

/** An edge with many pools, and the edges of a path that lead to it. */
type FedEdge = readonly [edge: CrowdedEdge, before: readonly Edge[]];

interface BuiltGraph {
  readonly graph: CandidateGraph;
  readonly crowded: readonly FedEdge[];
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

  between(request: CandidateRequest, amount: number): CandidateGraph {
    const found = this.#found.get(request.inputMint)?.get(request.outputMint)?.[computeGraphIndex(request)];
    if (found === undefined) return this.#find(request, amount);
    choosePools(found.crowded, amount, request.clock);
    for (const edge of found.charged) edge.dearInParts = edge.handles.some(mayPayMoreForMore);
    return found.graph;
  }

  #find(request: CandidateRequest, amount: number): CandidateGraph {
    const built = buildGraph(this.#pools, this.#edges, request);
    const crowded = listCrowdedEdges(built);
    choosePools(crowded, amount, request.clock);
    const graph = cheapestFirst(built, request.clock);
    const edges = collectEdges(graph);
    // Pairs without a route are cached too, and a request may name any mints.
    this.#size += ENTRY + edges.size;
    if (this.#size > MAX_KEPT) {
      this.#found.clear();
      this.#edges = new Edges(this.#pools, null);
      this.#size = ENTRY + edges.size;
    }
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
function cheapestFirst({ direct, over }: CandidateGraph, clock: ChainClock): CandidateGraph {
  const most = (edge: Edge, amount: number): number => mostReceived(edge, amount, clock);
  const priced = over.map((branch) => {
    const there = most(branch.first, 1);
    const prices = branch.onward.map(({ middle, last }) => most(last, most(middle, there)));
    return { branch, price: Math.max(branch.last === null ? 0 : most(branch.last, there), ...prices) };
  });
  priced.sort((one, other) => other.price - one.price);
  return { direct, over: priced.map(({ branch }) => branch) };
}

/** Returns the estimated output of the best pool. */
function mostReceived({ handles, inputMint }: Edge, amount: number, clock: ChainClock): number {
  return Math.max(0, ...handles.map((handle) => estimateReceived(handle, inputMint, amount, clock)));
}

/** Lists the edges of which pools have to be chosen, each behind those that lead to it. */
function listCrowdedEdges({ direct, over }: CandidateGraph): readonly FedEdge[] {
  const found = new Map<CrowdedEdge, readonly Edge[]>();
  const add = (edge: Edge | null, ...before: Edge[]): void => {
    if (edge instanceof CrowdedEdge && !found.has(edge)) found.set(edge, before);
  };
  add(direct);
  for (const { first } of over) add(first);
  for (const { first, last } of over) add(last, first);
  for (const { first, onward } of over) for (const { middle } of onward) add(middle, first);
  for (const { first, onward } of over) for (const { middle, last } of onward) add(last, first, middle);
  return [...found];
}

/** Chooses the pools of the edges for what the edges before them pay. */
function choosePools(crowded: readonly FedEdge[], amount: number, clock: ChainClock): void {
  for (const [edge, before] of crowded) {
    edge.choose(
      before.reduce((paid, each) => mostReceived(each, paid, clock), amount),
      clock,
    );
  }
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
