import { bigint, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { time } from '../../../store/schema/columns.ts';
import { defineTables, type OwnedTables } from '../../../store/schema/owned-tables.ts';

/** The challenges that were handed out and are neither used nor expired. */
export const signInChallenges = pgTable(
  'sign_in_challenges',
  {
    id: text('id').primaryKey(),
    wallet: text('wallet').notNull(),
    /** `message` or `transaction`. */
    kind: text('kind').notNull(),
    /** One of the places that a wallet has for challenges of a kind. The index on it bounds their number. */
    place: bigint('place', { mode: 'number' }).notNull(),
    /** The text to sign; for a transaction, its message in base64. */
    content: text('content').notNull(),
    /** Who asked for it. */
    caller: text('caller').notNull(),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('sign_in_challenges_place').on(table.wallet, table.kind, table.place),
    index('sign_in_challenges_caller').on(table.caller, table.createdAt),
    index('sign_in_challenges_expires').on(table.expiresAt),
  ],
);

export const SIGN_IN_TABLES: OwnedTables = defineTables({
  owner: 'products/trigger',
  tables: [signInChallenges],
  migrations: {
    30: [
      `create table sign_in_challenges (
      id text primary key, wallet text not null, kind text not null, place bigint not null, content text not null,
      caller text not null, created_at bigint not null, expires_at bigint not null)`,
      'create unique index sign_in_challenges_place on sign_in_challenges (wallet, kind, place)',
      'create index sign_in_challenges_caller on sign_in_challenges (caller, created_at)',
      'create index sign_in_challenges_expires on sign_in_challenges (expires_at)',
    ],
  },
});
