import { bigint, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { defineTables, type OwnedTables } from '../../store/schema/owned-tables.ts';

/** How often the events of a network have been changed, so that an instance reads only what others have changed. */
export const predictionRevisions = pgTable('prediction_revisions', {
  /** The genesis hash of the network. */
  network: text('network').primaryKey(),
  revision: bigint('revision', { mode: 'number' }).notNull(),
});

/** Events of prediction markets. Times are Unix seconds. */
export const predictionEvents = pgTable(
  'prediction_events',
  {
    network: text('network').notNull(),
    eventId: text('event_id').notNull(),
    title: text('title').notNull(),
    subtitle: text('subtitle').notNull(),
    slug: text('slug').notNull(),
    series: text('series').notNull(),
    category: text('category').notNull(),
    subcategory: text('subcategory').notNull(),
    /** A JSON array of strings. */
    tags: text('tags').notNull(),
    imageUrl: text('image_url'),
    beginAt: bigint('begin_at', { mode: 'number' }),
    closeAt: bigint('close_at', { mode: 'number' }).notNull(),
    closeCondition: text('close_condition').notNull(),
    createdAt: bigint('created_at', { mode: 'number' }).notNull(),
    /** The revision in which the event or one of its markets was last changed. */
    revision: bigint('revision', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.network, table.eventId] }),
    index('prediction_events_revision').on(table.network, table.revision),
  ],
);

/** Markets of events. Times are Unix seconds. */
export const predictionMarkets = pgTable(
  'prediction_markets',
  {
    network: text('network').notNull(),
    marketId: text('market_id').notNull(),
    eventId: text('event_id').notNull(),
    /** Its place among the markets of its event, from 0. */
    number: integer('number').notNull(),
    marketIdHash: text('market_id_hash').notNull(),
    title: text('title').notNull(),
    rulesPrimary: text('rules_primary').notNull(),
    rulesSecondary: text('rules_secondary').notNull(),
    openAt: bigint('open_at', { mode: 'number' }).notNull(),
    closeAt: bigint('close_at', { mode: 'number' }).notNull(),
    /** `open`, or `closed` with a result, or `cancelled`. A market whose time is over stays `open` until it is resolved. */
    status: text('status').notNull(),
    result: text('result'),
    resolvedAt: bigint('resolved_at', { mode: 'number' }),
    feeBps: integer('fee_bps').notNull(),
    startCents: integer('start_cents').notNull(),
    /** A u64 in decimal digits. */
    levelContracts: text('level_contracts').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.network, table.marketId] }),
    uniqueIndex('prediction_markets_place').on(table.network, table.eventId, table.number),
    uniqueIndex('prediction_markets_hash').on(table.network, table.marketIdHash),
  ],
);

/** How the games stand that events are about. Times are Unix seconds. */
export const predictionScores = pgTable(
  'prediction_scores',
  {
    network: text('network').notNull(),
    eventId: text('event_id').notNull(),
    gameId: text('game_id').notNull(),
    leagueAbbreviation: text('league_abbreviation'),
    homeTeam: text('home_team'),
    awayTeam: text('away_team'),
    score: text('score'),
    period: text('period'),
    elapsed: text('elapsed'),
    status: text('status'),
    state: text('state').notNull(),
    finishedAt: bigint('finished_at', { mode: 'number' }),
    updatedAt: bigint('updated_at', { mode: 'number' }).notNull(),
    version: bigint('version', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.eventId] })],
);

export const PREDICTION_EVENT_TABLES: OwnedTables = defineTables({
  owner: 'predictions',
  tables: [predictionRevisions, predictionEvents, predictionMarkets, predictionScores],
  migrations: {
    37: [
      'create table prediction_revisions (network text not null primary key, revision bigint not null)',
      `create table prediction_events (
      network text not null, event_id text not null, title text not null, subtitle text not null, slug text not null,
      series text not null, category text not null, subcategory text not null, tags text not null, image_url text,
      begin_at bigint, close_at bigint not null, close_condition text not null, created_at bigint not null,
      revision bigint not null, primary key (network, event_id))`,
      'create index prediction_events_revision on prediction_events (network, revision)',
      `create table prediction_markets (
      network text not null, market_id text not null, event_id text not null, number integer not null,
      market_id_hash text not null, title text not null, rules_primary text not null, rules_secondary text not null,
      open_at bigint not null, close_at bigint not null, status text not null, result text, resolved_at bigint,
      fee_bps integer not null, start_cents integer not null, level_contracts text not null,
      primary key (network, market_id))`,
      'create unique index prediction_markets_place on prediction_markets (network, event_id, number)',
      'create unique index prediction_markets_hash on prediction_markets (network, market_id_hash)',
    ],
    40: [
      `create table prediction_scores (
      network text not null, event_id text not null, game_id text not null, league_abbreviation text, home_team text,
      away_team text, score text, period text, elapsed text, status text, state text not null, finished_at bigint,
      updated_at bigint not null, version bigint not null, primary key (network, event_id))`,
    ],
  },
});
