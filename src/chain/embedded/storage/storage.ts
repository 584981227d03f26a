import { rmSync } from 'node:fs';
import type { CommitWitness } from '../../../common/commit-witness.ts';
import { getLogPath, type RecoveredNetwork, getSnapshotPath, createLogWitness } from './recovery.ts';
import { encodeSlotRecord, type SlotRecord } from '../blocks/slot-record.ts';
import type { NetworkState } from '../blocks/snapshot-codec.ts';
import { writeSnapshot } from './snapshot-file.ts';
import { WriteAheadLog } from './write-ahead-log.ts';

/** The amount of log after which the next snapshot is written. */
export interface SnapshotPolicy {
  readonly bytes: number;
  readonly slots: number;
}

export const DEFAULT_SNAPSHOT_POLICY: SnapshotPolicy = { bytes: 32 * 1024 * 1024, slots: 9_000 };

/** After a failed snapshot, the next one is tried after the policy's amount divided by this. */
const RETRY_DIVISOR = 8;

/** Stores a network in a folder: the newest snapshot, and the log of the slots after it. */
export class Storage {
  readonly #folder: string;
  readonly #policy: SnapshotPolicy;
  readonly #witness: CommitWitness;
  #sequence: bigint;
  /** Resolves to the log for the next record. */
  #log: Promise<WriteAheadLog>;
  /** The log that records are appended to now. */
  #current: WriteAheadLog;
  /** The files that the next snapshot supersedes. */
  #files: string[];
  #logged = { bytes: 0, slots: 0 };
  #snapshotting: Promise<void> = Promise.resolve();
  #snapshotSlot: bigint;
  #busy = false;
  /** Divides the policy's amount. It is larger after a failed snapshot. */
  #divisor = 1;

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
    this.#witness = createLogWitness(folder);
    this.#sequence = sequence;
    this.#log = Promise.resolve(log);
    this.#current = log;
    this.#files = files;
    this.#snapshotSlot = snapshotSlot;
  }

  /** Creates a network in an empty folder. */
  static async begin(folder: string, policy: SnapshotPolicy, genesis: NetworkState): Promise<Storage> {
    const files = [getSnapshotPath(folder, 0n), getLogPath(folder, 0n)] as const;
    await writeSnapshot(files[0], 0n, genesis);
    const log = await WriteAheadLog.create(files[1], 0n);
    return new Storage(folder, policy, 0n, log, [...files], getTipSlot(genesis));
  }

  /** Continues with the result of `recover`. */
  static async resume(folder: string, policy: SnapshotPolicy, recovered: RecoveredNetwork): Promise<Storage> {
    const { sequence, files, superseded } = recovered;
    for (const path of superseded) rmSync(path, { force: true });
    const newest = recovered.log ?? { path: getLogPath(folder, sequence), whole: null };
    const log =
      newest.whole === null
        ? await WriteAheadLog.create(newest.path, sequence)
        : await WriteAheadLog.resume(newest.path, newest.whole);
    const slot = getTipSlot(recovered.snapshot);
    const storage = new Storage(folder, policy, sequence, log, [...new Set([...files, newest.path])], slot);
    storage.#logged = { bytes: log.bytes, slots: recovered.records.length };
    return storage;
  }

  /** The slot at whose end the newest complete snapshot was taken. */
  get snapshotSlot(): bigint {
    return this.#snapshotSlot;
  }

  /** Whether enough was logged for the next snapshot. */
  get snapshotDue(): boolean {
    const { bytes, slots } = this.#logged;
    const due = bytes * this.#divisor >= this.#policy.bytes || slots * this.#divisor >= this.#policy.slots;
    return !this.#busy && due;
  }

  /** Why the disk refuses the log, or null while it does not. */
  get failure(): string | null {
    return this.#current.failure?.message ?? null;
  }

  /** Writes again what the disk refused, because it may have space by now. */
  retry(): void {
    this.#current.retry();
  }

  /**
   * Appends a record. Resolves when it is durable. While the disk refuses it, it waits for `retry`. Rejects when `close`
   * gives it up.
   */
  async append(record: Omit<SlotRecord, 'sequence'>): Promise<void> {
    const sequence = ++this.#sequence;
    const parts = encodeSlotRecord({ ...record, sequence });
    this.#logged.slots++;
    for (const part of parts) this.#logged.bytes += part.length;
    const log = await this.#log;
    await log.append(parts);
    this.#witness.note(sequence, true);
  }

  /**
   * Writes `state`, the state after the last record, while further records are appended to a new log. Resolves when
   * the old files are removed. Rejects when the disk refuses it: the old files are then kept, logging continues, and a
   * snapshot is due again sooner than usual. Do not call it while another is being written: see `snapshotDue`.
   */
  snapshot(state: NetworkState): Promise<void> {
    this.#busy = true;
    this.#logged = { bytes: 0, slots: 0 };
    const sequence = this.#sequence;
    const begun = this.#log.then((old) => this.#beginLog(old, sequence));
    this.#log = begun.then(({ log }) => log);
    const snapshotting = begun
      .then(({ failure }) => this.#writeSnapshot(sequence, state, failure))
      .then(
        () => {
          this.#divisor = 1;
        },
        (error: unknown) => {
          this.#divisor = RETRY_DIVISOR;
          throw error;
        },
      )
      .finally(() => {
        this.#busy = false;
      });
    this.#snapshotting = snapshotting.catch(() => undefined);
    return snapshotting;
  }

  /** Writes waiting records. Appends that the disk still refuses reject. */
  async close(): Promise<void> {
    await this.#current.finish();
    await this.#snapshotting;
    const log = await this.#log;
    await log.close();
    this.#witness.close();
  }

  /** Returns a new log for the records after `sequence`, or the old one when the disk refuses a new one. */
  async #beginLog(
    old: WriteAheadLog,
    sequence: bigint,
  ): Promise<{ readonly log: WriteAheadLog; readonly failure: unknown }> {
    const path = getLogPath(this.#folder, sequence);
    try {
      // The old log is complete before the new one begins, so that only the newest can have a torn tail.
      await old.drained();
      if (old.failure !== null) throw old.failure;
      const log = await WriteAheadLog.create(path, sequence);
      this.#current = log;
      this.#files = [...new Set([...this.#files, path])];
      await old.close();
      return { log, failure: null };
    } catch (failure) {
      if (!this.#files.includes(path)) rmSync(path, { force: true });
      return { log: this.#current, failure };
    }
  }

  async #writeSnapshot(sequence: bigint, state: NetworkState, failure: unknown): Promise<void> {
    if (failure !== null) throw failure;
    const path = getSnapshotPath(this.#folder, sequence);
    const log = getLogPath(this.#folder, sequence);
    await writeSnapshot(path, sequence, state);
    this.#snapshotSlot = getTipSlot(state);
    const superseded = this.#files.filter((file) => file !== log && file !== path);
    this.#files = [path, log];
    for (const old of superseded) rmSync(old, { force: true });
  }
}

function getTipSlot({ chain: { blocks } }: NetworkState): bigint {
  return blocks.at(-1)?.slot ?? 0n;
}
