import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from '../../store/schema/columns.ts';
import { defineTables, type OwnedTables } from '../../store/schema/owned-tables.ts';

/** The files of launches, where instances share a database. */
export const studioFiles = pgTable(
  'studio_files',
  {
    /** A `MediaKind`. */
    kind: text('kind').notNull(),
    mint: text('mint').notNull(),
    contentType: text('content_type').notNull(),
    /** In bytes. */
    length: integer('length').notNull(),
    /** What it takes of the room for files, in bytes. */
    size: integer('size').notNull(),
    uploader: text('uploader').notNull(),
    storedAt: time('stored_at').notNull(),
    /** 1 as long as it is not known whether the token was launched. */
    pending: integer('pending').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.mint] }),
    index('studio_files_pending').on(table.pending, table.storedAt),
  ],
);

/** The contents of the files, in pieces. */
export const studioFilePieces = pgTable(
  'studio_file_pieces',
  {
    kind: text('kind').notNull(),
    mint: text('mint').notNull(),
    /** Counted from 0. */
    piece: integer('piece').notNull(),
    /** The bytes in Base64. */
    data: text('data').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.mint, table.piece] })],
);

export const MEDIA_TABLES: OwnedTables = defineTables({
  owner: 'studio/media',
  tables: [studioFiles, studioFilePieces],
  migrations: {
    36: [
      `create table studio_files (
      kind text not null, mint text not null, content_type text not null, length integer not null, size integer not null,
      uploader text not null, stored_at bigint not null, pending integer not null, primary key (kind, mint))`,
      'create index studio_files_pending on studio_files (pending, stored_at)',
      `create table studio_file_pieces (
      kind text not null, mint text not null, piece integer not null, data text not null, primary key (kind, mint, piece))`,
    ],
  },
});
