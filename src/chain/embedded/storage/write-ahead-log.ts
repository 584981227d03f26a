import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../../../common/files/durable-file.ts';
import { FileKind, encodeFileHeader, encodeFrameHeader } from './log-frames.ts';

interface PendingWrite {
  readonly parts: readonly Uint8Array[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** One file of the log. Records are appended in order, and each is durable when its promise resolves. */
export class WriteAheadLog {
  readonly #file: FileHandle;
  #pending: PendingWrite[] = [];
  #writing: Promise<void> | null = null;
  #failure: Error | null = null;
  /** Settles with the newest record. */
  #last: Promise<void> = Promise.resolve();
  #bytes: number;

  private constructor(file: FileHandle, bytes: number) {
    this.#file = file;
    this.#bytes = bytes;
  }

  /** Creates a file for the records after `sequence`. It and its name are durable when this resolves. */
  static async create(path: string, sequence: bigint): Promise<WriteAheadLog> {
    const file = await open(path, 'w');
    try {
      const header = encodeFileHeader(FileKind.LOG, sequence);
      await file.writeFile(header);
      await file.sync();
      await syncFolder(dirname(path));
      return new WriteAheadLog(file, header.length);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Continues a file after its first `whole` bytes. The torn tail after them is cut off. */
  static async resume(path: string, whole: number): Promise<WriteAheadLog> {
    const file = await open(path, 'r+');
    await file.truncate(whole);
    await file.sync();
    return new WriteAheadLog(file, whole);
  }

  /** The number of bytes written so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Why the disk refused the last write, or null when it did not. */
  get failure(): Error | null {
    return this.#failure;
  }

  /**
   * Appends a record. Resolves when it is durable. While the disk refuses it, the record waits for `retry`,
   * which writes the same bytes at the same offset, so nothing is lost or duplicated. Rejects when the
   * log is closed first.
   */
  append(payload: readonly Uint8Array[]): Promise<void> {
    const written = new Promise<void>((resolve, reject) => {
      this.#pending.push({ parts: [encodeFrameHeader(payload), ...payload], resolve, reject });
      if (this.#failure === null) this.#writing ??= this.#write();
    });
    this.#last = written.catch(() => undefined);
    return written;
  }

  /** Writes again what the disk refused. */
  retry(): void {
    if (this.#failure !== null) this.#writing ??= this.#write();
  }

  /** Resolves when all earlier records are durable, or were given up by `finish`. */
  async drained(): Promise<void> {
    await this.#last;
  }

  /** Writes waiting records, and gives them up when the disk still refuses them. */
  async finish(): Promise<void> {
    await this.#writing;
    if (this.#failure === null) return;
    this.retry();
    await this.#writing;
    for (const write of this.#pending.splice(0)) write.reject(this.#failure);
  }

  async close(): Promise<void> {
    await this.finish();
    await this.#file.close();
  }

  /** Writes all waiting records at once, so that a slow disk leads to larger writes instead of a longer queue. */
  async #write(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = this.#pending;
      this.#pending = [];
      try {
        await this.#writeAll(Buffer.concat(batch.flatMap((write) => write.parts)));
        this.#failure = null;
        for (const write of batch) write.resolve();
      } catch (error) {
        this.#failure = error instanceof Error ? error : new Error(String(error));
        this.#pending = [...batch, ...this.#pending];
        break;
      }
    }
    this.#writing = null;
  }

  async #writeAll(bytes: Buffer): Promise<void> {
    let written = 0;
    while (written < bytes.length) {
      const result = await this.#file.write(bytes, written, bytes.length - written, this.#bytes + written);
      written += result.bytesWritten;
    }
    await this.#file.datasync();
    this.#bytes += bytes.length;
  }
}
