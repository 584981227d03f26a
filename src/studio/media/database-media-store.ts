import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { type Address, address } from '../../solana/address.ts';
import type { Store } from '../../store/index.ts';
import { splitRows } from '../../store/sql/split-rows.ts';
import {
  computeMediaSize,
  type MediaKind,
  type MediaName,
  type MediaStore,
  type MediaType,
  type MediaUsage,
  type NewMedia,
  type PendingMedia,
  type StoredMedia,
} from './media.ts';
import { studioFilePieces, studioFiles } from './media-tables.ts';

/** Bytes of a file in one row. */
const PIECE_BYTES = 192 * 1024;

/** Keeps files in the database, so that all instances that share it serve them. */
export class DatabaseMediaStore implements MediaStore {
  readonly #store: Pick<Store, 'db' | 'transaction' | 'now'>;

  constructor(store: Pick<Store, 'db' | 'transaction' | 'now'>) {
    this.#store = store;
  }

  async put({ kind, mint, contentType, bytes, uploader }: NewMedia): Promise<boolean> {
    return this.#store.transaction(async (db) => {
      // Another instance that stores the same name waits here until this transaction has ended.
      const stored = await db
        .insert(studioFiles)
        .values({
          kind,
          mint,
          contentType,
          length: bytes.length,
          size: computeMediaSize(bytes.length),
          uploader,
          storedAt: await this.#store.now(db),
          pending: 1,
        })
        .onConflictDoNothing()
        .returning({ mint: studioFiles.mint });
      if (stored.length === 0) return false;
      for (let piece = 0; piece * PIECE_BYTES < bytes.length; piece++) {
        const part = bytes.subarray(piece * PIECE_BYTES, (piece + 1) * PIECE_BYTES);
        await db
          .insert(studioFilePieces)
          .values({ kind, mint, piece, data: Buffer.from(part).toString('base64') });
      }
      return true;
    });
  }

  async find(name: MediaName): Promise<StoredMedia | null> {
    const [row] = await this.#store.db.select().from(studioFiles).where(createFileFilter(name));
    if (row === undefined) return null;
    const { contentType, length } = row;
    return { contentType: contentType as MediaType, length, read: () => this.#read(name, length) };
  }

  async remove(name: MediaName): Promise<void> {
    await this.#store.transaction(async (db) => {
      await db.delete(studioFiles).where(createFileFilter(name));
      await db.delete(studioFilePieces).where(createPieceFilter(name));
    });
  }

  async measure(): Promise<MediaUsage> {
    const [row] = await this.#store.db
      .select({ all: sumOf(sql`1`), pending: sumOf(studioFiles.pending) })
      .from(studioFiles);
    return { all: Number(row?.all ?? 0), pending: Number(row?.pending ?? 0) };
  }

  async listPending(): Promise<readonly PendingMedia[]> {
    const { kind, mint, uploader, size, storedAt, pending } = studioFiles;
    const rows = await this.#store.db
      .select({ kind, mint, uploader, size, storedAt })
      .from(studioFiles)
      .where(eq(pending, 1))
      .orderBy(asc(storedAt));
    return rows.map((row) => ({
      kind: row.kind as MediaKind,
      mint: address(row.mint),
      uploader: row.uploader,
      size: row.size,
      storedAt: row.storedAt,
    }));
  }

  async keep(mints: readonly Address[]): Promise<void> {
    for (const some of splitRows(mints)) {
      await this.#store.db.update(studioFiles).set({ pending: 0 }).where(inArray(studioFiles.mint, some));
    }
  }

  async *#read({ kind, mint }: MediaName, length: number): AsyncGenerator<Uint8Array> {
    for (let piece = 0; piece * PIECE_BYTES < length; piece++) {
      const [row] = await this.#store.db
        .select({ data: studioFilePieces.data })
        .from(studioFilePieces)
        .where(and(createPieceFilter({ kind, mint }), eq(studioFilePieces.piece, piece)));
      if (row === undefined) throw new Error(`piece ${piece} of the ${kind} of ${mint} is gone`);
      yield Buffer.from(row.data, 'base64');
    }
  }
}

const sumOf = (factor: unknown) => sql<string>`coalesce(sum(${studioFiles.size} * ${factor}), 0)`;

function createFileFilter({ kind, mint }: MediaName) {
  return and(eq(studioFiles.kind, kind), eq(studioFiles.mint, mint));
}

function createPieceFilter({ kind, mint }: MediaName) {
  return and(eq(studioFilePieces.kind, kind), eq(studioFilePieces.mint, mint));
}
