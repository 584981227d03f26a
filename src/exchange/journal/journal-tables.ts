import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { defineTables, type OwnedTables } from '../../store/schema/owned-tables.ts';

/** Who writes the journal of a network, and how far it goes. */
export const exchangeJournalHeads = pgTable('exchange_journal_heads', {
  /** The genesis hash of the network. */
  network: text('network').primaryKey(),
  /** Each writer has a higher one than the writer before it, which can write no more. */
  epoch: bigint('epoch', { mode: 'number' }).notNull(),
  /** The number of the last row; 0 before the first. */
  sequence: bigint('sequence', { mode: 'number' }).notNull(),
});

/** The journal. Each row has some entries, in the order in which they were made. */
export const exchangeJournal = pgTable(
  'exchange_journal',
  {
    network: text('network').notNull(),
    sequence: bigint('sequence', { mode: 'number' }).notNull(),
    /** A JSON array: see `journal-entry.ts`. */
    entries: text('entries').notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.sequence] })],
);

/** The tables of the exchange. */
export const EXCHANGE_TABLES: OwnedTables = defineTables({
  owner: 'exchange',
  tables: [exchangeJournalHeads, exchangeJournal],
  migrations: {
    38: [
      `create table exchange_journal_heads (
      network text primary key, epoch bigint not null, sequence bigint not null)`,
      `create table exchange_journal (
      network text not null, sequence bigint not null, entries text not null,
      primary key (network, sequence))`,
    ],
  },
});
