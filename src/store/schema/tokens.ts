import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

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
