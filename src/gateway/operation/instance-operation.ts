import type { Chain } from '../../chain/chain.ts';
import type { WatchedBudget, WatchedParts, WatchedWallet } from '../../common/ports/watched-parts.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { BoundedReading } from './bounded-reading.ts';
import { computeLastsSeconds, type SpentBudget } from './budget-pace.ts';
import type { PartWatch } from './part-watch.ts';
import type { WatchedNode, WatchedStore } from './watched-servers.ts';

/** What does not change while an instance runs. */
export interface InstanceFacts {
  /** The name of this instance, by which the operator tells it from others. */
  readonly name: string;
  readonly version: string;
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly network: 'embedded' | 'rpc';
  readonly isKeeper: boolean;
  /** Whether it works beside others. */
  readonly isShared: boolean;
}

export interface OperationOptions {
  readonly facts: InstanceFacts;
  readonly parts: Pick<PartWatch, 'states' | 'changes' | 'isChecked'>;
  readonly stores: readonly WatchedStore[];
  readonly nodes: readonly WatchedNode[];
  readonly chain: Pick<Chain, 'slot' | 'recentBlockhash'>;
  /** Read at each request, so that rooms may be opened later. */
  readonly watched: WatchedParts;
  /** Counts the landings that were accepted since then, by their outcome. */
  readonly countLandings: (since: number) => Promise<ReadonlyMap<string, number>>;
  readonly timers: Timers;
  /** Milliseconds of a monotonic clock. */
  readonly stopwatch: () => number;
}

/** Stores are not asked more often than this, however many look. */
const FRESH_MS = 4_000;
/** A store that takes longer is shown as it was. */
const WAIT_MS = 500;
/** Of how long landings are counted. */
const LANDINGS_MS = 3_600_000;
const MICROS_PER_MS = 1_000;

/**
 * How an instance is, for its operator. What is in memory is read at once; what a store has to say is read by all callers
 * together, with a bound on the time, so that a store that hangs holds up nobody.
 */
export class InstanceOperation {
  readonly #options: OperationOptions;
  readonly #stores: readonly StoreReading[];
  readonly #landings: BoundedReading<LandingCounts>;
  readonly #spent = new Map<string, BoundedReading<bigint>>();

  constructor(options: OperationOptions) {
    this.#options = options;
    this.#stores = options.stores.map((store) => ({
      store,
      reading: this.#bound(async () => {
        const begunAt = options.stopwatch();
        const bytes = await store.measure();
        return { bytes, latencyMicros: Math.round((options.stopwatch() - begunAt) * MICROS_PER_MS) };
      }),
    }));
    this.#landings = this.#bound(async () => {
      const since = options.timers.now() - LANDINGS_MS;
      return { since, counts: await options.countLandings(since) };
    });
  }

  /** Reads how the instance is now. */
  async read() {
    const { facts, parts, nodes, watched, timers } = this.#options;
    const [landings, stores, wallets] = await Promise.all([
      this.#landings.get(),
      Promise.all(this.#stores.map((each) => this.#readStore(each))),
      Promise.all(groupWallets(watched.wallets).map((wallet) => this.#readWallet(wallet))),
    ]);
    const now = timers.now();
    const states = parts.states.map(({ reason, ...part }) => ({ ...part, works: reason === null, reason }));
    return {
      instance: { ...facts, now },
      works: parts.isChecked && states.every(({ works, optional }) => works || optional),
      parts: states,
      changes: [...parts.changes],
      stores,
      nodes: nodes.map((node) => this.#readNode(node, now)),
      streams: watched.streams.map(({ name, meaning, read }) => ({ name, meaning, ...read() })),
      queues: watched.queues.map(({ name, meaning, read }) => ({ name, meaning, ...read() })),
      wallets,
      landings:
        landings === null
          ? null
          : {
              since: landings.value.since,
              outcomes: [...landings.value.counts].map(([outcome, count]) => ({ outcome, count })),
              readAt: landings.readAt,
            },
      reserves: watched.reserves.map(({ name, meaning, microDollars }) => ({
        name,
        meaning,
        microDollars: microDollars()?.toString() ?? null,
      })),
    };
  }

  async #readStore({ store, reading }: StoreReading) {
    const { name, kind, part, meaning } = store;
    const read = await reading.get();
    return {
      name,
      kind,
      part,
      meaning,
      bytes: read?.value.bytes ?? null,
      latencyMicros: read?.value.latencyMicros ?? null,
      readAt: read?.readAt ?? null,
    };
  }

  #readNode({ name, host, meaning, isSource, read }: WatchedNode, now: number) {
    const reading = read();
    return {
      name,
      host,
      meaning,
      slots: isSource ? this.#readSlots(now) : null,
      calls:
        reading === null
          ? null
          : {
              sent: reading.calls,
              failed: reading.failures,
              waiting: reading.waiting,
              lastFailure: reading.lastFailure,
              pausedUntil: reading.pausedUntil,
            },
      webSocket: reading?.webSocket ?? null,
    };
  }

  #readSlots(now: number) {
    const { chain } = this.#options;
    return {
      processed: chain.slot('processed').toString(),
      confirmed: chain.slot('confirmed').toString(),
      finalized: chain.slot('finalized').toString(),
      blockhashAgeMs: findBlockhashAge(chain, now),
    };
  }

  async #readWallet({ names, address, meaning, lamports }: PayingWallet) {
    const { watched, timers } = this.#options;
    const own = watched.budgets.filter(({ wallet }) => wallet === address);
    const budgets = await Promise.all(own.map((budget) => this.#readBudget(budget)));
    const spent = budgets.flatMap((budget): SpentBudget[] =>
      budget.spent === null ? [] : [{ window: budget.window, spent: BigInt(budget.spent) }],
    );
    const isKnown = spent.length === budgets.length && lamports !== null;
    const lasts = isKnown ? computeLastsSeconds(lamports, spent, timers.now()) : null;
    return {
      names: [...names],
      address,
      meaning,
      lamports: lamports?.toString() ?? null,
      lastsSeconds: lasts?.toString() ?? null,
      budgets,
    };
  }

  async #readBudget(budget: WatchedBudget) {
    const { name, window, limit, limitOfOne, atLimit, readSpent, held } = budget;
    const reading = this.#spent.get(name) ?? this.#bound(readSpent);
    this.#spent.set(name, reading);
    const read = await reading.get();
    return {
      name,
      window,
      spent: read?.value.toString() ?? null,
      limit: limit.toString(),
      limitOfOne: limitOfOne?.toString() ?? null,
      held: held()?.toString() ?? null,
      atLimit,
      readAt: read?.readAt ?? null,
    };
  }

  #bound<T>(read: () => Promise<T>): BoundedReading<T> {
    return new BoundedReading(read, {
      timers: this.#options.timers,
      freshMs: FRESH_MS,
      waitMs: WAIT_MS,
    });
  }
}

interface LandingCounts {
  readonly since: number;
  readonly counts: ReadonlyMap<string, number>;
}

interface StoreReading {
  readonly store: WatchedStore;
  readonly reading: BoundedReading<{ readonly bytes: number | null; readonly latencyMicros: number }>;
}

/** A wallet with everything that it pays for. */
interface PayingWallet {
  readonly names: readonly string[];
  readonly address: string;
  readonly meaning: string;
  readonly lamports: bigint | null;
}

/** One wallet may be declared by several rooms, because it pays for several things. */
function groupWallets(wallets: readonly WatchedWallet[]): readonly PayingWallet[] {
  return [...new Set(wallets.map(({ address }) => address))].map((address) => {
    const same = wallets.filter((wallet) => wallet.address === address);
    return {
      names: same.map(({ name }) => name),
      address,
      meaning: same.map(({ meaning }) => meaning).join(' '),
      lamports: same.map(({ lamports }) => lamports()).find((each) => each !== null) ?? null,
    };
  });
}

/** Returns null before a blockhash is known. */
function findBlockhashAge(chain: Pick<Chain, 'recentBlockhash'>, now: number): number | null {
  try {
    return Math.max(now - chain.recentBlockhash().fetchedAt, 0);
  } catch {
    return null;
  }
}
