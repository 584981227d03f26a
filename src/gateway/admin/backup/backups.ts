import { type Readable, Transform, pipeline } from 'node:stream';
import { Unavailable } from '../../../common/unavailable.ts';
import type { Actor } from '../../../platform/audit/audit.ts';
import type { BackupRecord } from '../../../platform/audit/backup-records.ts';

/** A backup that has begun. */
interface OpenedArchive {
  readonly archive: Readable;
  readonly contents: BackupRecord['contents'];
}

export interface BackupsOptions {
  /** Begins a backup; its archive is closed when it ends. */
  readonly open: () => Promise<OpenedArchive>;
  /** Records how a backup ended. It must not reject. */
  readonly record: (actor: Actor, record: BackupRecord) => Promise<void>;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** A backup that is being made. */
export interface RunningBackup {
  readonly actor: Actor;
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** The bytes of the archive that were sent so far. */
  readonly bytes: number;
}

/** Makes backups of the data folder, one at a time, and records how each of them ended. */
export class Backups {
  readonly #options: BackupsOptions;
  #running: { readonly actor: Actor; readonly startedAt: number; bytes: number } | null = null;

  constructor(options: BackupsOptions) {
    this.#options = options;
  }

  /** The backup that is being made. Null when none is. */
  get running(): RunningBackup | null {
    return this.#running;
  }

  /**
   * Begins a backup. Returns the archive. Whoever stops reading it must destroy it, because no other backup begins before it
   * is closed.
   *
   * @throws Unavailable while another backup is made
   */
  async begin(actor: Actor): Promise<Readable> {
    if (this.#running !== null)
      throw new Unavailable('A backup is being made already; try again when it is done');
    const running = { actor, startedAt: this.#options.now(), bytes: 0 };
    this.#running = running;
    let opened: OpenedArchive;
    try {
      opened = await this.#options.open();
    } catch (error) {
      await this.#end(running, null, describe(error));
      throw error;
    }
    const { archive, contents } = opened;
    const counted = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        running.bytes += chunk.length;
        done(null, chunk);
      },
    });
    let failure: Error | null = null;
    archive.once('error', (error) => {
      failure = error;
    });
    pipeline(archive, counted, () => {});
    counted.once('close', () => {
      // Without its end, the archive was not taken to its end, whatever it had left.
      const isWhole = failure === null && counted.readableEnded;
      void this.#end(running, contents, isWhole ? null : describeEnd(failure));
    });
    return counted;
  }

  /** The next backup may begin when this one is recorded, so that the list has them in their order. */
  async #end(
    { actor, startedAt, bytes }: RunningBackup,
    contents: BackupRecord['contents'],
    failure: string | null,
  ): Promise<void> {
    const { record, now } = this.#options;
    await record(actor, { bytes, durationMs: now() - startedAt, contents, failure });
    this.#running = null;
  }
}

function describeEnd(error: Error | null): string {
  const isLeft = error === null || ('code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE');
  return isLeft ? 'whoever asked for it left before it was complete' : describe(error);
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
