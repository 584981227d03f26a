import type { PgTable } from 'drizzle-orm/pg-core';

/** The statements of one migration, in SQL that SQLite and PostgreSQL both understand. */
export type Migration = readonly string[];

/** Migrations of one owner, by their numbers in the journal. A released migration is never changed. */
export interface NumberedMigrations<One> {
  /** The room or the product that owns the tables. */
  readonly owner: string;
  readonly migrations: Readonly<Record<number, One>>;
}

/** The tables of one owner in the store. Only the owner reads and writes them. */
export interface OwnedTables extends NumberedMigrations<Migration> {
  /** The tables as the migrations leave them. A test compares the two. */
  readonly tables: readonly PgTable[];
}

/**
 * Defines the tables of a room or a product. A line in `src/app/tables.ts` joins them with all others.
 *
 * @param definition - A new migration takes the next number of the journal, even if another owner has the one before.
 *
 * @example
 * ```ts
 * import { pgTable, text } from 'drizzle-orm/pg-core';
 * import { defineTables } from './owned-tables.ts';
 *
 * const notes = pgTable('notes', { id: text('id').primaryKey() });
 * export const NOTE_TABLES = defineTables({
 *   owner: 'products/notes',
 *   tables: [notes],
 *   migrations: { 27: ['create table notes (id text primary key)'] },
 * });
 * ```
 */
export function defineTables(definition: OwnedTables): OwnedTables {
  return definition;
}

/**
 * Joins the migrations of all owners in one journal. The position in it, counted from 1, is the version of the schema.
 *
 * Returns the migrations in the order of their numbers.
 * @throws Error when two migrations have the same number, or a number is missing.
 *
 * @example
 * ```ts
 * import { joinMigrations } from './owned-tables.ts';
 *
 * const one = { owner: 'one', migrations: { 1: ['create table a (id text)'], 3: ['drop table b'] } };
 * const other = { owner: 'other', migrations: { 2: ['create table b (id text)'] } };
 * console.log(joinMigrations([one, other]).length); // 3
 * ```
 */
export function joinMigrations<One>(owners: readonly NumberedMigrations<One>[]): readonly One[] {
  const byNumber = new Map<number, { readonly owner: string; readonly migration: One }>();
  for (const { owner, migrations } of owners) {
    for (const [key, migration] of Object.entries(migrations)) {
      const number = Number(key);
      const other = byNumber.get(number);
      if (other !== undefined) {
        throw new Error(`${other.owner} and ${owner} both have a migration ${number}`);
      }
      byNumber.set(number, { owner, migration });
    }
  }
  return Array.from({ length: byNumber.size }, (_, index) => {
    const found = byNumber.get(index + 1);
    if (found === undefined) {
      throw new Error(`nobody has migration ${index + 1}, although there are ${byNumber.size}`);
    }
    return found.migration;
  });
}
