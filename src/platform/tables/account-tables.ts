import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from '../../store/schema/columns.ts';

export const organisations = pgTable('organisations', {
  id: text('id').primaryKey(),
  slug: text('slug').notNull(),
  plan: text('plan').notNull(),
  createdAt: time('created_at').notNull(),
});

/** The limits of plans that the operator has changed. A plan without a row has its default limits. */
export const planLimits = pgTable('plan_limits', {
  /** A plan, or `keyless` or `keyless-local`. */
  plan: text('plan').primaryKey(),
  /** The maximum number of requests in any 60 seconds, for each bucket. */
  main: bigint('main', { mode: 'number' }).notNull(),
  execute: bigint('execute', { mode: 'number' }).notNull(),
  submit: bigint('submit', { mode: 'number' }).notNull(),
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
  /** The HMAC-SHA256 of the key, in hex. */
  hash: text('hash').notNull(),
  /** The first and last characters of the key, by which users recognise it. Null in keys from before this column. */
  excerpt: text('excerpt'),
  /** The names of the allowed products, separated by commas. Null for every product. */
  products: text('products'),
  expiresAt: time('expires_at'),
  lastUsedAt: time('last_used_at'),
  createdAt: time('created_at').notNull(),
});

export const firewallRules = pgTable('firewall_rules', {
  id: text('id').primaryKey(),
  teamId: text('team_id').notNull(),
  name: text('name').notNull(),
  /** 1 or 0, because SQLite has no type for booleans. */
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
  /** The HMAC-SHA256 of the member's token, in hex. */
  tokenHash: text('token_hash').notNull(),
  /** Null when the token does not expire. */
  tokenExpiresAt: time('token_expires_at'),
  tokenLastUsedAt: time('token_last_used_at'),
  createdAt: time('created_at').notNull(),
});

/** The members of teams. */
export const teamMembers = pgTable(
  'team_members',
  {
    teamId: text('team_id').notNull(),
    memberId: text('member_id').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.teamId, table.memberId] })],
);

export const invitations = pgTable('invitations', {
  id: text('id').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  name: text('name').notNull(),
  role: text('role').notNull(),
  /** The HMAC-SHA256 of the invitation's token, in hex. */
  hash: text('hash').notNull(),
  /** The id of the member who sent the invitation. Null when the operator did. */
  invitedBy: text('invited_by'),
  createdAt: time('created_at').notNull(),
  expiresAt: time('expires_at').notNull(),
});

/** The sessions of the admin interface. A session has ended when its row is gone. */
export const adminSessions = pgTable('admin_sessions', {
  /** The HMAC-SHA256 of the cookie, in hex. */
  id: text('id').primaryKey(),
  /** The HMAC-SHA256 of the token that the page holds, in hex. A request needs both. */
  pageHash: text('page_hash').notNull(),
  /** Null: a session of the operator. */
  memberId: text('member_id'),
  /** The member's role when the session began; `operator` for the operator. */
  role: text('role').notNull(),
  /** The hash of the token or credential that the session stands for. Another token or credential ends the session. */
  credentialHash: text('credential_hash').notNull(),
  /** How somebody who uses the operator's credential wants to be named. Null for members. */
  name: text('name'),
  createdAt: time('created_at').notNull(),
  /** To the minute. */
  usedAt: time('used_at').notNull(),
  expiresAt: time('expires_at').notNull(),
});
