import type { ExecutionStore } from '../../common/ports/execution-store.ts';
import type { Timers } from '../../common/ports/timers.ts';
import type { Address } from '../../solana/address.ts';
import { Unavailable } from '../../common/unavailable.ts';

/**
 * Lets one sponsored execution of each taker run at a time. Two over the same tokens would both pass their
 * simulations, and the second would fail on chain at the sponsor's cost.
 */
export interface TakerLeases {
  /**
   * Acquires the taker's lease for an order; it succeeds again for the same order.
   * Returns false while another order has the lease.
   * @throws Unavailable while the shared state does not answer
   */
  acquire(taker: Address, requestId: string): Promise<boolean>;
  /** Call this only when the order's transaction has landed, was never sent, or can no longer land. */
  release(taker: Address, requestId: string): Promise<void>;
}

/** Longer than the lifetime of a blockhash. A transaction with an unknown outcome blocks its taker for this long. */
const LEASE_MS = 130_000;

/** How the execution store that `SharedTakerLeases` uses must be set up. */
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

/** A lease that ends later than possible was acquired before the clock was set back. It counts as expired. */
function isRunning(lease: Lease, now: number): boolean {
  lease.until = Math.min(lease.until, now + LEASE_MS);
  return lease.until > now;
}

/** The leases of a single process that executes all orders. */
export class MemoryTakerLeases implements TakerLeases {
  readonly #timers: Pick<Timers, 'now'>;
  /** In the order in which the leases were acquired, which is the order in which they expire. */
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

/** Leases that several instances share. An order keeps its lease when another instance continues its execution. */
export class SharedTakerLeases implements TakerLeases {
  readonly #executions: ExecutionStore;

  constructor(executions: ExecutionStore) {
    this.#executions = executions;
  }

  async acquire(taker: Address, requestId: string): Promise<boolean> {
    const { kind } = await this.#executions.begin(taker, requestId, requestId);
    if (kind === 'begun') return true;
    if ((await this.#executions.get(taker)) !== requestId) return false;
    return this.#executions.keep(taker, requestId, requestId);
  }

  async release(taker: Address, requestId: string): Promise<void> {
    try {
      await this.#executions.end(taker, requestId, null, requestId);
    } catch (error) {
      // A lease that is not released expires by itself.
      if (!(error instanceof Unavailable)) throw error;
    }
  }
}
