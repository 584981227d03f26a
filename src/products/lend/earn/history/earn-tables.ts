import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { defineTables, type OwnedTables } from '../../../../store/schema/owned-tables.ts';

/** The time from which all movements of an earn token, or of one account of receipt tokens, are recorded. */
export const earnHistories = pgTable(
  'earn_histories',
  {
    /** The genesis hash of the network. */
    network: text('network').notNull(),
    /** The address whose transactions are followed: a lending, or an account of receipt tokens. */
    address: text('address').notNull(),
    /** Unix seconds. */
    startedAt: bigint('started_at', { mode: 'number' }).notNull(),
    /** The price of the receipt token at that time, with 12 decimals, in decimal digits. */
    startPrice: text('start_price').notNull(),
    /** The signature of the newest recorded transaction. Null before the first one. */
    cursor: text('cursor_signature'),
    cursorSlot: bigint('cursor_slot', { mode: 'number' }).notNull(),
    /** Movements up to this slot came before the start, even if another history has recorded them. */
    startSlot: bigint('start_slot', { mode: 'number' }).notNull().default(0),
    /** All movements up to this slot are recorded. */
    knownSlot: bigint('known_slot', { mode: 'number' }).notNull().default(0),
    /**
     * Whose share of the followed accounts it counts towards. Null for a lending, and for an account that was followed before
     * there were shares.
     */
    follower: text('follower'),
    /** Unix ms of the last request for it, to within a day. */
    askedAt: bigint('asked_at', { mode: 'number' }).notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.network, table.address] })],
);

/** The deposits and withdrawals of earn tokens. */
export const earnMovements = pgTable(
  'earn_movements',
  {
    network: text('network').notNull(),
    signature: text('signature').notNull(),
    /** The position among the movements of the transaction. */
    place: bigint('place', { mode: 'number' }).notNull(),
    owner: text('owner').notNull(),
    receiptMint: text('receipt_mint').notNull(),
    /** `deposit` or `withdrawal`. */
    kind: text('kind').notNull(),
    /** A u64 in decimal digits. */
    assets: text('assets').notNull(),
    shares: text('shares').notNull(),
    slot: bigint('slot', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.signature, table.place] })],
);

/** The sums of an owner's movements of one earn token in a range of slots, so that they are added up only once. */
export const earnTotals = pgTable(
  'earn_totals',
  {
    network: text('network').notNull(),
    owner: text('owner').notNull(),
    receiptMint: text('receipt_mint').notNull(),
    /** Movements of slots after this one are included. */
    afterSlot: bigint('after_slot', { mode: 'number' }).notNull(),
    /** Movements up to this slot are included. */
    upToSlot: bigint('up_to_slot', { mode: 'number' }).notNull(),
    /** A sum in decimal digits, like the next three. Sums can exceed 64 bits. */
    deposited: text('deposited').notNull(),
    withdrawn: text('withdrawn').notNull(),
    minted: text('minted').notNull(),
    burned: text('burned').notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.owner, table.receiptMint] })],
);

/** The tables of the history of earn, and the row by which instances take turns. */
export const EARN_TABLES: OwnedTables = defineTables({
  owner: 'products/lend',
  tables: [earnHistories, earnMovements, earnTotals],
  migrations: {
    10: [
      `create table earn_histories (
      network text not null, address text not null, started_at bigint not null, start_price text not null,
      cursor_signature text, cursor_slot bigint not null, primary key (network, address))`,
      `create table earn_movements (
      network text not null, signature text not null, place bigint not null, owner text not null,
      receipt_mint text not null, kind text not null, assets text not null, shares text not null,
      slot bigint not null, primary key (network, signature, place))`,
      'create index earn_movements_owner on earn_movements (network, owner, receipt_mint)',
    ],
    11: ['alter table earn_histories add column start_slot bigint not null default 0'],
    17: [
      'alter table earn_histories add column known_slot bigint not null default 0',
      'update earn_histories set known_slot = cursor_slot',
      'drop index earn_movements_owner',
      'create index earn_movements_owner on earn_movements (network, owner, receipt_mint, slot, signature, place)',
      `create table earn_totals (
      network text not null, owner text not null, receipt_mint text not null, after_slot bigint not null,
      up_to_slot bigint not null, deposited text not null, withdrawn text not null, minted text not null,
      burned text not null, primary key (network, owner, receipt_mint))`,
    ],
    26: [
      "insert into meta (name, value) values ('earn-histories', '0')",
      'alter table earn_histories add column follower text',
      'alter table earn_histories add column asked_at bigint not null default 0',
      'create index earn_histories_follower on earn_histories (network, follower)',
    ],
  },
});
