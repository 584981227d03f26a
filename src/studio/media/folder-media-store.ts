import { chmod, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../../common/files/durable-file.ts';
import { type Address, parseAddress } from '../../solana/address.ts';
import { findImageType, IMAGE_HEAD_BYTES } from './image-type.ts';
import {
  computeMediaSize,
  type MediaKind,
  type MediaName,
  type MediaStore,
  type MediaType,
  type MediaUsage,
  METADATA_TYPE,
  type NewMedia,
  type PendingMedia,
  type StoredMedia,
} from './media.ts';

const FOLDERS: Readonly<Record<MediaKind, string>> = {
  image: 'images',
  metadata: 'metadata',
  header: 'headers',
};
const KINDS = Object.keys(FOLDERS) as MediaKind[];
const PIECE_BYTES = 64 * 1024;
/** Files that are kept for good are read-only, which says so after a restart. */
const [PENDING_MODE, KEPT_MODE, OWNER_MAY_WRITE] = [0o600, 0o400, 0o200];
/** The uploader of files from before the start, which nobody knows. */
const UNKNOWN_UPLOADER = '';

interface IndexedMedia extends PendingMedia {
  isPending: boolean;
}

/**
 * Keeps files in a folder, one for each name. A file is written beside its place and moved there when it is durable, so
 * that it is never incomplete, whenever the process ends. The type of an image is read from its first bytes.
 */
export class FolderMediaStore implements MediaStore {
  readonly #folder: string;
  readonly #now: () => number;
  /** By their paths. */
  readonly #files = new Map<string, IndexedMedia>();

  private constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#now = now;
  }

  /**
   * Opens a folder, which this process alone may use. What was being written when a process ended is removed.
   * @param now - Unix milliseconds.
   */
  static async open(folder: string, now: () => number): Promise<FolderMediaStore> {
    const store = new FolderMediaStore(folder, now);
    for (const kind of KINDS) await store.#index(kind);
    return store;
  }

  async put({ kind, mint, bytes, uploader }: NewMedia): Promise<boolean> {
    const path = this.#pathOf({ kind, mint });
    if (this.#files.has(path)) return false;
    const size = computeMediaSize(bytes.length);
    // The name is taken before the file is written, so that of two uploads at once only the first one counts.
    this.#files.set(path, { kind, mint, uploader, size, storedAt: this.#now(), isPending: true });
    try {
      await writeDurably(path, [bytes], PENDING_MODE);
    } catch (error) {
      this.#files.delete(path);
      throw error;
    }
    return true;
  }

  async find(name: MediaName): Promise<StoredMedia | null> {
    const path = this.#pathOf(name);
    if (!this.#files.has(path)) return null;
    const file = await openOrNull(path);
    if (file === null) return null;
    try {
      const { size } = await file.stat();
      const contentType = name.kind === 'metadata' ? METADATA_TYPE : await readImageType(file);
      return contentType === null ? null : { contentType, length: size, read: () => readPieces(path, size) };
    } finally {
      await file.close();
    }
  }

  async remove(name: MediaName): Promise<void> {
    const path = this.#pathOf(name);
    await rm(path, { force: true });
    this.#files.delete(path);
  }

  async measure(): Promise<MediaUsage> {
    let [all, pending] = [0, 0];
    for (const { size, isPending } of this.#files.values()) {
      all += size;
      if (isPending) pending += size;
    }
    return { all, pending };
  }

  async listPending(): Promise<readonly PendingMedia[]> {
    return [...this.#files.values()]
      .filter(({ isPending }) => isPending)
      .sort((one, other) => one.storedAt - other.storedAt);
  }

  async keep(mints: readonly Address[]): Promise<void> {
    for (const mint of mints) {
      for (const kind of KINDS) {
        const path = this.#pathOf({ kind, mint });
        const file = this.#files.get(path);
        if (file?.isPending !== true) continue;
        await chmod(path, KEPT_MODE);
        file.isPending = false;
      }
    }
  }

  async #index(kind: MediaKind): Promise<void> {
    const folder = join(this.#folder, FOLDERS[kind]);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const mint = parseAddress(name);
      if (mint === null) {
        if (name.endsWith('.tmp')) await rm(path, { force: true });
        continue;
      }
      const { size, mtimeMs, mode } = await stat(path);
      this.#files.set(path, {
        kind,
        mint,
        uploader: UNKNOWN_UPLOADER,
        size: computeMediaSize(size),
        storedAt: mtimeMs,
        isPending: (mode & OWNER_MAY_WRITE) !== 0,
      });
    }
  }

  /** An address has letters and digits alone, so the path stays in the folder. */
  #pathOf({ kind, mint }: MediaName): string {
    return join(this.#folder, FOLDERS[kind], mint);
  }
}

type OpenFile = Awaited<ReturnType<typeof open>>;

async function openOrNull(path: string): Promise<OpenFile | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function readImageType(file: OpenFile): Promise<MediaType | null> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(IMAGE_HEAD_BYTES), 0, IMAGE_HEAD_BYTES, 0);
  return findImageType(buffer.subarray(0, bytesRead));
}

/** The file is opened with the first piece and closed after the last, or when nobody reads on. */
async function* readPieces(path: string, length: number): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  try {
    for (let at = 0; at < length; ) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES, at);
      if (bytesRead === 0) throw new Error(`${path} ends after ${at} of ${length} bytes`);
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
