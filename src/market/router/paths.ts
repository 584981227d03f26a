import type { Address } from '../../solana/address.ts';
import type { Liquidity, Market } from '../pools.ts';

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
  /** Which venues may take part, by label; every one when absent. */
  readonly allows?: (label: string) => boolean;
  readonly avoid?: ReadonlySet<Address>;
  /** Only hubs between the two ends. */
  readonly onlyHubs: boolean;
}

/** How many paths a search considers, of each way of ranking them. */
export const PATHS = 8;
/** Up to so many counterparts of an end are all looked at; beyond, only those that are hubs. */
const WIDE = 96;
/** Parallel pools that one hop may use. */
const PARALLEL = 6;

/** A path with what it is estimated to pay for the whole amount, and for `PART` of it. */
export interface RankedPath {
  readonly path: Path;
  readonly pays: number;
  readonly paysForPart: number;
}

/** Of the amount, by which shallow paths are ranked. */
export const PART = 1 / 64;

/**
 * The most promising paths, by what they are estimated to pay for the whole amount and for a small part of it:
 * deep paths win the first, well-priced shallow ones the second, and a split wants both. At most `count` of each.
 */
export function promisingPaths(pools: Liquidity, request: PathRequest, count: number): readonly RankedPath[] {
  const best = new BestPaths(count);
  const edges = edgesOf(pools, request);
  const { inputMint, outputMint, maxHops } = request;
  const start: Stream = { edge: null, before: null, whole: request.amount, part: request.amount * PART };
  best.offer(start, edges.between(inputMint, outputMint));
  if (maxHops < 2) return best.paths();
  const lasts = intermediates(pools, request, outputMint);
  const isEnd = (mint: Address): boolean => mint === inputMint || mint === outputMint;
  for (const first of intermediates(pools, request, inputMint).keys()) {
    if (isEnd(first)) continue;
    const there = along(start, edges.between(inputMint, first));
    if (there === null) continue;
    if (lasts.has(first)) best.offer(there, edges.between(first, outputMint));
    if (maxHops < 3) continue;
    const onward = pools.counterparts(first);
    const [few, many] = onward.size < lasts.size ? [onward, lasts] : [lasts, onward];
    for (const last of few.keys()) {
      if (last === first || isEnd(last) || !many.has(last)) continue;
      const middle = along(there, edges.between(first, last));
      if (middle !== null) best.offer(middle, edges.between(last, outputMint));
    }
  }
  return best.paths();
}

/** What has come along some edges, of the whole amount and of the part; both above zero. */
interface Stream {
  /** Null at the start. */
  readonly edge: Edge | null;
  readonly before: Stream | null;
  readonly whole: number;
  readonly part: number;
}

/** Null when nothing comes through, or there is no edge. */
function along(before: Stream, edge: Edge | null): Stream | null {
  if (edge === null) return null;
  const whole = paidBy(edge, before.whole);
  return whole > 0 ? { edge, before, whole, part: paidBy(edge, before.part) } : null;
}

function paidBy({ markets, inputMint }: Edge, amount: number): number {
  let best = 0;
  for (const { venue, pool } of markets) {
    const paid = venue.estimate(pool, inputMint, amount);
    if (paid > best) best = paid;
  }
  return best;
}

function pathOf(stream: Stream): Path {
  const path: Edge[] = [];
  for (let at: Stream | null = stream; at !== null; at = at.before)
    if (at.edge !== null) path.unshift(at.edge);
  return path;
}

/** Mints, as a set or the keys of a map. */
interface Mints {
  readonly size: number;
  has(mint: Address): boolean;
  keys(): Iterable<Address>;
}

/** The counterparts of one end that paths may go over, and perhaps the two ends, which they may not. */
function intermediates(pools: Liquidity, { onlyHubs }: PathRequest, end: Address): Mints {
  const counterparts = pools.counterparts(end);
  if (!onlyHubs && counterparts.size <= WIDE) return counterparts;
  const found = new Set<Address>();
  for (const mint of pools.hubs()) if (counterparts.has(mint)) found.add(mint);
  return found;
}

const NONE: ReadonlySet<Address> = new Set();

interface Kept {
  readonly listing: number;
  readonly edges: Edges;
}

const keptEdges = new WeakMap<Liquidity, Kept>();

/** Searches without conditions share their edges for as long as the same pools trade. */
function edgesOf(pools: Liquidity, { allows, avoid = NONE }: PathRequest): Edges {
  if (allows !== undefined || avoid.size > 0) {
    return new Edges(pools, ({ venue, pool }) => allows?.(venue.label) !== false && !avoid.has(pool.address));
  }
  const { listing } = pools;
  const kept = keptEdges.get(pools);
  if (listing !== undefined && kept?.listing === listing) return kept.edges;
  const edges = new Edges(pools, null);
  if (listing !== undefined) keptEdges.set(pools, { listing, edges });
  return edges;
}

/** More than the searches of a minute need: beyond, edges are made anew. */
const MOST_EDGES = 100_000;

/** Makes each edge once. */
class Edges {
  readonly #pools: Liquidity;
  /** Null: every pool may take part. */
  readonly #allows: ((market: Market) => boolean) | null;
  readonly #made = new Map<Address, Map<Address, Edge | null>>();
  #count = 0;

  constructor(pools: Liquidity, allows: ((market: Market) => boolean) | null) {
    this.#pools = pools;
    this.#allows = allows;
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
      const markets = this.#allowed(this.#pools.between(inputMint, outputMint));
      edge = markets.length === 0 ? null : { inputMint, outputMint, markets: strongest(markets, inputMint) };
      // Which of many pools are the strongest changes with every swap.
      if (markets.length <= PARALLEL) this.#keep(outputs, outputMint, edge);
    }
    return edge;
  }

  #keep(outputs: Map<Address, Edge | null>, outputMint: Address, edge: Edge | null): void {
    if (this.#count++ >= MOST_EDGES) {
      this.#made.clear();
      this.#count = 0;
    }
    outputs.set(outputMint, edge);
  }

  /** The same list where all of them are. */
  #allowed(markets: readonly Market[]): readonly Market[] {
    if (this.#allows === null || markets.every(this.#allows)) return markets;
    return markets.filter(this.#allows);
  }
}

/** Far beyond any pool's reserves, the estimate tends to what the pool holds of the output: its depth. */
const EVERYTHING = 1e30;

function strongest(markets: readonly Market[], inputMint: Address): readonly Market[] {
  if (markets.length <= PARALLEL) return markets;
  const depth = ({ venue, pool }: Market): number =>
    // What is offered in lots is never deep: it takes part for its price.
    venue.wholeLots === true ? Number.POSITIVE_INFINITY : venue.estimate(pool, inputMint, EVERYTHING);
  return markets
    .map((market) => ({ market, depth: depth(market) }))
    .sort((one, other) => other.depth - one.depth)
    .slice(0, PARALLEL)
    .map(({ market }) => market);
}

/** Keeps the streams that pay most: so many for the whole amount, and so many for the part. */
class BestPaths {
  readonly #whole: Stream[] = [];
  readonly #part: Stream[] = [];
  readonly #count: number;

  constructor(count: number) {
    this.#count = count;
  }

  /** Offers what came along to `before` and then takes the last edge. */
  offer(before: Stream, edge: Edge | null): void {
    if (edge === null) return;
    const whole = paidBy(edge, before.whole);
    const part = paidBy(edge, before.part);
    const byWhole = whole > 0 && whole > (this.#whole[this.#count - 1]?.whole ?? 0);
    const byPart = whole > 0 && part > (this.#part[this.#count - 1]?.part ?? 0);
    if (!byWhole && !byPart) return;
    const stream: Stream = { edge, before, whole, part };
    if (byWhole) this.#keep(this.#whole, stream, 'whole');
    if (byPart) this.#keep(this.#part, stream, 'part');
  }

  paths(): readonly RankedPath[] {
    const kept = new Set([...this.#whole, ...this.#part]);
    return [...kept].map((stream) => ({
      path: pathOf(stream),
      pays: stream.whole,
      paysForPart: stream.part,
    }));
  }

  #keep(kept: Stream[], stream: Stream, by: 'whole' | 'part'): void {
    let place = kept.length;
    while (place > 0 && (kept[place - 1]?.[by] ?? 0) < stream[by]) place--;
    kept.splice(place, 0, stream);
    if (kept.length > this.#count) kept.pop();
  }
}
