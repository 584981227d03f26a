import { bigint, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from '../../store/schema/columns.ts';
import { defineTables, type OwnedTables } from '../../store/schema/owned-tables.ts';

/** Launches that were submitted, with the texts of their pages. */
export const studioLaunches = pgTable(
  'studio_launches',
  {
    /** The genesis hash of the network. */
    network: text('network').notNull(),
    mint: text('mint').notNull(),
    /** The configuration of the curve. */
    config: text('config').notNull(),
    /** The wallet that has signed the launch. */
    owner: text('owner').notNull(),
    /** The first signature of the transaction. */
    signature: text('signature').notNull(),
    /** The last block height at which it can land. */
    lastValidHeight: bigint('last_valid_height', { mode: 'number' }).notNull(),
    /** The text of the page; null if none was submitted. */
    content: text('content'),
    /** The content type of the header image; null if none was submitted. */
    headerType: text('header_type'),
    submittedAt: time('submitted_at').notNull(),
    /** Null as long as the launch is not known to have landed. */
    landedAt: time('landed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.network, table.mint] }),
    index('studio_launches_submitted').on(table.network, table.landedAt, table.submittedAt),
  ],
);

export const STUDIO_TABLES: OwnedTables = defineTables({
  owner: 'studio',
  tables: [studioLaunches],
  migrations: {
    35: [
      `create table studio_launches (
      network text not null, mint text not null, config text not null, owner text not null, signature text not null,
      last_valid_height bigint not null, content text, header_type text, submitted_at bigint not null, landed_at bigint, primary key (network, mint))`,
      'create index studio_launches_submitted on studio_launches (network, landed_at, submitted_at)',
    ],
  },
});
