import { describe, expect, it, onTestFinished } from 'vitest';
import { toConfig } from '../../config/config.ts';
import { loadSettings } from '../../config/load.ts';
import { openSentinelServers, VALKEY_PROGRAM } from '../../testing/store/sentinel-servers.ts';
import { createTestDatabase } from '../../testing/store/test-store.ts';
import { TEST_VALKEY_URL } from '../../testing/store/test-valkey.ts';
import { openPostgres } from '../../store/postgres/postgres.ts';
import { listServerChecks } from './server-checks.ts';

describe.runIf(process.env.SLUICE_TEST_DATABASE_URL !== undefined)('the check of database-url', () => {
  it('says the version of server and schema, and refuses one that is newer than the program', async () => {
    const { url, drop } = await createTestDatabase();
    onTestFinished(drop);
    const empty = await check({ 'database-url': url }, 7);
    expect(empty.get('database-url')).toMatch(
      /^ok: PostgreSQL \d+.*, can be written, schema 0, which a start brings to 7, \d+ of/,
    );
    expect(empty.get('key-secret')).toMatch(
      /^warning: it is not given.*; with database-url, give every instance the same/,
    );
    const store = await openPostgres({ url, timeoutMs: null });
    await store.db.execute('create table meta (name text primary key, value text not null)');
    await store.db.execute("insert into meta values ('schema-version', '8')");
    await store.close();
    expect((await check({ 'database-url': url }, 8)).get('database-url')).toMatch(/, schema 8, /);
    expect((await check({ 'database-url': url }, 7)).get('database-url')).toMatch(
      /^fault: its schema has version 8.*up to 7; run a newer/,
    );
  });
});

describe.runIf(TEST_VALKEY_URL !== null)('the check of valkey-url', () => {
  it('says the version and notes the time', async () => {
    const times: string[] = [];
    const findings = await check({ 'valkey-url': TEST_VALKEY_URL ?? '' }, 1, (server) => times.push(server));
    expect(findings.get('valkey-url')).toMatch(/^ok: version \d+\.\d+\.\d+, can be written$/);
    expect(times).toEqual(['Valkey']);
  });
});

describe.runIf(VALKEY_PROGRAM !== null)('the check of valkey-url with sentinels', () => {
  it('warns of a master that goes on without replicas, and refuses one that evicts keys in production', async () => {
    const servers = await openSentinelServers();
    onTestFinished(servers.close);
    const settings = { 'valkey-url': servers.url, 'valkey-sentinel': servers.sentinels, production: true };
    const port = await servers.masterPort();
    expect((await check(settings)).get('valkey-url')).toMatch(/^warning: .*no min-replicas-to-write/);
    await servers.send(port, 'CONFIG', 'SET', 'min-replicas-to-write', '1');
    expect((await check(settings)).get('valkey-url')).toMatch(/^ok: version .*, named by 1 sentinels$/);
    await servers.send(port, 'CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    expect((await check(settings)).get('valkey-url')).toMatch(/^fault: .*allkeys-lru.*set it to noeviction$/);
  });
});

async function check(
  settings: Readonly<Record<string, unknown>>,
  schemaVersion = 1,
  noteTime: (server: string, milliseconds: number) => void = () => undefined,
): Promise<ReadonlyMap<string, string>> {
  const texts = Object.entries(settings).map(([name, value]) => [name, [value].flat().map(String)] as const);
  const inputs = { flags: new Map(texts) as never, file: null, environment: {}, cwd: '/nonexistent' };
  const config = toConfig(loadSettings(inputs).settings, '/nonexistent');
  const found = await Promise.all(
    listServerChecks(config, schemaVersion, noteTime).map(async ({ name, run }) => {
      const { status, message } = await run();
      return [name, `${status}: ${message}`] as const;
    }),
  );
  return new Map(found);
}
