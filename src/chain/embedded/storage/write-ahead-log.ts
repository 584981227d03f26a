import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FileKind, fileHeader, frameHeader } from './log-frames.ts';

interface PendingWrite {
  readonly parts: readonly Uint8Array[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** One file of the log. Records go in one after another; each is durable when its promise resolves. */
export class WriteAheadLog {
  readonly #file: FileHandle;
  #pending: PendingWrite[] = [];
  #writing: Promise<void> | null = null;
  #failure: Error | null = null;
  /** Settled when the newest record is. */
  #last: Promise<void> = Promise.resolve();
  #bytes: number;

  private constructor(file: FileHandle, bytes: number) {
    this.#file = file;
    this.#bytes = bytes;
  }

  /** A new file for the records after `sequence`; it and its name are durable when this resolves. */
  static async create(path: string, sequence: bigint): Promise<WriteAheadLog> {
    const file = await open(path, 'w');
    try {
      const header = fileHeader(FileKind.LOG, sequence);
      await file.writeFile(header);
      await file.sync();
      await syncFolder(dirname(path));
      return new WriteAheadLog(file, header.length);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Goes on in a file after its first `whole` bytes; what was torn behind them is cut off. */
  static async resume(path: string, whole: number): Promise<WriteAheadLog> {
    const file = await open(path, 'r+');
    await file.truncate(whole);
    await file.sync();
    return new WriteAheadLog(file, whole);
  }

  /** Bytes written so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Why the disk refused what was written last; null while it takes what it is given. */
  get failure(): Error | null {
    return this.#failure;
  }

  /**
   * Resolves when the record is durable. While the disk refuses, as when it is full, the record waits for `retry`: what
   * is written then is the same bytes at the same place, so nothing is lost and nothing is there twice. Rejects when the
   * log is closed before.
   */
  append(payload: readonly Uint8Array[]): Promise<void> {
    const written = new Promise<void>((resolve, reject) => {
      this.#pending.push({ parts: [frameHeader(payload), ...payload], resolve, reject });
      if (this.#failure === null) this.#writing ??= this.#write();
    });
    this.#last = written.catch(() => undefined);
    return written;
  }

  /** Tries again to write what the disk refused. */
  retry(): void {
    if (this.#failure !== null) this.#writing ??= this.#write();
  }

  /** Resolves when what was appended before is durable, or was given up by `finish`. */
  async drained(): Promise<void> {
    await this.#last;
  }

  /** Writes what waits, and gives it up when the disk still refuses it. */
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

  /** Writes what waits in one go, so that a slow disk makes larger writes and not a longer queue. */
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

/** Makes the names in a folder durable. Windows has no such call and does not need it. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
