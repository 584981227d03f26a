import { sql } from 'drizzle-orm';
import { bigint, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { defineTables, type OwnedTables } from '../../store/schema/owned-tables.ts';

/** The conditions of the partial indexes. Queries contain them in the same words: see `waiting-orders/store/order-tables.ts`. */
export const IS_OPEN_ROW = sql`state = 'open'`;
export const HAS_ENDED_ROW = sql`state <> 'open'`;
/** What a wallet has claimed of its own is found among what it sent, and counts once. */
export const IS_RECEIVED_ROW = sql`receiver <> sender`;

/** How far the events of the program were recorded. */
export const inviteCursors = pgTable('invite_cursors', {
  /** The genesis hash of the network. */
  network: text('network').primaryKey(),
  /** The last transaction whose events are recorded; null before the first. */
  signature: text('signature'),
  /** Its slot, or the one from which on the program is followed. */
  slot: bigint('slot', { mode: 'number' }).notNull(),
  /** How many invites have got a number. */
  invites: bigint('invites', { mode: 'number' }).notNull(),
});

/** Invites that are or were open. One that is created again with the same key is another one. */
export const invites = pgTable(
  'invites',
  {
    network: text('network').notNull(),
    /** Invites are counted in the order in which they were created, or ended if nobody knows their creation. */
    number: bigint('number', { mode: 'number' }).notNull(),
    invite: text('invite').notNull(),
    inviteKey: text('invite_key').notNull(),
    sender: text('sender').notNull(),
    /** Null for SOL. */
    mint: text('mint'),
    /** A u64 in decimal digits. */
    amount: text('amount').notNull(),
    creationSignature: text('creation_signature'),
    /** Unix second. */
    createdAt: bigint('created_at', { mode: 'number' }),
    /** An i64 in decimal digits, because a sender can choose any. */
    expiresAt: text('expires_at').notNull(),
    /** The same Unix second as a number. What is beyond 2^53 is 2^53 - 1, which no clock reaches. */
    expirySecond: bigint('expiry_second', { mode: 'number' }).notNull(),
    /** `open`, or how it ended. */
    state: text('state').notNull(),
    endSignature: text('end_signature'),
    /** Unix second. */
    endedAt: bigint('ended_at', { mode: 'number' }),
    /** Null unless it was claimed. */
    receiver: text('receiver'),
  },
  (table) => [
    primaryKey({ columns: [table.network, table.number] }),
    // Of the invites of an address, only the last one can be open.
    uniqueIndex('invites_open').on(table.network, table.invite).where(IS_OPEN_ROW),
    // These four have all that is needed to find a page of the invites of a wallet.
    index('invites_pending')
      .on(table.network, table.sender, table.number, table.expirySecond, table.state)
      .where(IS_OPEN_ROW),
    index('invites_overdue')
      .on(table.network, table.sender, table.expirySecond, table.number, table.state)
      .where(IS_OPEN_ROW),
    index('invites_sent')
      .on(table.network, table.sender, table.endedAt, table.number, table.state)
      .where(HAS_ENDED_ROW),
    index('invites_received')
      .on(table.network, table.receiver, table.endedAt, table.number, table.sender)
      .where(IS_RECEIVED_ROW),
    index('invites_expiring').on(table.network, table.expirySecond, table.invite).where(IS_OPEN_ROW),
    index('invites_address').on(table.network, table.invite, table.number),
    index('invites_ended').on(table.network, table.endedAt).where(HAS_ENDED_ROW),
  ],
);

export const INVITE_TABLES: OwnedTables = defineTables({
  owner: 'invites',
  tables: [inviteCursors, invites],
  migrations: {
    34: [
      `create table invite_cursors (
      network text not null primary key, signature text, slot bigint not null, invites bigint not null)`,
      `create table invites (
      network text not null, number bigint not null, invite text not null, invite_key text not null, sender text not null,
      mint text, amount text not null, creation_signature text, created_at bigint, expires_at text not null,
      expiry_second bigint not null, state text not null, end_signature text, ended_at bigint, receiver text,
      primary key (network, number))`,
      "create unique index invites_open on invites (network, invite) where state = 'open'",
      `create index invites_pending on invites (network, sender, number, expiry_second, state) where state = 'open'`,
      `create index invites_overdue on invites (network, sender, expiry_second, number, state) where state = 'open'`,
      `create index invites_sent on invites (network, sender, ended_at, number, state) where state <> 'open'`,
      `create index invites_received on invites (network, receiver, ended_at, number, sender) where receiver <> sender`,
      "create index invites_expiring on invites (network, expiry_second, invite) where state = 'open'",
      'create index invites_address on invites (network, invite, number)',
      "create index invites_ended on invites (network, ended_at) where state <> 'open'",
    ],
  },
});
