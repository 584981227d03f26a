import { bigint, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { defineTables, type OwnedTables } from '../../../store/schema/owned-tables.ts';

/** The owner under which the sums of everybody stand. */
export const EVERYBODY = '';

/** How far the history is counted in the totals. It is behind only after the totals were introduced. */
export const predictionCounted = pgTable('prediction_counted', {
  /** The genesis hash of the network. */
  network: text('network').primaryKey(),
  /** The number of the last event that is counted. */
  number: bigint('number', { mode: 'number' }).notNull(),
});

/** What an owner has traded and won in a period. They stay when the events that they count are removed. */
export const predictionTotals = pgTable(
  'prediction_totals',
  {
    network: text('network').notNull(),
    /** A wallet, or `EVERYBODY`. */
    owner: text('owner').notNull(),
    /** `all_time`, `weekly` or `monthly`. */
    period: text('period').notNull(),
    /** The Unix second in which the period begins; 0 for all time. */
    start: bigint('start_at', { mode: 'number' }).notNull(),
    /** Micro USD in decimal digits, as the next one is. */
    volume: text('volume').notNull(),
    realizedPnl: text('realized_pnl').notNull(),
    correct: bigint('correct', { mode: 'number' }).notNull(),
    wrong: bigint('wrong', { mode: 'number' }).notNull(),
    /** By which leaderboards are sorted: the figures above, as far as they fit into a number. */
    volumeRank: bigint('volume_rank', { mode: 'number' }).notNull(),
    pnlRank: bigint('pnl_rank', { mode: 'number' }).notNull(),
    /** Hundredths of a percent; -1 while too few predictions are decided. */
    winRateRank: bigint('win_rate_rank', { mode: 'number' }).notNull(),
  },
  (table) => {
    const { network, period, start, owner } = table;
    return [
      primaryKey({ columns: [network, owner, period, start] }),
      index('prediction_totals_volume').on(network, period, start, table.volumeRank.desc(), owner),
      index('prediction_totals_pnl').on(network, period, start, table.pnlRank.desc(), owner),
      index('prediction_totals_win_rate').on(
        network,
        period,
        start,
        table.winRateRank.desc(),
        table.correct.desc(),
        owner,
      ),
    ];
  },
);

/** What an owner has realized in an hour. Hours in which nothing was realized have no row. */
export const predictionHourlyPnl = pgTable(
  'prediction_hourly_pnl',
  {
    network: text('network').notNull(),
    owner: text('owner').notNull(),
    /** Hours since 1970. */
    hour: bigint('hour', { mode: 'number' }).notNull(),
    /** Micro USD in decimal digits. */
    amount: text('amount').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.network, table.owner, table.hour] }),
    index('prediction_hourly_pnl_hour').on(table.network, table.hour),
  ],
);

/** Predictions that are counted as decided, so that one whose contracts are paid out in parts counts once. */
export const predictionDecided = pgTable(
  'prediction_decided',
  {
    network: text('network').notNull(),
    owner: text('owner').notNull(),
    marketIdHash: text('market_id_hash').notNull(),
    /** 1 or 0. */
    isYes: integer('is_yes').notNull(),
    /** Unix seconds. */
    at: bigint('at', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.network, table.owner, table.marketIdHash, table.isYes] }),
    index('prediction_decided_at').on(table.network, table.at),
  ],
);

export const PREDICTION_TOTAL_TABLES: OwnedTables = defineTables({
  owner: 'predictions',
  tables: [predictionCounted, predictionTotals, predictionHourlyPnl, predictionDecided],
  migrations: {
    42: [
      'create table prediction_counted (network text not null primary key, number bigint not null)',
      `create table prediction_totals (
      network text not null, owner text not null, period text not null, start_at bigint not null, volume text not null,
      realized_pnl text not null, correct bigint not null, wrong bigint not null, volume_rank bigint not null,
      pnl_rank bigint not null, win_rate_rank bigint not null, primary key (network, owner, period, start_at))`,
      'create index prediction_totals_volume on prediction_totals (network, period, start_at, volume_rank desc, owner)',
      'create index prediction_totals_pnl on prediction_totals (network, period, start_at, pnl_rank desc, owner)',
      `create index prediction_totals_win_rate on prediction_totals
      (network, period, start_at, win_rate_rank desc, correct desc, owner)`,
      `create table prediction_hourly_pnl (
      network text not null, owner text not null, hour bigint not null, amount text not null,
      primary key (network, owner, hour))`,
      'create index prediction_hourly_pnl_hour on prediction_hourly_pnl (network, hour)',
      `create table prediction_decided (
      network text not null, owner text not null, market_id_hash text not null, is_yes integer not null,
      at bigint not null, primary key (network, owner, market_id_hash, is_yes))`,
      'create index prediction_decided_at on prediction_decided (network, at)',
      "create index prediction_history_fills on prediction_history (network, number) where event_type = 'order_filled'",
    ],
  },
});
