/** The store has no tables that its own tests could write. */
export { organisations } from '../../platform/tables/account-tables.ts';

export {
  LOG_MIGRATIONS as TEST_LOG_MIGRATIONS,
  STORE_MIGRATIONS as TEST_MIGRATIONS,
} from '../../app/tables.ts';
