import { createStoredMaker, type MakerRuntimeState } from './maker-runtime-state.ts';
import type { MakerStore, StoredMaker } from './maker.ts';
import type { MakerOwners } from './maker-owners.ts';
import type { MakerWriter } from './maker-writer.ts';

export interface MakerOwnershipOptions {
  readonly owners: MakerOwners;
  readonly store: MakerStore;
  readonly writer: Pick<MakerWriter, 'written'>;
  /** Whether the maker has a stream to this process. */
  readonly hasStream: (makerId: string) => boolean;
  /** Reserves what another process, which may have ended, has reserved of the maker's inventory. */
  readonly recall: (makerId: string) => Promise<void>;
  readonly find: (makerId: string) => MakerRuntimeState | undefined;
  /** Continues from the stored state of a maker that this process now owns; null if nothing is stored. */
  readonly takeOver: (makerId: string, held: MakerRuntimeState, stored: StoredMaker | null) => void;
}

/**
 * Knows which makers this process owns: those with streams here, and any other maker while a report of it is written.
 */
export class MakerOwnership {
  readonly #options: MakerOwnershipOptions;

  constructor(options: MakerOwnershipOptions) {
    this.#options = options;
  }

  /**
   * Makes this process the owner.
   * Returns null if it is the owner already; otherwise a promise, which rejects if the store does not answer.
   */
  acquire(makerId: string): Promise<void> | null {
    const held = this.#options.find(makerId);
    return held === undefined || held.isOwned ? null : this.#take(makerId, held);
  }

  /**
   * Makes this process the owner unless another instance is.
   * Returns the name of the other instance; null if this process is the owner.
   */
  async claim(makerId: string, held: MakerRuntimeState): Promise<string | null> {
    // Another caller that waited for the same promise may have released the maker again.
    while (held.acquiring !== null) await held.acquiring;
    return held.isOwned ? null : this.#own(makerId, held, () => this.#options.owners.claim(makerId));
  }

  /**
   * Ends the ownership, unless the maker has a stream here.
   * @param held - The maker, which may have been removed since the caller found it.
   */
  release(makerId: string, held = this.#options.find(makerId)): void {
    if (held === undefined) return;
    if (held.acquiring !== null) {
      held.acquiring.then(
        () => this.release(makerId, held),
        () => undefined,
      );
      return;
    }
    const isRemoved = this.#options.find(makerId) !== held;
    if (!held.isOwned || (!isRemoved && this.#options.hasStream(makerId))) return;
    held.isOwned = false;
    held.isReleasing = true;
    held.sequence.finish();
    held.releasing = this.#options.writer
      .written(makerId)
      // Either the writer has reported the error, or another process owns the maker. The reserved sequence numbers stay
      // used.
      .catch(() => undefined)
      .then(() => {
        held.isReleasing = false;
        return this.#options.owners.release(makerId);
      })
      .finally(() => {
        held.releasing = null;
      });
  }

  /** Resolves once a maker without streams here is released and its state is written. */
  async released(makerId: string, held = this.#options.find(makerId)): Promise<void> {
    if (held === undefined) return;
    await held.acquiring?.catch(() => undefined);
    this.release(makerId, held);
    await held.releasing;
  }

  /**
   * Called when the store refused a write with this epoch, because another process has acquired the maker or the operator
   * removed it. Releases it.
   * Whether this process still counted as the owner.
   */
  fenced(makerId: string, epoch: number): boolean {
    const held = this.#options.find(makerId);
    // A slow write may belong to an earlier ownership of this process.
    if (held?.isOwned !== true || held.epoch !== epoch) return false;
    held.isOwned = false;
    held.releasing = this.#options.owners.release(makerId).finally(() => {
      held.releasing = null;
    });
    return true;
  }

  async #take(makerId: string, held: MakerRuntimeState): Promise<void> {
    while (held.acquiring !== null) await held.acquiring;
    if (held.isOwned) return;
    await this.#own(makerId, held, async () => {
      await this.#options.owners.acquire(makerId);
      await this.#options.recall(makerId);
      return null;
    });
  }

  #own(
    makerId: string,
    held: MakerRuntimeState,
    having: () => Promise<string | null>,
  ): Promise<string | null> {
    const owning = this.#begin(makerId, held, having).finally(() => {
      held.acquiring = null;
    });
    held.acquiring = owning;
    return owning;
  }

  async #begin(
    makerId: string,
    held: MakerRuntimeState,
    having: () => Promise<string | null>,
  ): Promise<string | null> {
    await held.releasing;
    const { store, owners, takeOver } = this.#options;
    try {
      const other = await having();
      if (other !== null) return other;
      const { epoch, stored } = await store.acquire(createStoredMaker(held.record));
      held.isOwned = true;
      held.epoch = epoch;
      takeOver(makerId, held, stored);
      return null;
    } catch (error) {
      await owners.release(makerId);
      throw error;
    }
  }
}
