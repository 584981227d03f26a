import { rmSync } from 'node:fs';
import { logPath, type Recovered, snapshotPath } from './recovery.ts';
import { encodeSlotRecord, type SlotRecord } from './slot-record.ts';
import type { NetworkState } from './snapshot-codec.ts';
import { writeSnapshot } from './snapshot-file.ts';
import { WriteAheadLog } from './write-ahead-log.ts';

/** How much is logged before the next snapshot. */
export interface SnapshotPolicy {
  readonly bytes: number;
  readonly slots: number;
}

export const DEFAULT_SNAPSHOT_POLICY: SnapshotPolicy = { bytes: 32 * 1024 * 1024, slots: 9_000 };

/** Keeps one network in a folder: the newest snapshot, and the log of the slots after it. */
export class Storage {
  readonly #folder: string;
  readonly #policy: SnapshotPolicy;
  #sequence: bigint;
  /** Resolves to the file that the next record goes into; rejects once the disk refused. */
  #log: Promise<WriteAheadLog>;
  /** What the next snapshot supersedes. */
  #files: string[];
  #logged = { bytes: 0, slots: 0 };
  #snapshotting: Promise<void> = Promise.resolve();
  #snapshotSlot: bigint;
  #busy = false;

  private constructor(
    folder: string,
    policy: SnapshotPolicy,
    sequence: bigint,
    log: WriteAheadLog,
    files: string[],
    snapshotSlot: bigint,
  ) {
    this.#folder = folder;
    this.#policy = policy;
    this.#sequence = sequence;
    this.#log = Promise.resolve(log);
    this.#files = files;
    this.#snapshotSlot = snapshotSlot;
  }

  /** Begins a network in an empty folder. */
  static async begin(folder: string, policy: SnapshotPolicy, genesis: NetworkState): Promise<Storage> {
    const files = [snapshotPath(folder, 0n), logPath(folder, 0n)] as const;
    await writeSnapshot(files[0], 0n, genesis);
    const log = await WriteAheadLog.create(files[1], 0n);
    return new Storage(folder, policy, 0n, log, [...files], tipOf(genesis));
  }

  /** Goes on with what `recover` found. */
  static async resume(folder: string, policy: SnapshotPolicy, recovered: Recovered): Promise<Storage> {
    const { sequence, files, superseded } = recovered;
    for (const path of superseded) rmSync(path, { force: true });
    const newest = recovered.log ?? { path: logPath(folder, sequence), whole: null };
    const log =
      newest.whole === null
        ? await WriteAheadLog.create(newest.path, sequence)
        : await WriteAheadLog.resume(newest.path, newest.whole);
    const slot = tipOf(recovered.snapshot);
    const storage = new Storage(folder, policy, sequence, log, [...new Set([...files, newest.path])], slot);
    storage.#logged = { bytes: log.bytes, slots: recovered.records.length };
    return storage;
  }

  /** The slot at whose end the newest snapshot was taken that is on the disk whole. */
  get snapshotSlot(): bigint {
    return this.#snapshotSlot;
  }

  /** Whether so much was logged that a snapshot is worth its price. */
  get snapshotDue(): boolean {
    const { bytes, slots } = this.#logged;
    return !this.#busy && (bytes >= this.#policy.bytes || slots >= this.#policy.slots);
  }

  /** Resolves when the record is durable. */
  async append(record: Omit<SlotRecord, 'sequence'>): Promise<void> {
    this.#sequence++;
    const parts = encodeSlotRecord({ ...record, sequence: this.#sequence });
    this.#logged.slots++;
    for (const part of parts) this.#logged.bytes += part.length;
    const log = await this.#log;
    await log.append(parts);
  }

  /**
   * Writes `state`, which must be that after the last record, while further records go into a new log. Resolves when
   * the old files are gone. Not to be called while one is being written: see `snapshotDue`.
   */
  snapshot(state: NetworkState): Promise<void> {
    this.#busy = true;
    const sequence = this.#sequence;
    const path = snapshotPath(this.#folder, sequence);
    const log = logPath(this.#folder, sequence);
    const superseded = this.#files;
    this.#files = [path, log];
    this.#logged = { bytes: 0, slots: 0 };
    this.#log = this.#log.then(async (old) => {
      // The old log is whole before the new one begins, so that only the newest can have a torn tail.
      await old.close();
      return WriteAheadLog.create(log, sequence);
    });
    // Whoever appends gets the rejection; without records there is nobody to tell.
    this.#log.catch(() => {});
    this.#snapshotting = this.#writeSnapshot(path, sequence, state, superseded).finally(() => {
      this.#busy = false;
    });
    return this.#snapshotting;
  }

  async close(): Promise<void> {
    await this.#snapshotting;
    const log = await this.#log;
    await log.close();
  }

  async #writeSnapshot(
    path: string,
    sequence: bigint,
    state: NetworkState,
    superseded: readonly string[],
  ): Promise<void> {
    await this.#log;
    await writeSnapshot(path, sequence, state);
    this.#snapshotSlot = tipOf(state);
    for (const old of superseded) rmSync(old, { force: true });
  }
}

function tipOf({ chain: { blocks } }: NetworkState): bigint {
  return blocks.at(-1)?.slot ?? 0n;
}
