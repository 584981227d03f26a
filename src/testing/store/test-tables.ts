import { MARKET_DATA_TABLES } from '../../market-data/tables/market-data-tables.ts';
import { MAKER_TABLES } from '../../rfq/records/maker-tables.ts';
import { PLATFORM_TABLES } from '../../platform/tables/platform-tables.ts';
import { TRAFFIC_LOG_TABLES } from '../../platform/traffic/log/log-migrations.ts';
import { EARN_TABLES } from '../../products/lend/earn/history/earn-tables.ts';
import { PORTFOLIO_TABLES } from '../../products/portfolio/history/portfolio-tables.ts';
import { joinMigrations } from '../../store/schema/owned-tables.ts';
import { TOKEN_TABLES } from '../../tokens/verification/token-tables.ts';
import { REPORT_LOG_TABLES } from '../../transactions/reports/report-tables.ts';
import { SPONSOR_TABLES } from '../../transactions/sponsor/sponsor-tables.ts';

/** The store has no tables that its own tests could write. */
export { organisations } from '../../platform/tables/account-tables.ts';

/**
 * The migrations of `src/app/tables.ts`, joined without loading every product. `src/app/tables.test.ts` compares the two.
 */
export const TEST_MIGRATIONS = joinMigrations([
  MARKET_DATA_TABLES,
  TOKEN_TABLES,
  SPONSOR_TABLES,
  MAKER_TABLES,
  PLATFORM_TABLES,
  EARN_TABLES,
  PORTFOLIO_TABLES,
]);

/** The same for the database of the request log. */
export const TEST_LOG_MIGRATIONS = joinMigrations([TRAFFIC_LOG_TABLES, REPORT_LOG_TABLES]);
