import type { Address } from '../../solana/address.ts';
import type { IndexedLaunch } from './indexed-launch.ts';
import { LAUNCH_STAGES, type LaunchStageName } from './launch-stage.ts';

/** How many launches are kept at each stage. Anybody can create any number of them. */
export const MAX_LAUNCHES_PER_STAGE = 50_000;

interface KeptStage {
  readonly launches: Map<Address, IndexedLaunch>;
  dropped: number;
}

/**
 * Launches by their stage, as many of each as fit into it. When a stage is full, the one that has been there longest is dropped; of
 * those that sell, the one that has not changed for longest.
 */
export class LaunchStages {
  readonly #stages: Readonly<Record<LaunchStageName, KeptStage>>;
  readonly #max: number;

  constructor(max = MAX_LAUNCHES_PER_STAGE) {
    this.#max = max;
    const create = (): KeptStage => ({ launches: new Map(), dropped: 0 });
    this.#stages = {
      unsold: create(),
      sells: create(),
      waits: create(),
      paid: create(),
      migrated: create(),
    };
  }

  /** Adds a launch to its stage. Returns the launch that was dropped for it, or null. */
  add(launch: IndexedLaunch): IndexedLaunch | null {
    const kept = this.#stages[launch.stage];
    kept.launches.set(launch.pool, launch);
    if (kept.launches.size <= this.#max) return null;
    const [oldest] = kept.launches.values();
    if (oldest === undefined) return null;
    kept.launches.delete(oldest.pool);
    kept.dropped++;
    return oldest;
  }

  /**
   * Notes that a launch has changed, and is at this stage now.
   *
   * Returns the launch that was dropped for it, or null.
   */
  move(launch: IndexedLaunch, stage: LaunchStageName): IndexedLaunch | null {
    if (launch.stage === stage && stage !== 'sells') return null;
    this.remove(launch);
    launch.stage = stage;
    return this.add(launch);
  }

  remove({ pool, stage }: IndexedLaunch): void {
    this.#stages[stage].launches.delete(pool);
  }

  /** Lists the launches of a stage, first those that have been there longest. */
  list(stage: LaunchStageName): Iterable<IndexedLaunch> {
    return this.#stages[stage].launches.values();
  }

  countOf(stage: LaunchStageName): number {
    return this.#stages[stage].launches.size;
  }

  /** Returns how many launches of each stage are kept, and how many were dropped because the stage was full. */
  report(): readonly { readonly stage: LaunchStageName; readonly kept: number; readonly dropped: number }[] {
    return LAUNCH_STAGES.map((stage) => {
      const { launches, dropped } = this.#stages[stage];
      return { stage, kept: launches.size, dropped };
    });
  }
}
