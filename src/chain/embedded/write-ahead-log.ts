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
  #bytes: number;

  private constructor(file: FileHandle, bytes: number) {
    this.#file = file;
    this.#bytes = bytes;
  }

  /** A new file for the records after `sequence`; it and its name are durable when this resolves. */
  static async create(path: string, sequence: bigint): Promise<WriteAheadLog> {
    const file = await open(path, 'w');
    const header = fileHeader(FileKind.LOG, sequence);
    await file.writeFile(header);
    await file.sync();
    await syncFolder(dirname(path));
    return new WriteAheadLog(file, header.length);
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

  /** Rejects when the disk refuses; after that every further record is refused too. */
  append(payload: readonly Uint8Array[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ parts: [frameHeader(payload), ...payload], resolve, reject });
      this.#writing ??= this.#write();
    });
  }

  /** Resolves when nothing waits to be written. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  async close(): Promise<void> {
    await this.idle();
    await this.#file.close();
  }

  /** Writes what waits in one go, so that a slow disk makes larger writes and not a longer queue. */
  async #write(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = this.#pending;
      this.#pending = [];
      try {
        if (this.#failure !== null) throw this.#failure;
        await this.#writeAll(Buffer.concat(batch.flatMap((write) => write.parts)));
        for (const write of batch) write.resolve();
      } catch (error) {
        this.#failure = error instanceof Error ? error : new Error(String(error));
        for (const write of batch) write.reject(this.#failure);
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
