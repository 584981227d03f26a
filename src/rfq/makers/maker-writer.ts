import type { Timers } from '../../common/ports/timers.ts';
import { Unavailable } from '../../common/unavailable.ts';
import type { MakerStore, OwnedRecord, RecordedTransition } from './maker.ts';

/** The interval of writes in the background, such as those of statistics. */
const BACKGROUND_MS = 10_000;
const RETRY_MS = 1_000;
/** While the store does not answer, only the newest transitions are kept, and the loss is reported. */
const MAX_TRANSITIONS = 10_000;

export interface MakerWriterOptions {
  readonly store: Pick<MakerStore, 'save'>;
  readonly timers: Timers;
  /** Returns the current state of a maker; null if it is not owned any more. */
  readonly read: (makerId: string) => OwnedRecord | null;
  /**
   * Called when the store refused the state of a maker, because another process has acquired it with a higher epoch, or
   * because the operator removed it.
   */
  readonly onFenced: (makerId: string, epoch: number, isRemoved: boolean) => void;
  readonly onDefect: (error: unknown) => void;
}

interface WaitingWrite {
  readonly makerId: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes changes of makers, one write at a time. Changes that arrive during a write go into the next one together, so
 * the rate of writes depends on the store and not on the makers.
 */
export class MakerWriter {
  readonly #options: MakerWriterOptions;
  readonly #dirty = new Set<string>();
  #transitions: RecordedTransition[] = [];
  #waiting: WaitingWrite[] = [];
  #writing: Promise<void> | null = null;
  #cancel: (() => void) | null = null;
  /** Whether a change arrived that must be written at once. */
  #urgent = false;
  #closed = false;

  constructor(options: MakerWriterOptions) {
    this.#options = options;
  }

  /** Writes the maker within some seconds. */
  touch(makerId: string): void {
    this.#dirty.add(makerId);
    this.#later(BACKGROUND_MS);
  }

  /** Writes the maker at once. */
  write(makerId: string, transitions: readonly RecordedTransition[] = []): void {
    this.#dirty.add(makerId);
    this.#transitions.push(...transitions);
    this.#urgent = true;
    this.#pump();
  }

  /**
   * Writes the maker at once. Resolves when its current state is written; rejects if that failed, with `Unavailable` if
   * this process no longer owns the maker.
   */
  written(makerId: string): Promise<void> {
    this.#dirty.add(makerId);
    const written = new Promise<void>((resolve, reject) => this.#waiting.push({ makerId, resolve, reject }));
    this.#urgent = true;
    this.#pump();
    return written;
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    while (this.#writing !== null) await this.#writing;
    if (this.#dirty.size > 0 || this.#transitions.length > 0) await this.#writeAll();
  }

  #later(delay: number): void {
    if (this.#cancel !== null || this.#closed) return;
    this.#cancel = this.#options.timers.after(delay, () => {
      this.#cancel = null;
      this.#pump();
    });
  }

  #pump(): void {
    if (this.#writing !== null || this.#closed) return;
    this.#cancel?.();
    this.#cancel = null;
    this.#writing = this.#writeAll().then((written) => {
      this.#writing = null;
      if (!written) this.#later(RETRY_MS);
      else if (this.#urgent) this.#pump();
      else if (this.#dirty.size > 0) this.#later(BACKGROUND_MS);
    });
  }

  async #writeAll(): Promise<boolean> {
    const { store, read, onFenced, onDefect } = this.#options;
    const ids = [...this.#dirty];
    const transitions = this.#transitions;
    const waiting = this.#waiting;
    this.#urgent = false;
    this.#dirty.clear();
    [this.#transitions, this.#waiting] = [[], []];
    try {
      const records = ids.flatMap((id) => read(id) ?? []);
      const skipped = await store.save(records, transitions);
      const [moved, removed] = [new Set(skipped.moved), new Set(skipped.removed)];
      const written = new Set<string>();
      for (const { makerId, epoch } of records) {
        const isRemoved = removed.has(makerId);
        if (isRemoved || moved.has(makerId)) onFenced(makerId, epoch, isRemoved);
        else written.add(makerId);
      }
      for (const { makerId, resolve, reject } of waiting) {
        if (written.has(makerId)) resolve();
        else if (removed.has(makerId)) reject(new Unavailable(`the operator removed the maker ${makerId}`));
        else reject(new Unavailable(`the maker ${makerId} is at another instance; try again`));
      }
      return true;
    } catch (error) {
      for (const id of ids) this.#dirty.add(id);
      const kept = [...transitions, ...this.#transitions];
      if (kept.length > MAX_TRANSITIONS) {
        onDefect(new Error(`${kept.length - MAX_TRANSITIONS} changes of makers' status are lost`));
      }
      this.#transitions = kept.slice(-MAX_TRANSITIONS);
      for (const { reject } of waiting) reject(error);
      onDefect(error);
      return false;
    }
  }
}
