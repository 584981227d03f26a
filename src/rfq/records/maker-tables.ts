import { bigint, pgTable, text } from 'drizzle-orm/pg-core';
import { time } from '../../store/schema/columns.ts';
import { defineTables, type OwnedTables } from '../../store/schema/owned-tables.ts';

export const makers = pgTable('makers', {
  id: text('id').primaryKey(),
  /** What the operator calls the maker. Null without a name. */
  name: text('name'),
  address: text('address').notNull(),
  /** The allowed pairs as `base/quote`, with mints, separated by commas. Null for every pair. */
  pairs: text('pairs'),
  /** 1 or 0, because SQLite has no type for booleans. */
  enabled: bigint('enabled', { mode: 'number' }).notNull(),
  /** The HMAC-SHA256 of the maker's key, in hex. */
  hash: text('hash').notNull(),
  createdAt: time('created_at').notNull(),
});

/** The states of makers. Only the instance that owns a maker writes its state. */
export const makerStates = pgTable('maker_states', {
  makerId: text('maker_id').primaryKey(),
  /** A u64 in decimal digits. */
  lastSequence: text('last_sequence').notNull(),
  status: text('status').notNull(),
  /** 1 or 0, because SQLite has no type for booleans. */
  tampered: bigint('tampered', { mode: 'number' }).notNull(),
  suspendedUntil: time('suspended_until'),
  /** JSON. */
  outcomes: text('outcomes').notNull(),
  statistics: text('statistics').notNull(),
  /** The fencing token, incremented whenever an instance becomes the owner. A write with a lower one is refused. */
  epoch: bigint('epoch', { mode: 'number' }).notNull(),
});

/** The swaps that makers were asked to sign over their streams. */
export const fills = pgTable('fills', {
  swapUuid: text('swap_uuid').primaryKey(),
  requestId: text('request_id').notNull(),
  makerId: text('maker_id').notNull(),
  state: text('state').notNull(),
  /** The order, serialized as text. */
  order: text('order_text').notNull(),
  /** The transaction that the taker signed, in base64. */
  offered: text('offered').notNull(),
  /** The transaction with the maker's signature, in base64. */
  signed: text('signed'),
  /** The response that the taker received, as JSON. Null before there is one. */
  answer: text('answer'),
  offeredAt: time('offered_at').notNull(),
  endedAt: time('ended_at'),
});

/** The webhooks of makers, with the statistics of their answers. */
export const webhooks = pgTable('webhooks', {
  makerId: text('maker_id').primaryKey(),
  url: text('url').notNull(),
  /** A key that an earlier version stored as plain text. At its start, Sluice encrypts it into `sealedKey` and deletes it here. */
  apiKey: text('api_key'),
  /** The key that Sluice sends with each request, encrypted. Null if the maker wants none. */
  sealedKey: text('sealed_key'),
  /** JSON. */
  state: text('state').notNull(),
  /**
   * The time of the registration in Unix milliseconds, or 0, incremented with each write of the state. A write with an
   * outdated version is refused.
   */
  version: bigint('version', { mode: 'number' }).notNull(),
});

/** The swaps that were sent to makers by webhook. */
export const webhookFills = pgTable('webhook_fills', {
  requestId: text('request_id').primaryKey(),
  makerId: text('maker_id').notNull(),
  state: text('state').notNull(),
  /** The order, serialized as text. */
  order: text('order_text').notNull(),
  /** The transaction that the taker signed, in base64. */
  offered: text('offered').notNull(),
  /** The response that the taker received, as JSON. Null before there is one. */
  answer: text('answer'),
  /** The reason why the maker is not blamed if the fill never lands. Null when the maker is. */
  excuse: text('excuse'),
  offeredAt: time('offered_at').notNull(),
  endedAt: time('ended_at'),
});

/** The tables of makers, of their webhooks, and of the fills of both. */
export const MAKER_TABLES: OwnedTables = defineTables({
  owner: 'rfq',
  tables: [makers, makerStates, fills, webhooks, webhookFills],
  migrations: {
    4: [
      `create table makers (
      id text primary key, address text not null unique, pairs text, enabled bigint not null,
      hash text not null unique, created_at bigint not null)`,
      `create table maker_states (
      maker_id text primary key references makers (id) on delete cascade, last_sequence text not null,
      status text not null, tampered bigint not null, suspended_until bigint, outcomes text not null,
      statistics text not null)`,
    ],
    5: [
      `create table fills (
      swap_uuid text primary key, request_id text not null unique, maker_id text not null, state text not null,
      order_text text not null, offered text not null, signed text, answer text, offered_at bigint not null,
      ended_at bigint)`,
      'create index fills_ended_at on fills (ended_at)',
    ],
    8: ['alter table maker_states add column epoch bigint not null default 0'],
    13: [
      `create table webhooks (
      maker_id text primary key references makers (id) on delete cascade, url text not null, api_key text,
      state text not null, version bigint not null)`,
      `create table webhook_fills (
      request_id text primary key, maker_id text not null, state text not null, order_text text not null,
      offered text not null, answer text, offered_at bigint not null, ended_at bigint)`,
      'create index webhook_fills_ended_at on webhook_fills (ended_at)',
    ],
    18: ['alter table webhook_fills add column excuse text'],
    // The program encrypts the keys that are there when it starts, because SQL does not know the secret.
    23: ['alter table webhooks add column sealed_key text'],
    27: ['alter table makers add column name text'],
  },
});
