import type { LimitOrder } from '../../../protocols/jupiter-limit-order/layout.ts';
import type { Address } from '../../../solana/address.ts';
import { computeWantedRatio } from './followed-order.ts';
import { PriceLadder } from './price-ladder.ts';

/** Orders of a pair that are returned at once when its price has moved. The others follow the next time. */
const MAX_REACHED = 256;
/** Orders are tried that want a little more than the estimate, since a route may pay more than the pools' prices say. */
const MARGIN = 1.005;

export interface OrderPairsOptions {
  /** Returns US dollars per atom, for ranking only; null without a price. */
  readonly dollarsPerAtom: (mint: Address) => number | null;
  /** Called when the first order names a mint, and when the last one that did is gone. */
  readonly onMint: (mint: Address, isNamed: boolean) => void;
}

/** The two tokens of an order. */
type TradedPair = Pick<LimitOrder, 'inputMint' | 'outputMint'>;

/** What an order is ranked by. */
type RankedOrder = Pick<LimitOrder, 'inputMint' | 'outputMint' | 'making' | 'taking' | 'slippageBps'>;

interface RankedPair extends TradedPair {
  readonly ladder: PriceLadder;
}

/** Ranks the limit orders that wait for their prices, pair by pair, and finds those that the estimates of now reach. */
export class OrderPairs {
  readonly #options: OrderPairsOptions;
  readonly #pairs = new Map<string, RankedPair>();
  readonly #pairsOf = new Map<Address, Set<RankedPair>>();
  /** How many open orders name each mint. */
  readonly #named = new Map<Address, number>();
  /** Pairs whose prices may reach orders. */
  readonly #moved = new Set<RankedPair>();

  constructor(options: OrderPairsOptions) {
    this.#options = options;
  }

  /** Counts an open order of any program, so that the prices of its tokens are followed. */
  name({ inputMint, outputMint }: TradedPair): void {
    for (const mint of [inputMint, outputMint]) this.#count(mint, 1);
  }

  /** Takes back what `name` has counted. */
  forget({ inputMint, outputMint }: TradedPair): void {
    for (const mint of [inputMint, outputMint]) this.#count(mint, -1);
  }

  /**
   * Lets an order wait until the estimates reach its price. Returns false if it need not wait: they reach it now, or there is
   * none, and then the order is tried whenever it is no longer put off.
   */
  add(address: Address, order: RankedOrder): boolean {
    const ratio = computeWantedRatio(order);
    const estimate = this.#estimate(order);
    if (estimate === null || ratio <= estimate * MARGIN) return false;
    this.#openPair(order).ladder.add(address, ratio);
    return true;
  }

  /** Takes out an order, if it waits. */
  remove(address: Address, order: RankedOrder): void {
    this.#pairs.get(toPairKey(order))?.ladder.remove(address, computeWantedRatio(order));
  }

  /** Takes note that the price of a token may have moved. */
  noteMoved(mint: Address): void {
    for (const pair of this.#pairsOf.get(mint) ?? []) this.#moved.add(pair);
  }

  /** Takes note that any price may have moved. */
  noteAllMoved(): void {
    for (const pair of this.#pairs.values()) this.#moved.add(pair);
  }

  /**
   * Returns the orders whose price the estimates of now reach, of up to `maxPairs` pairs that may have moved. The caller takes
   * them out. A pair that may have more of them is looked at again the next time.
   */
  listReached(maxPairs: number): readonly Address[] {
    const all: Address[] = [];
    const unfinished: RankedPair[] = [];
    let left = maxPairs;
    for (const pair of this.#moved) {
      if (left-- === 0) break;
      this.#moved.delete(pair);
      const estimate = this.#estimate(pair);
      if (estimate === null) continue;
      const reached = pair.ladder.listReached(estimate * MARGIN, MAX_REACHED);
      all.push(...reached);
      if (reached.length === MAX_REACHED) unfinished.push(pair);
    }
    for (const pair of unfinished) this.#moved.add(pair);
    return all;
  }

  #openPair({ inputMint, outputMint }: TradedPair): RankedPair {
    const key = toPairKey({ inputMint, outputMint });
    let pair = this.#pairs.get(key);
    if (pair === undefined) {
      pair = { inputMint, outputMint, ladder: new PriceLadder() };
      this.#pairs.set(key, pair);
      for (const mint of [inputMint, outputMint]) {
        const pairs = this.#pairsOf.get(mint) ?? new Set();
        this.#pairsOf.set(mint, pairs.add(pair));
      }
    }
    return pair;
  }

  #estimate({ inputMint, outputMint }: TradedPair): number | null {
    const { dollarsPerAtom } = this.#options;
    const [input, output] = [dollarsPerAtom(inputMint), dollarsPerAtom(outputMint)];
    if (input === null || output === null) return null;
    return output > 0 ? input / output : null;
  }

  /** Counts the orders that name a mint, and forgets the pairs of one that none names. */
  #count(mint: Address, change: 1 | -1): void {
    const before = this.#named.get(mint) ?? 0;
    const after = before + change;
    if (after > 0) this.#named.set(mint, after);
    else {
      this.#named.delete(mint);
      for (const pair of this.#pairsOf.get(mint) ?? []) this.#removePair(pair);
    }
    if (before === 0 || after === 0) this.#options.onMint(mint, after > 0);
  }

  #removePair(pair: RankedPair): void {
    this.#pairs.delete(toPairKey(pair));
    this.#moved.delete(pair);
    for (const mint of [pair.inputMint, pair.outputMint]) {
      const pairs = this.#pairsOf.get(mint);
      pairs?.delete(pair);
      if (pairs?.size === 0) this.#pairsOf.delete(mint);
    }
  }
}

function toPairKey({ inputMint, outputMint }: TradedPair): string {
  return `${inputMint} ${outputMint}`;
}
