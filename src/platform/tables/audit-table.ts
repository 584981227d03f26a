import { sql } from 'drizzle-orm';
import { bigint, pgTable, text } from 'drizzle-orm/pg-core';
import { time } from '../../store/schema/columns.ts';

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
