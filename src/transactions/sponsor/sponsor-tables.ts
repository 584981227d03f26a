import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { defineTables, type OwnedTables } from '../../store/schema/owned-tables.ts';

/** The lamports that a sponsor spent on a taker in a minute. An empty `taker` stands for all takers together. */
export const sponsored = pgTable(
  'sponsored',
  {
    sponsor: text('sponsor').notNull(),
    taker: text('taker').notNull(),
    /** The minute, counted from the Unix epoch. */
    minute: bigint('minute', { mode: 'number' }).notNull(),
    lamports: bigint('lamports', { mode: 'bigint' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.sponsor, table.taker, table.minute] })],
);

/** The table of what sponsors spent, and the row by which instances take turns. */
export const SPONSOR_TABLES: OwnedTables = defineTables({
  owner: 'transactions/sponsor',
  tables: [sponsored],
  migrations: {
    7: [
      `create table sponsored (
      sponsor text not null, taker text not null, minute bigint not null, lamports bigint not null,
      primary key (sponsor, taker, minute))`,
      "insert into meta (name, value) values ('sponsored', '0')",
    ],
  },
});
