import { MARKET_DATA_TABLES } from '../market-data/tables/market-data-tables.ts';
import { CUSTODY_TABLES } from '../custody/keys/custody-tables.ts';
import { ORDER_TABLES } from '../waiting-orders/store/order-tables.ts';
import { MAKER_TABLES } from '../rfq/records/maker-tables.ts';
import { PLATFORM_TABLES } from '../platform/tables/platform-tables.ts';
import { TRAFFIC_LOG_TABLES } from '../platform/traffic/log/log-migrations.ts';
import { EARN_TABLES } from '../products/lend/earn/history/earn-tables.ts';
import { PORTFOLIO_TABLES } from '../products/portfolio/history/portfolio-tables.ts';
import { SIGN_IN_TABLES } from '../products/trigger/sign-in/sign-in-tables.ts';
import { INVITE_TABLES } from '../invites/store/invite-tables.ts';
import { EXCHANGE_TABLES } from '../exchange/journal/journal-tables.ts';
import { FORECAST_TABLES } from '../forecasts/history/forecast-tables.ts';
import { PREDICTION_EVENT_TABLES } from '../predictions/store/event-tables.ts';
import { PREDICTION_HISTORY_TABLES } from '../predictions/store/history-tables.ts';
import { PREDICTION_TOTAL_TABLES } from '../predictions/store/totals/total-tables.ts';
import { PROGRAM_ORDER_TABLES } from '../program-orders/store/program-order-tables.ts';
import { MEDIA_TABLES } from '../studio/media/media-tables.ts';
import { STUDIO_TABLES } from '../studio/submissions/studio-tables.ts';
import type { LogMigration } from '../store/log/log-migrate.ts';
import {
  joinMigrations,
  type Migration,
  type NumberedMigrations,
  type OwnedTables,
} from '../store/schema/owned-tables.ts';
import { LEDGER_LOG_TABLES } from '../swaps/ledger/ledger-tables.ts';
import { TOKEN_TABLES } from '../tokens/verification/token-tables.ts';
import { REPORT_LOG_TABLES } from '../transactions/reports/report-tables.ts';
import { SPONSOR_TABLES } from '../transactions/sponsor/sponsor-tables.ts';

/**
 * The tables of the store, by their owners. The list loads no code of a product, so that `sluice backup`, which needs only
 * the version of the schema, starts quickly.
 */
export const TABLES: readonly OwnedTables[] = [
  MARKET_DATA_TABLES,
  TOKEN_TABLES,
  SPONSOR_TABLES,
  MAKER_TABLES,
  PLATFORM_TABLES,
  EARN_TABLES,
  PORTFOLIO_TABLES,
  CUSTODY_TABLES,
  ORDER_TABLES,
  SIGN_IN_TABLES,
  PROGRAM_ORDER_TABLES,
  INVITE_TABLES,
  STUDIO_TABLES,
  MEDIA_TABLES,
  PREDICTION_EVENT_TABLES,
  EXCHANGE_TABLES,
  PREDICTION_HISTORY_TABLES,
  FORECAST_TABLES,
  PREDICTION_TOTAL_TABLES,
];

/** The migrations of the store, oldest first. */
export const STORE_MIGRATIONS: readonly Migration[] = joinMigrations(TABLES);

/** The newest version of the store's schema that this program knows. */
export const SCHEMA_VERSION: number = STORE_MIGRATIONS.length;

/** The tables of the database of the request log. */
export const LOG_TABLES: readonly NumberedMigrations<LogMigration>[] = [
  TRAFFIC_LOG_TABLES,
  REPORT_LOG_TABLES,
  LEDGER_LOG_TABLES,
];

/** The migrations of the database of the request log, oldest first. */
export const LOG_MIGRATIONS: readonly LogMigration[] = joinMigrations(LOG_TABLES);

/** The newest version of the request log's tables that this program knows. */
export const LOG_VERSION: number = LOG_MIGRATIONS.length;
