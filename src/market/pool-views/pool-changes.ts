import type { Pools } from '../pools/pools.ts';
import type { PoolHandle } from '../pools/liquidity.ts';

/** When a pool changed last. */
export interface PoolChange {
  readonly slot: bigint;
  /** Unix milliseconds. */
  readonly at: number;
}

/** Notes when pools change. */
export class PoolChanges {
  readonly #last = new WeakMap<PoolHandle, PoolChange>();
  readonly #stop: () => void;

  /**
   * @param slot - Returns the newest slot.
   * @param now - Returns Unix milliseconds.
   */
  constructor(pools: Pick<Pools, 'onChange'>, slot: () => bigint, now: () => number) {
    this.#stop = pools.onChange((handle) => this.#last.set(handle, { slot: slot(), at: now() }));
  }

  /** Returns null for a pool that has not changed since Sluice started, or that exists for minutes only. */
  find(handle: PoolHandle): PoolChange | null {
    return this.#last.get(handle) ?? null;
  }

  close(): void {
    this.#stop();
  }
}
