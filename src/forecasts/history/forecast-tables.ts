import { bigint, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { defineTables, type OwnedTables } from '../../store/schema/owned-tables.ts';

/** Rounds that were seen on the chain, so that those that are gone stay known. Times are Unix seconds. */
export const forecastRounds = pgTable(
  'forecast_rounds',
  {
    /** The genesis hash of the network. */
    network: text('network').notNull(),
    round: text('round').notNull(),
    feed: text('feed').notNull(),
    asset: text('asset').notNull(),
    seconds: integer('seconds').notNull(),
    openAt: bigint('open_at', { mode: 'number' }).notNull(),
    closeAt: bigint('close_at', { mode: 'number' }).notNull(),
    /** In units of 10^`exponent` dollars, in decimal digits, as the next one is. */
    openPrice: text('open_price').notNull(),
    closePrice: text('close_price'),
    exponent: integer('exponent').notNull(),
    /** `up`, `down` or `void`; null before the result. */
    outcome: text('outcome'),
    /** 0 before the result. */
    settledAt: bigint('settled_at', { mode: 'number' }).notNull(),
    upMint: text('up_mint').notNull(),
    downMint: text('down_mint').notNull(),
    upPool: text('up_pool').notNull(),
    downPool: text('down_pool').notNull(),
    upHash: text('up_hash').notNull(),
    downHash: text('down_hash').notNull(),
    /** The slot of the event that changed the row last. */
    slot: bigint('slot', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.network, table.round] }),
    index('forecast_rounds_close').on(table.network, table.closeAt),
    index('forecast_rounds_slot').on(table.network, table.slot),
    index('forecast_rounds_up').on(table.network, table.upHash),
    index('forecast_rounds_down').on(table.network, table.downHash),
  ],
);

/** What the tokens of one side have cost a wallet that traded them, until their round is closed. Amounts are decimal digits. */
export const forecastCosts = pgTable(
  'forecast_costs',
  {
    network: text('network').notNull(),
    owner: text('owner').notNull(),
    mint: text('mint').notNull(),
    round: text('round').notNull(),
    /** The token account of the newest trade. */
    account: text('account').notNull(),
    /** Tokens that were bought and neither sold nor paid out since. */
    contracts: text('contracts').notNull(),
    /** What those have cost. */
    cost: text('cost').notNull(),
    realizedPnl: text('realized_pnl').notNull(),
    openedAt: bigint('opened_at', { mode: 'number' }).notNull(),
    updatedAt: bigint('updated_at', { mode: 'number' }).notNull(),
    /** 1 once the side has lost, which realizes its cost; 0 before. */
    isLost: integer('is_lost').notNull(),
    /** The slot of the event that changed the row last. */
    slot: bigint('slot', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.network, table.owner, table.mint] }),
    index('forecast_costs_round').on(table.network, table.round),
    index('forecast_costs_slot').on(table.network, table.slot),
  ],
);

/** What yes was worth at the end of periods in which it changed. */
export const forecastSeries = pgTable(
  'forecast_series',
  {
    network: text('network').notNull(),
    marketIdHash: text('market_id_hash').notNull(),
    /** The Unix second at which the period ends. */
    at: bigint('at', { mode: 'number' }).notNull(),
    /** Micro USD for one contract: 0 to 1,000,000. */
    price: integer('price').notNull(),
    /** The Unix second from which on the row is removed. */
    keptUntil: bigint('kept_until', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.network, table.marketIdHash, table.at] }),
    index('forecast_series_kept').on(table.network, table.keptUntil),
  ],
);

export const FORECAST_TABLES: OwnedTables = defineTables({
  owner: 'forecasts',
  tables: [forecastRounds, forecastCosts, forecastSeries],
  migrations: {
    41: [
      `create table forecast_rounds (
      network text not null, round text not null, feed text not null, asset text not null, seconds integer not null,
      open_at bigint not null, close_at bigint not null, open_price text not null, close_price text,
      exponent integer not null, outcome text, settled_at bigint not null, up_mint text not null,
      down_mint text not null, up_pool text not null, down_pool text not null, up_hash text not null,
      down_hash text not null, slot bigint not null, primary key (network, round))`,
      'create index forecast_rounds_close on forecast_rounds (network, close_at)',
      'create index forecast_rounds_slot on forecast_rounds (network, slot)',
      'create index forecast_rounds_up on forecast_rounds (network, up_hash)',
      'create index forecast_rounds_down on forecast_rounds (network, down_hash)',
      `create table forecast_costs (
      network text not null, owner text not null, mint text not null, round text not null, account text not null,
      contracts text not null, cost text not null, realized_pnl text not null, opened_at bigint not null,
      updated_at bigint not null, is_lost integer not null, slot bigint not null,
      primary key (network, owner, mint))`,
      'create index forecast_costs_round on forecast_costs (network, round)',
      'create index forecast_costs_slot on forecast_costs (network, slot)',
      `create table forecast_series (
      network text not null, market_id_hash text not null, at bigint not null, price integer not null,
      kept_until bigint not null, primary key (network, market_id_hash, at))`,
      'create index forecast_series_kept on forecast_series (network, kept_until)',
    ],
  },
});
