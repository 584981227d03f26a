import { pgTable, text } from 'drizzle-orm/pg-core';

/** Single values by name: the schema version, the revision that every change raises, and rows that serve as locks. */
export const meta = pgTable('meta', { name: text('name').primaryKey(), value: text('value').notNull() });
