import { sql } from 'drizzle-orm';
import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

/** Single values by name: the schema version, the revision that every change raises, and rows that serve as locks. */
export const meta = pgTable('meta', { name: text('name').primaryKey(), value: text('value').notNull() });

export const auditLog = pgTable('audit_log', {
  id: text('id').primaryKey(),
  at: time('at').notNull(),
  /** The order of the entries of one millisecond. 0 in entries from before this column existed. */
  place: bigint('place', { mode: 'number' })
    .notNull()
    .$default(() => sql`(select coalesce(max(place), 0) + 1 from audit_log)`),
  actor: text('actor').notNull(),
  origin: text('origin').notNull(),
  action: text('action').notNull(),
  subject: text('subject').notNull(),
  /** The state before the action, as JSON. Null when there was none. */
  before: text('before'),
  after: text('after'),
});

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
