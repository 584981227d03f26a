import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from '../../store/schema/columns.ts';
import { defineTables, type OwnedTables } from '../../store/schema/owned-tables.ts';

/** The decisions of the operator about tokens. */
export const tokenStandings = pgTable(
  'token_standings',
  {
    /** The genesis hash of the network. */
    network: text('network').notNull(),
    mint: text('mint').notNull(),
    /** `verified`, `unverified` or `banned`, or `none` for a decision that was revoked. */
    level: text('level').notNull(),
    /** JSON. */
    tags: text('tags').notNull(),
    details: text('details').notNull(),
    changedAt: time('changed_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.mint] })],
);

/** The paid requests for the verification of tokens. */
export const tokenRequests = pgTable('token_requests', {
  /** The signature of the payment. It is the key, so that no payment counts twice. */
  signature: text('signature').primaryKey(),
  network: text('network').notNull(),
  mint: text('mint').notNull(),
  sender: text('sender').notNull(),
  currency: text('currency').notNull(),
  /** The amount that was paid, in atoms, in decimal digits. */
  amount: text('amount').notNull(),
  /** `paying`, `pending`, `approved`, `rejected` or `failed`. */
  state: text('state').notNull(),
  /** The submitted data, as JSON. */
  submission: text('submission').notNull(),
  /** `network/mint` while a request for verification is open whose payment was seen to succeed. */
  verificationOf: text('verification_of'),
  /** `network/mint` while a request for metadata is open whose payment was seen to succeed. */
  metadataOf: text('metadata_of'),
  /** `network/sender` while the payment is being sent. It is unique. */
  payingOf: text('paying_of'),
  lastValidHeight: bigint('last_valid_height', { mode: 'number' }).notNull(),
  createdAt: time('created_at').notNull(),
  decidedAt: time('decided_at'),
});

/** The tables of the decisions about tokens, and of the requests for them. */
export const TOKEN_TABLES: OwnedTables = defineTables({
  owner: 'tokens',
  tables: [tokenStandings, tokenRequests],
  migrations: {
    12: [
      `create table token_standings (
      network text not null, mint text not null, level text not null, tags text not null, details text not null,
      changed_at bigint not null, primary key (network, mint))`,
      'create index token_standings_changed on token_standings (network, changed_at)',
      `create table token_requests (
      signature text primary key, network text not null, mint text not null, sender text not null,
      currency text not null, amount text not null, state text not null, submission text not null,
      verification_of text, metadata_of text, last_valid_height bigint not null, created_at bigint not null,
      decided_at bigint)`,
      'create unique index token_requests_verification on token_requests (verification_of)',
      'create unique index token_requests_metadata on token_requests (metadata_of)',
      'create index token_requests_state on token_requests (network, state, created_at)',
    ],
    24: [
      'alter table token_requests add column paying_of text',
      'drop index token_requests_verification',
      'drop index token_requests_metadata',
      // A payment that may never land reserves no token any more. One that lands reserves it then.
      "update token_requests set verification_of = null, metadata_of = null where state = 'paying'",
      'create index token_requests_verification on token_requests (verification_of)',
      'create index token_requests_metadata on token_requests (metadata_of)',
      'create unique index token_requests_paying on token_requests (paying_of)',
    ],
  },
});
