import type { Metrics } from '../../common/ports/metrics.ts';
import type { Address } from '../../solana/address.ts';
import {
  computeMediaSize,
  type MediaName,
  type MediaStore,
  type NewMedia,
  type PendingMedia,
  type StoredMedia,
} from './media.ts';
import { createMediaMetrics, type MediaMetrics } from './media-metrics.ts';

/** A file whose token was not launched by then is removed. */
const PENDING_MS = 24 * 60 * 60_000;
/** Files that are pending may take this part of the room. */
const PENDING_PART = 4;
/** So much of the room for pending files is made free at once. */
const FREED_PART = 10;
/** The chain is asked about so many tokens at once. */
const MINTS_PER_CALL = 100;

/** `taken`: there is such a file already. `full`: there is no room. */
export type PutOutcome = 'stored' | 'taken' | 'full';

export interface MediaLibraryOptions {
  readonly store: MediaStore;
  /** The room for all files, in bytes. */
  readonly maxBytes: number;
  /** Returns those of the mints whose launch has landed. Fails if that cannot be known now. */
  readonly findLaunched: (mints: readonly Address[]) => Promise<ReadonlySet<Address>>;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly metrics: Metrics;
}

/**
 * The files of launches, with bounds. Files of tokens that were launched are kept for good: each launch has cost its creator
 * money. All others are pending: they have a part of the room for themselves, are removed after a day, and make room for each other
 * before that. Those give way whose uploader has the most.
 */
export class MediaLibrary {
  readonly #options: MediaLibraryOptions;
  readonly #metrics: MediaMetrics;
  #last: Promise<unknown> = Promise.resolve();
  /** The tokens that the last sweep took for not launched. */
  #missed: ReadonlySet<Address> = new Set();

  constructor(options: MediaLibraryOptions) {
    this.#options = options;
    this.#metrics = createMediaMetrics(options.metrics, () => options.store.measure());
  }

  find(name: MediaName): Promise<StoredMedia | null> {
    return this.#options.store.find(name);
  }

  /** Stores a file, which must fit its type. Files are stored one after another, so that they keep the bounds together. */
  put(media: NewMedia): Promise<PutOutcome> {
    const stored = this.#last.then(async () => {
      const outcome = await this.#put(media);
      this.#metrics.uploads.add({ outcome });
      return outcome;
    });
    this.#last = stored.catch(() => undefined);
    return stored;
  }

  remove(name: MediaName): Promise<void> {
    return this.#options.store.remove(name);
  }

  /**
   * Removes the files of tokens that were not launched within a day, as two sweeps in a row have found: one wrong answer of a node
   * must not take away for good what a token names on the chain.
   */
  async sweep(): Promise<void> {
    const { store, now } = this.#options;
    const before = now() - PENDING_MS;
    const old = (await store.listPending()).filter(({ storedAt }) => storedAt < before);
    const missed = this.#missed;
    this.#missed = await this.#resolve(old, (mint) => missed.has(mint));
  }

  async #put(media: NewMedia): Promise<PutOutcome> {
    const { store, maxBytes } = this.#options;
    if ((await store.find(media)) !== null) return 'taken';
    const size = computeMediaSize(media.bytes.length);
    const maxPending = maxBytes / PENDING_PART;
    const { all, pending } = await store.measure();
    const excess = Math.max(pending + size - maxPending, all + size - maxBytes);
    if (excess > 0) await this.#makeRoom(media.uploader, size, excess + maxPending / FREED_PART);
    const left = await store.measure();
    if (left.pending + size > maxPending || left.all + size > maxBytes) return 'full';
    return (await store.put(media)) ? 'stored' : 'taken';
  }

  /** Removes pending files until so many bytes are free, of those uploaders first that have the most. */
  async #makeRoom(uploader: string, size: number, bytes: number): Promise<void> {
    let needed = bytes;
    while (needed > 0) {
      const freed = await this.#freeSome(uploader, size, needed);
      if (freed === 0) return;
      needed -= freed;
    }
  }

  /** Takes from each uploader at most half of what it has. Returns how many bytes are no longer pending. */
  async #freeSome(uploader: string, size: number, needed: number): Promise<number> {
    const byUploader = groupByUploader(await this.#options.store.listPending());
    const groups = Array.from(byUploader, ([name, files]) => {
      const own = files.reduce((sum, file) => sum + file.size, 0);
      return { files, sum: own + (name === uploader ? size : 0) };
    }).sort((one, other) => other.sum - one.sum);
    const given: PendingMedia[] = [];
    let freed = 0;
    for (const { files, sum } of groups) {
      let left = sum;
      for (const file of files) {
        if (freed >= needed || left <= sum / 2) break;
        given.push(file);
        left -= file.size;
        freed += file.size;
      }
    }
    await this.#resolve(given);
    return freed;
  }

  /**
   * Keeps those of the files whose tokens were launched, and removes the others that may be removed.
   * Returns the tokens that were not launched.
   */
  async #resolve(
    files: readonly PendingMedia[],
    mayRemove: (mint: Address) => boolean = () => true,
  ): Promise<ReadonlySet<Address>> {
    const { store, findLaunched } = this.#options;
    const missed = new Set<Address>();
    for (let start = 0; start < files.length; start += MINTS_PER_CALL) {
      const some = files.slice(start, start + MINTS_PER_CALL);
      const launched = await findLaunched(some.map(({ mint }) => mint));
      if (launched.size > 0) await store.keep([...launched]);
      for (const { kind, mint } of some) {
        if (launched.has(mint)) continue;
        missed.add(mint);
        if (!mayRemove(mint)) continue;
        await store.remove({ kind, mint });
        this.#metrics.removed.add();
      }
    }
    return missed;
  }
}

function groupByUploader(files: readonly PendingMedia[]): ReadonlyMap<string, readonly PendingMedia[]> {
  const groups = new Map<string, PendingMedia[]>();
  for (const file of files) {
    const group = groups.get(file.uploader);
    if (group === undefined) groups.set(file.uploader, [file]);
    else group.push(file);
  }
  return groups;
}
