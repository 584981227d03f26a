import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { time } from '../../store/schema/columns.ts';
import { defineTables, type OwnedTables } from '../../store/schema/owned-tables.ts';

/** The keys that Sluice keeps for others, and its own co-signer. */
export const custodyKeys = pgTable(
  'custody_keys',
  {
    address: text('address').primaryKey(),
    /** `vault` or `co-signer`. */
    purpose: text('purpose').notNull(),
    /** The wallet whose vault it is; empty for the co-signer. */
    wallet: text('wallet').notNull(),
    /** The private key under the master key that `masterId` names, in base64. */
    sealed: text('sealed').notNull(),
    masterId: text('master_id').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [uniqueIndex('custody_keys_wallet').on(table.purpose, table.wallet)],
);

/** What was signed with the keys, one row for each signature. */
export const custodySignatures = pgTable(
  'custody_signatures',
  {
    /** The signature, base58. Ed25519 gives the same one for the same message. */
    signature: text('signature').primaryKey(),
    address: text('address').notNull(),
    /** `deposit`, `fill` or `withdrawal`. The audit log has the keys that were exported. */
    purpose: text('purpose').notNull(),
    /** The order that it was signed for, or the request id of a deposit. */
    subject: text('subject').notNull(),
    signedAt: time('signed_at').notNull(),
  },
  (table) => [
    index('custody_signatures_address').on(table.address, table.signedAt),
    index('custody_signatures_at').on(table.signedAt),
  ],
);

export const CUSTODY_TABLES: OwnedTables = defineTables({
  owner: 'custody',
  tables: [custodyKeys, custodySignatures],
  migrations: {
    28: [
      `create table custody_keys (
      address text primary key, purpose text not null, wallet text not null, sealed text not null,
      master_id text not null, created_at bigint not null)`,
      'create unique index custody_keys_wallet on custody_keys (purpose, wallet)',
      `create table custody_signatures (
      signature text primary key, address text not null, purpose text not null, subject text not null,
      signed_at bigint not null)`,
      'create index custody_signatures_address on custody_signatures (address, signed_at)',
      'create index custody_signatures_at on custody_signatures (signed_at)',
    ],
  },
});
