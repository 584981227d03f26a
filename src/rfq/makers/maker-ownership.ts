import { freshMaker, type MakerRuntimeState } from './maker-runtime-state.ts';
import type { MakerStore, StoredMaker } from './maker.ts';
import type { MakerOwners } from './maker-owners.ts';
import type { MakerWriter } from './maker-writer.ts';

export interface MakerOwnershipOptions {
  readonly homes: MakerOwners;
  readonly store: MakerStore;
  readonly writer: Pick<MakerWriter, 'written'>;
  /** Whether the maker has a stream to this process. */
  readonly hasStream: (makerId: string) => boolean;
  /** Reads what another process, which may be gone, has reserved of a maker that comes to this one. */
  readonly recall: (makerId: string) => Promise<void>;
  readonly find: (makerId: string) => MakerRuntimeState | undefined;
  /** Takes over what the store holds of a maker that this process owns from now on; null when it holds nothing. */
  readonly takeOver: (makerId: string, held: MakerRuntimeState, stored: StoredMaker | null) => void;
}

/**
 * Which makers this process owns, and with them what is written down of each: those with streams here, and any other
 * for the moment in which something is to be written of it.
 */
export class MakerOwnership {
  readonly #options: MakerOwnershipOptions;

  constructor(options: MakerOwnershipOptions) {
    this.#options = options;
  }

  /** Null when this process owns the maker; otherwise what to wait for, which rejects when the store does not answer. */
  take(makerId: string): Promise<void> | null {
    const held = this.#options.find(makerId);
    return held === undefined || held.isOwned ? null : this.#take(makerId, held);
  }

  /** Owns the maker unless another instance has it; resolves to that one. */
  async claim(makerId: string, held: MakerRuntimeState): Promise<string | null> {
    // Whoever else waited for it may have left it to other processes again.
    while (held.owning !== null) await held.owning;
    return held.isOwned ? null : this.#own(makerId, held, () => this.#options.homes.claim(makerId));
  }

  /** Leaves the maker to other processes, unless it has a stream here. */
  disown(makerId: string): void {
    const held = this.#options.find(makerId);
    if (held === undefined) return;
    if (held.owning !== null) {
      held.owning.then(
        () => this.disown(makerId),
        () => undefined,
      );
      return;
    }
    if (!held.isOwned || this.#options.hasStream(makerId)) return;
    held.isOwned = false;
    held.isLeaving = true;
    held.sequence.finish();
    held.leaving = this.#options.writer
      .written(makerId)
      // The writer has reported it, or another process owns the maker; what was reserved stays reserved then.
      .catch(() => undefined)
      .then(() => {
        held.isLeaving = false;
        return this.#options.homes.leave(makerId);
      })
      .finally(() => {
        held.leaving = null;
      });
  }

  /** Resolves when the maker, which has no stream here any more, is left and written down. */
  async gone(makerId: string): Promise<void> {
    const held = this.#options.find(makerId);
    if (held === undefined) return;
    await held.owning?.catch(() => undefined);
    this.disown(makerId);
    await held.leaving;
  }

  /** Another process owns the maker already: nothing that is known here may be written over what that one writes. */
  drop(makerId: string): void {
    const held = this.#options.find(makerId);
    if (held !== undefined) held.isOwned = false;
  }

  /**
   * The store refused what was written with `epoch`: another process has acquired the maker since. Leaves the maker to
   * that one.
   * @returns whether the maker was still owned here
   */
  fenced(makerId: string, epoch: number): boolean {
    const held = this.#options.find(makerId);
    // A write that was slow may be of an earlier ownership of this process.
    if (held?.isOwned !== true || held.epoch !== epoch) return false;
    held.isOwned = false;
    held.leaving = this.#options.homes.leave(makerId).finally(() => {
      held.leaving = null;
    });
    return true;
  }

  async #take(makerId: string, held: MakerRuntimeState): Promise<void> {
    while (held.owning !== null) await held.owning;
    if (held.isOwned) return;
    await this.#own(makerId, held, async () => {
      await this.#options.homes.take(makerId);
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
      held.owning = null;
    });
    held.owning = owning;
    return owning;
  }

  async #begin(
    makerId: string,
    held: MakerRuntimeState,
    having: () => Promise<string | null>,
  ): Promise<string | null> {
    await held.leaving;
    const { store, homes, takeOver } = this.#options;
    try {
      const other = await having();
      if (other !== null) return other;
      const { epoch, stored } = await store.acquire(freshMaker(held.record));
      held.isOwned = true;
      held.epoch = epoch;
      takeOver(makerId, held, stored);
      return null;
    } catch (error) {
      await homes.leave(makerId);
      throw error;
    }
  }
}
