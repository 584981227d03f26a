import type { SharedRuns } from '../../common/ports/shared-runs.ts';
import type { Timers } from '../../common/ports/timers.ts';
import type { Address } from '../../solana/address.ts';
import { Unavailable } from '../../common/unavailable.ts';

/**
 * Lets one sponsored execution of each taker run at a time. Two over the same tokens would both pass their simulations,
 * and the second would fail on chain at the sponsor's cost.
 */
export interface TakerLeases {
  /**
   * Whether the taker's lease is the order's, also when the order had it before: false while another order has it.
   * @throws Unavailable while it cannot be known
   */
  acquire(taker: Address, requestId: string): Promise<boolean>;
  /** To be called only when the order's transaction has landed, was never sent, or can no longer land. */
  release(taker: Address, requestId: string): Promise<void>;
}

/** Longer than a blockhash lives: a transaction of which nobody knows the end blocks its taker for so long. */
const LEASE_MS = 130_000;

/** How the runs that `SharedTakerLeases` uses must be set up. */
export const SHARED_TAKER_LEASES = {
  kind: 'sponsored-taker',
  whenLost: 'Sponsored orders cannot be executed at the moment; try again in a second',
  taskLifeMs: LEASE_MS,
  leaseMs: LEASE_MS,
  answerLifeMs: LEASE_MS,
} as const;

interface Lease {
  readonly requestId: string;
  until: number;
}

/** One that ends later than any can was acquired before the clock was put back: it begins again. */
function isRunning(lease: Lease, now: number): boolean {
  lease.until = Math.min(lease.until, now + LEASE_MS);
  return lease.until > now;
}

/** The leases of a process that executes all orders by itself. */
export class MemoryTakerLeases implements TakerLeases {
  readonly #timers: Pick<Timers, 'now'>;
  /** In the order in which they were acquired, and so in which they run out. */
  readonly #leases = new Map<Address, Lease>();

  constructor(timers: Pick<Timers, 'now'>) {
    this.#timers = timers;
  }

  async acquire(taker: Address, requestId: string): Promise<boolean> {
    const now = this.#timers.now();
    for (const [oldest, lease] of this.#leases) {
      if (isRunning(lease, now)) break;
      this.#leases.delete(oldest);
    }
    const held = this.#leases.get(taker);
    if (held !== undefined && held.requestId !== requestId && isRunning(held, now)) return false;
    this.#leases.delete(taker);
    this.#leases.set(taker, { requestId, until: now + LEASE_MS });
    return true;
  }

  async release(taker: Address, requestId: string): Promise<void> {
    if (this.#leases.get(taker)?.requestId === requestId) this.#leases.delete(taker);
  }
}

/** The leases of several instances. An order keeps its lease when another instance goes on with it. */
export class SharedTakerLeases implements TakerLeases {
  readonly #runs: SharedRuns;

  constructor(runs: SharedRuns) {
    this.#runs = runs;
  }

  async acquire(taker: Address, requestId: string): Promise<boolean> {
    const { kind } = await this.#runs.begin(taker, requestId, requestId);
    if (kind === 'begun') return true;
    if ((await this.#runs.get(taker)) !== requestId) return false;
    await this.#runs.keep(taker, requestId, requestId);
    return true;
  }

  async release(taker: Address, requestId: string): Promise<void> {
    try {
      await this.#runs.end(taker, requestId, null, requestId);
    } catch (error) {
      // A lease that nobody gives back runs out by itself.
      if (!(error instanceof Unavailable)) throw error;
    }
  }
}
