import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

/** The wallets whose value is recorded every hour. */
export const portfolioWallets = pgTable(
  'portfolio_wallets',
  {
    /** The genesis hash of the network. */
    network: text('network').notNull(),
    owner: text('owner').notNull(),
    /** The organisation that requested the wallet first. The wallet counts towards its share. */
    follower: text('follower').notNull(),
    since: time('since').notNull(),
    /** The time of the last request for its history. */
    askedAt: time('asked_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.owner] })],
);

/** The values of wallets by the hour. */
export const portfolioValues = pgTable(
  'portfolio_values',
  {
    network: text('network').notNull(),
    owner: text('owner').notNull(),
    /** The start of the hour. */
    hour: time('hour').notNull(),
    /** US dollars, written as in JSON. Null while an instance evaluates the wallet, and when it could not. */
    value: text('value'),
  },
  (table) => [primaryKey({ columns: [table.network, table.owner, table.hour] })],
);
