import type { ChainClock } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { estimateReceived } from '../estimate-received.ts';
import type { PoolHandle } from '../pools/liquidity.ts';
import type { CandidatePath } from './candidate-paths.ts';
import type { Edge } from './candidate-edges.ts';

/** The estimated amounts that a route sends through one pool. */
export interface PoolFlow {
  readonly handle: PoolHandle;
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** Atoms of the input mint. */
  amount: number;
  /** Atoms of the output mint. */
  paid: number;
}

/** The flows through all pools, sorted so that whatever feeds a mint comes before what spends it. */
export type SplitFlow = readonly PoolFlow[];

/** The estimated atoms of the input mint, and the time of the swap. */
export interface SplitInput {
  readonly amount: number;
  readonly clock: ChainClock;
}

const WHOLE: readonly number[] = [1];
const LAST = 1 / 256;
const ALL_BUT_LAST: readonly number[] = [1 - LAST];
/** The sizes of the pieces in which the amount is assigned: coarse ones set the shape, fine ones refine it. */
const PIECES: readonly number[] = [
  ...new Array<number>(12).fill(1 / 16),
  ...new Array<number>(8).fill(1 / 64),
  ...new Array<number>(32).fill(LAST),
];

/**
 * Splits `amount` over at most `maxPaths` of the paths and over the pools of each hop. Each piece goes to the path that
 * pays most for it on top of the flows so far, so that marginal prices after fees end up equal. Pools are shared: what
 * one path sends through a pool lowers the output of the others. With `maxPaths` 0 nothing is split: the whole amount
 * goes through the best pool of each hop of the best path. Once `maxPools` are in use, further pieces only go through
 * those.
 *
 * Where no path is dear in parts, every piece gets less than the one before. If all pieces but the last are sent one way
 * at once, and the last one still goes the same way, then each of them would have done so by itself. The flow is then found
 * in two steps.
 */
export function optimiseSplit(
  paths: readonly CandidatePath[],
  input: SplitInput,
  maxPaths: number,
  maxPools = Number.POSITIVE_INFINITY,
): SplitFlow {
  const everyPiece = () => handedOut(paths, input, maxPaths, maxPools, PIECES).flow();
  if (maxPaths !== 0 && paths.some((path) => path.some(({ dearInParts }) => dearInParts)))
    return everyPiece();
  const oneWay = handedOut(
    paths,
    input,
    Math.max(1, maxPaths),
    maxPools,
    maxPaths === 0 ? WHOLE : ALL_BUT_LAST,
  );
  if (maxPaths === 0) return oneWay.flow();
  const pools = oneWay.size;
  oneWay.handOut(input.amount * LAST);
  if (oneWay.size === pools) return oneWay.flow();
  return everyPiece();
}

function handedOut(
  paths: readonly CandidatePath[],
  { amount, clock }: SplitInput,
  maxPaths: number,
  maxPools: number,
  pieces: readonly number[],
): SplitOptimiser {
  const split = new SplitOptimiser(paths, clock, maxPaths, maxPools);
  for (const piece of pieces) if (!split.handOut(amount * piece)) break;
  return split;
}

/** Assigns the amount piece by piece. */
class SplitOptimiser {
  readonly #paths: readonly CandidatePath[];
  readonly #clock: ChainClock;
  readonly #maxPaths: number;
  readonly #maxPools: number;
  readonly #flows = new Map<PoolHandle, PoolFlow>();
  readonly #order = new MintOrder();
  readonly #used = new Set<CandidatePath>();
  /**
   * The indexes of the paths through each pool, because a piece only changes the output of those. Built when first
   * needed.
   */
  #through: ReadonlyMap<PoolHandle, readonly number[]> | null = null;
  /** The pools that the last piece went through. */
  readonly #moved: PoolHandle[] = [];
  /** What each path pays for a piece of the same size; below 0 if it must be computed again. */
  readonly #paid: number[];
  /** The version of `#order` at which each path was last admitted. */
  readonly #admittedAt: number[];
  #piece = 0;
  /** Whether pools that are not in use yet may be used. */
  #open = true;

  constructor(paths: readonly CandidatePath[], clock: ChainClock, maxPaths: number, maxPools: number) {
    this.#paths = paths;
    this.#clock = clock;
    this.#maxPaths = maxPaths;
    this.#maxPools = maxPools;
    this.#paid = paths.map(() => STALE);
    this.#admittedAt = paths.map(() => NEVER);
  }

  /**
   * Sends the piece along the path that pays most for it.
   *
   * Returns false if no path pays anything.
   */
  handOut(piece: number): boolean {
    const open = this.#flows.size < this.#maxPools;
    if (piece !== this.#piece || open !== this.#open) this.#paid.fill(STALE);
    else for (const handle of this.#moved) this.#forgetThrough(handle);
    this.#moved.length = 0;
    this.#piece = piece;
    this.#open = open;
    const best = this.#bestPath();
    if (best === null) return false;
    this.#used.add(best);
    this.#send(best);
    return true;
  }

  /** The number of pools in use. */
  get size(): number {
    return this.#flows.size;
  }

  flow(): SplitFlow {
    const flows = [...this.#flows.values()];
    if (flows.length < 2) return flows;
    const rank = this.#order.ranks();
    return flows.sort((one, other) => (rank.get(one.inputMint) ?? 0) - (rank.get(other.inputMint) ?? 0));
  }

  #forgetThrough(handle: PoolHandle): void {
    this.#through ??= placesThrough(this.#paths);
    for (const place of this.#through.get(handle) ?? []) this.#paid[place] = STALE;
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

  /** The inner loop of the search. It allocates no objects. */
  #paidAlong(path: CandidatePath): number {
    let stream = this.#piece;
    for (const edge of path) {
      let best = 0;
      for (const handle of edge.handles) {
        const paid = this.#paidOnTop(handle, edge, stream);
        if (paid > best) best = paid;
      }
      stream = best;
    }
    return stream;
  }

  #paidOnTop(handle: PoolHandle, edge: Edge, amount: number): number {
    const flow = this.#flows.get(handle);
    if (flow === undefined) return this.#open ? this.#estimate(handle, edge, amount) : 0;
    return this.#estimate(handle, edge, flow.amount + amount) - flow.paid;
  }

  #estimate(handle: PoolHandle, { inputMint, isCharged }: Edge, amount: number): number {
    return isCharged
      ? estimateReceived(handle, inputMint, amount, this.#clock)
      : handle.venue.estimate(handle.pool, inputMint, amount, this.#clock);
  }

  /** Sends the current piece through the best pool of each hop. */
  #send(path: CandidatePath): void {
    let stream = this.#piece;
    for (const edge of path) {
      let [best, most]: [PoolHandle | null, number] = [null, 0];
      for (const handle of edge.handles) {
        const paid = this.#paidOnTop(handle, edge, stream);
        if (paid > most) [best, most] = [handle, paid];
      }
      if (best === null) return;
      this.#order.add(edge.inputMint, edge.outputMint);
      this.#add(edge, best, stream, most);
      stream = most;
    }
  }

  #add({ inputMint, outputMint }: Edge, handle: PoolHandle, amount: number, paid: number): void {
    this.#moved.push(handle);
    const flow = this.#flows.get(handle);
    if (flow === undefined) {
      this.#flows.set(handle, { handle, inputMint, outputMint, amount, paid });
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
    for (const { handles } of path) {
      for (const handle of handles) {
        const places = through.get(handle);
        if (places === undefined) through.set(handle, [place]);
        else places.push(place);
      }
    }
  }
  return through;
}

/** Which mints feed which. A route runs step by step, so no mint may feed itself, directly or over others. */
class MintOrder {
  readonly #next = new Map<Address, Set<Address>>();
  #version = 0;

  /** Changes whenever the result of `admits` may change. */
  get version(): number {
    return this.#version;
  }

  /** Whether no mint of the path feeds one that comes earlier on the path. */
  admits(path: CandidatePath): boolean {
    for (let at = 0; at < path.length; at++) {
      for (let before = 0; before <= at; before++) {
        if (this.#reaches(path[at]?.outputMint, path[before]?.inputMint)) return false;
      }
    }
    return true;
  }

  add(from: Address, to: Address): void {
    let next = this.#next.get(from);
    if (next === undefined) {
      next = new Set();
      this.#next.set(from, next);
    }
    if (next.has(to)) return;
    next.add(to);
    this.#version++;
  }

  /** Returns a number for each mint that is greater than those of all mints that feed it. */
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

  #reaches(from: Address | undefined, to: Address | undefined): boolean {
    if (from === undefined || to === undefined) return false;
    if (from === to) return true;
    const onward = this.#next.get(from);
    if (onward === undefined) return false;
    for (const next of onward) if (this.#reaches(next, to)) return true;
    return false;
  }
}
