import { bigint, doublePrecision, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

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
