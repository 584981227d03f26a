import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

/** Times are Unix milliseconds. What only one of the two databases has, such as JSON columns, is not used. */
const time = (name: string) => bigint(name, { mode: 'number' });

/** Single values: the schema's version, the revision that every change raises, ... */
export const meta = pgTable('meta', { name: text('name').primaryKey(), value: text('value').notNull() });

export const organisations = pgTable('organisations', {
  id: text('id').primaryKey(),
  slug: text('slug').notNull(),
  plan: text('plan').notNull(),
  createdAt: time('created_at').notNull(),
});

export const teams = pgTable('teams', {
  id: text('id').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  slug: text('slug').notNull(),
  createdAt: time('created_at').notNull(),
});

export const apiKeys = pgTable('api_keys', {
  id: text('id').primaryKey(),
  teamId: text('team_id').notNull(),
  name: text('name').notNull(),
  /** HMAC-SHA256 of the key, in hex. */
  hash: text('hash').notNull(),
  /** Names of products with commas between; null: every product. */
  products: text('products'),
  expiresAt: time('expires_at'),
  lastUsedAt: time('last_used_at'),
  createdAt: time('created_at').notNull(),
});

export const firewallRules = pgTable('firewall_rules', {
  id: text('id').primaryKey(),
  teamId: text('team_id').notNull(),
  name: text('name').notNull(),
  /** 1, or 0 when it is switched off. */
  enabled: bigint('enabled', { mode: 'number' }).notNull(),
  /** JSON. */
  groups: text('groups').notNull(),
  action: text('action').notNull(),
  createdAt: time('created_at').notNull(),
});

export const members = pgTable('members', {
  id: text('id').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  name: text('name').notNull(),
  role: text('role').notNull(),
  /** HMAC-SHA256 of the member's token, in hex. */
  tokenHash: text('token_hash').notNull(),
  /** Null: never. */
  tokenExpiresAt: time('token_expires_at'),
  tokenLastUsedAt: time('token_last_used_at'),
  createdAt: time('created_at').notNull(),
});

export const invitations = pgTable('invitations', {
  id: text('id').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  name: text('name').notNull(),
  role: text('role').notNull(),
  /** HMAC-SHA256 of the invitation's token, in hex. */
  hash: text('hash').notNull(),
  /** The member who invited; null: the operator. */
  invitedBy: text('invited_by'),
  createdAt: time('created_at').notNull(),
  expiresAt: time('expires_at').notNull(),
});

export const makers = pgTable('makers', {
  id: text('id').primaryKey(),
  address: text('address').notNull(),
  /** `base/quote` by their mints, with commas between; null: every pair. */
  pairs: text('pairs'),
  /** 1 or 0. */
  enabled: bigint('enabled', { mode: 'number' }).notNull(),
  /** HMAC-SHA256 of the maker's key, in hex. */
  hash: text('hash').notNull(),
  createdAt: time('created_at').notNull(),
});

/** What the market remembers of a maker; written by the instance that owns it. */
export const makerStates = pgTable('maker_states', {
  makerId: text('maker_id').primaryKey(),
  /** Decimal digits of a u64. */
  lastSequence: text('last_sequence').notNull(),
  status: text('status').notNull(),
  /** 1 or 0. */
  tampered: bigint('tampered', { mode: 'number' }).notNull(),
  suspendedUntil: time('suspended_until'),
  /** JSON. */
  outcomes: text('outcomes').notNull(),
  statistics: text('statistics').notNull(),
  /** The fencing token: raised whenever an instance becomes the owner. A write with a lower one is refused. */
  epoch: bigint('epoch', { mode: 'number' }).notNull(),
});

/** Swaps that a maker was asked to sign. */
export const fills = pgTable('fills', {
  swapUuid: text('swap_uuid').primaryKey(),
  requestId: text('request_id').notNull(),
  makerId: text('maker_id').notNull(),
  state: text('state').notNull(),
  /** The order as text. */
  order: text('order_text').notNull(),
  /** Base64 of the transaction that the taker signed. */
  offered: text('offered').notNull(),
  /** Base64 of it with the maker's signature. */
  signed: text('signed'),
  /** JSON of what the taker was told. */
  answer: text('answer'),
  offeredAt: time('offered_at').notNull(),
  endedAt: time('ended_at'),
});

/** What a sponsor spent on a taker in a minute; the taker is empty for all of them together. */
export const sponsored = pgTable(
  'sponsored',
  {
    sponsor: text('sponsor').notNull(),
    taker: text('taker').notNull(),
    /** Since 1970. */
    minute: bigint('minute', { mode: 'number' }).notNull(),
    lamports: bigint('lamports', { mode: 'bigint' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.sponsor, table.taker, table.minute] })],
);

export const auditLog = pgTable('audit_log', {
  id: text('id').primaryKey(),
  at: time('at').notNull(),
  actor: text('actor').notNull(),
  origin: text('origin').notNull(),
  action: text('action').notNull(),
  subject: text('subject').notNull(),
  /** JSON, or null when there was nothing. */
  before: text('before'),
  after: text('after'),
});
