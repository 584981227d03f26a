/** The names of the database files in a data folder. */
export const STORE_FILE = 'sluice.db';
export const LOG_FILE = 'request-log.db';
