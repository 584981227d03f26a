import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from '../../../store/schema/columns.ts';
import { defineTables, type OwnedTables } from '../../../store/schema/owned-tables.ts';

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

/** The tables of the hourly values, and the row by which instances take turns. */
export const PORTFOLIO_TABLES: OwnedTables = defineTables({
  owner: 'products/portfolio',
  tables: [portfolioWallets, portfolioValues],
  migrations: {
    14: [
      `create table portfolio_wallets (
      network text not null, owner text not null, follower text not null, since bigint not null,
      asked_at bigint not null, primary key (network, owner))`,
      `create table portfolio_values (
      network text not null, owner text not null, hour bigint not null, value text,
      primary key (network, owner, hour))`,
      'create index portfolio_values_hour on portfolio_values (network, hour)',
    ],
    // A row to lock, so that counting and inserting is one step.
    25: ["insert into meta (name, value) values ('portfolio-wallets', '0')"],
  },
});
