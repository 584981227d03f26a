import type {
  WatchedBudget,
  WatchedQueue,
  WatchedReserve,
  WatchedStreams,
  WatchedWallet,
} from './watched-parts.ts';

/** One value per label, from a small fixed set such as route patterns and outcomes; never a key or an address. */
export type Labels = Readonly<Record<string, string>>;

export interface Counter {
  readonly add: (labels?: Labels, amount?: number) => void;
  /** Returns a function that adds one under these labels, which are looked up once. */
  readonly bind: (labels: Labels) => () => void;
}

export interface Histogram {
  readonly observe: (value: number, labels?: Labels) => void;
  /** Returns a function that records a value under these labels, which are looked up once. */
  readonly bind: (labels: Labels) => (value: number) => void;
}

/** A gauge's value for one combination of labels. */
export interface Reading {
  readonly labels: Labels;
  readonly value: number;
}

/** One value, or one for each combination of labels. */
export type Readings = number | readonly Reading[];

/**
 * The port for metrics, and for what the operator sees of a room beside its numbers. Each name can be registered once. Names follow the conventions of Prometheus,
 * `sluice_<room>_<what>_<unit>`, and docs/operation.md lists all of them.
 */
export interface Metrics {
  readonly counter: (name: string, help: string, labels?: readonly string[]) => Counter;
  /** Registers a gauge. `read` is called on each scrape and must be cheap. */
  readonly gauge: (
    name: string,
    help: string,
    read: () => Readings | Promise<Readings>,
    labels?: readonly string[],
  ) => void;
  /** @param buckets - Upper bounds in ascending order. */
  readonly histogram: (
    name: string,
    help: string,
    buckets: readonly number[],
    labels?: readonly string[],
  ) => Histogram;
  /** Declares something that waits, for the operator's overview. */
  readonly queue: (queue: WatchedQueue) => void;
  /** Declares connections or readers, for the operator's overview. */
  readonly streams: (streams: WatchedStreams) => void;
  /** Declares a wallet of the operator, for the operator's overview. */
  readonly wallet: (wallet: WatchedWallet) => void;
  /** Declares what a wallet may spend, for the operator's overview. */
  readonly budget: (budget: WatchedBudget) => void;
  /** Declares dollars that users can be owed, for the operator's overview. */
  readonly reserve: (reserve: WatchedReserve) => void;
}

/** Metrics that record nothing. */
export const NO_METRICS: Metrics = {
  counter: () => ({ add: () => undefined, bind: () => () => undefined }),
  gauge: () => undefined,
  histogram: () => ({ observe: () => undefined, bind: () => () => undefined }),
  queue: () => undefined,
  streams: () => undefined,
  wallet: () => undefined,
  budget: () => undefined,
  reserve: () => undefined,
};
