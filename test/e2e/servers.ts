import { randomBytes } from 'node:crypto';
import { createTestDatabase } from '../../src/testing/store/test-store.ts';
import { TEST_VALKEY_URL } from '../../src/testing/store/test-valkey.ts';

/** What instances that belong together share; the key secret keeps them apart from others on the same Valkey. */
export interface Servers {
  readonly databaseUrl: string;
  readonly valkeyUrl: string;
  readonly keySecret: string;
  /** Drops the database. */
  readonly drop: () => Promise<void>;
}

export const HAS_SERVERS = process.env.SLUICE_TEST_DATABASE_URL !== undefined && TEST_VALKEY_URL !== null;

/** A new database on the test server, to be used with the test Valkey. */
export async function openServers(): Promise<Servers> {
  const { url, drop } = await createTestDatabase();
  return {
    databaseUrl: url,
    valkeyUrl: TEST_VALKEY_URL ?? '',
    keySecret: randomBytes(32).toString('hex'),
    drop,
  };
}

/** Not as flags, which a report of a crash shows. */
export function environmentOf(servers: Servers | null): NodeJS.ProcessEnv {
  if (servers === null) return {};
  const { databaseUrl, valkeyUrl, keySecret } = servers;
  return {
    SLUICE_DATABASE_URL: databaseUrl,
    SLUICE_VALKEY_URL: valkeyUrl,
    SLUICE_KEY_SECRET: keySecret,
  };
}
