import { bigint } from 'drizzle-orm/pg-core';

/** A column with a time in Unix milliseconds. Tables use only column types that SQLite and PostgreSQL both have. */
export const time = (name: string) => bigint(name, { mode: 'number' });
