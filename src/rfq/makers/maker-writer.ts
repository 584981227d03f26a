import type { Timers } from '../../common/ports/timers.ts';
import { Unavailable } from '../../common/unavailable.ts';
import type { MakerStore, OwnedRecord, RecordedTransition } from './maker.ts';

/** What nobody waits for, such as statistics, is written this often. */
const UNHURRIED_MS = 10_000;
const AGAIN_AFTER_FAILURE_MS = 1_000;
/** While the store does not answer, older transitions than these are given up, and the loss is reported. */
const MAX_TRANSITIONS = 10_000;

export interface MakerWriterOptions {
  readonly store: Pick<MakerStore, 'save'>;
  readonly timers: Timers;
  /** The present state of a maker; null when it is gone. */
  readonly read: (makerId: string) => OwnedRecord | null;
  /** Called when nothing was written of a maker because another process has acquired it with a higher epoch than this. */
  readonly onFenced: (makerId: string, epoch: number) => void;
  readonly onDefect: (error: unknown) => void;
}

interface Waiting {
  readonly makerId: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes what changed of makers: one write at a time, each with everything that came together meanwhile, so that the
 * rate of writes is bounded by how fast the store is and not by what makers do.
 */
export class MakerWriter {
  readonly #options: MakerWriterOptions;
  readonly #dirty = new Set<string>();
  #transitions: RecordedTransition[] = [];
  #waiting: Waiting[] = [];
  #writing: Promise<void> | null = null;
  #cancel: (() => void) | null = null;
  /** Whether something came that is not to wait for the next unhurried write. */
  #urgent = false;
  #closed = false;

  constructor(options: MakerWriterOptions) {
    this.#options = options;
  }

  /** To be written within some seconds. */
  touch(makerId: string): void {
    this.#dirty.add(makerId);
    this.#later(UNHURRIED_MS);
  }

  /** To be written at once. */
  write(makerId: string, transitions: readonly RecordedTransition[] = []): void {
    this.#dirty.add(makerId);
    this.#transitions.push(...transitions);
    this.#urgent = true;
    this.#pump();
  }

  /**
   * Resolves when the present state of the maker is written; rejects when that failed, with `Unavailable` when this
   * process does not own the maker any more.
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
      if (!written) this.#later(AGAIN_AFTER_FAILURE_MS);
      else if (this.#urgent) this.#pump();
      else if (this.#dirty.size > 0) this.#later(UNHURRIED_MS);
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
      const fenced = new Set(await store.save(records, transitions));
      const written = new Set<string>();
      for (const { makerId, epoch } of records) {
        if (fenced.has(makerId)) onFenced(makerId, epoch);
        else written.add(makerId);
      }
      for (const { makerId, resolve, reject } of waiting) {
        if (written.has(makerId)) resolve();
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
