import { bigint, doublePrecision, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { defineTables, type OwnedTables } from '../../store/schema/owned-tables.ts';

/** The price, volume and number of trades of a token in a minute or an hour. */
export const priceBars = pgTable(
  'price_bars',
  {
    /** The genesis hash of the network. */
    network: text('network').notNull(),
    /** The length of the bar in seconds: 60 or 3,600. */
    seconds: bigint('seconds', { mode: 'number' }).notNull(),
    mint: text('mint').notNull(),
    /** Unix seconds. */
    start: bigint('start', { mode: 'number' }).notNull(),
    /** US dollars per whole token, like the next three. Null when the token had no price. */
    open: doublePrecision('open'),
    high: doublePrecision('high'),
    low: doublePrecision('low'),
    close: doublePrecision('close'),
    /** A volume in US dollars, like the next one. */
    buyVolume: doublePrecision('buy_volume').notNull(),
    sellVolume: doublePrecision('sell_volume').notNull(),
    buys: bigint('buys', { mode: 'number' }).notNull(),
    sells: bigint('sells', { mode: 'number' }).notNull(),
    liquidity: doublePrecision('liquidity'),
    /** The slot of the last trade, or 0 when there was none. */
    slot: bigint('slot', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.seconds, table.mint, table.start] })],
);

/** The progress of writing bars. */
export const priceSeries = pgTable('price_series', {
  /** The genesis hash of the network. */
  network: text('network').primaryKey(),
  /** Bars include all trades up to this slot. */
  cursorSlot: bigint('cursor_slot', { mode: 'number' }).notNull(),
  /**
   * A range of Unix seconds, whose end is exclusive. Bars include all of its trades, as far as an instance over an
   * outside RPC knows.
   */
  completeFrom: bigint('complete_from', { mode: 'number' }),
  completeTo: bigint('complete_to', { mode: 'number' }),
});

/** The hours of which an instance over an outside RPC has written all trades. */
export const completeHours = pgTable(
  'complete_hours',
  {
    /** The genesis hash of the network. */
    network: text('network').notNull(),
    /** Unix seconds. */
    start: bigint('start', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.start] })],
);

/** The times at which pools first appeared while an instance was running. */
export const poolSightings = pgTable(
  'pool_sightings',
  {
    /** The genesis hash of the network. */
    network: text('network').notNull(),
    pool: text('pool').notNull(),
    /** Unix seconds by the clock of the network. */
    seenAt: bigint('seen_at', { mode: 'number' }).notNull(),
    slot: bigint('slot', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.pool] })],
);

/** The tables of bars, and of the pools that were seen. */
export const MARKET_DATA_TABLES: OwnedTables = defineTables({
  owner: 'market-data',
  tables: [priceBars, priceSeries, completeHours, poolSightings],
  migrations: {
    15: [
      `create table price_bars (
      network text not null, seconds bigint not null, mint text not null, start bigint not null,
      open double precision, high double precision, low double precision, close double precision,
      buy_volume double precision not null, sell_volume double precision not null, buys bigint not null,
      sells bigint not null, liquidity double precision, slot bigint not null,
      primary key (network, seconds, mint, start))`,
      'create index price_bars_start on price_bars (network, seconds, start)',
      'create table price_series (network text primary key, cursor_slot bigint not null)',
    ],
    19: [
      `create table pool_sightings (
      network text not null, pool text not null, seen_at bigint not null, slot bigint not null,
      primary key (network, pool))`,
      'create index pool_sightings_seen_at on pool_sightings (network, seen_at)',
    ],
    21: [
      'alter table price_series add column complete_from bigint',
      'alter table price_series add column complete_to bigint',
    ],
    22: [
      `create table complete_hours (
      network text not null, start bigint not null, primary key (network, start))`,
    ],
  },
});
