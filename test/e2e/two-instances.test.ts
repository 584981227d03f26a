import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, STORES } from '../../src/store/store-for-tests.ts';
import { bannerValue, FREE_PORTS, Instance } from './instance.ts';

/** What is promised for a change to reach every instance. */
const WITHIN_MS = 15_000;

describe.runIf(STORES.includes('postgresql'))('two instances on one PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let folder: string;
  let instances: readonly Instance[];
  let banners: readonly string[];

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = mkdtempSync(join(tmpdir(), 'sluice-two-'));
    const flags = [...FREE_PORTS, `--database-url=${database.url}`, `--key-secret=${'s'.repeat(32)}`];
    instances = ['one', 'two'].map((name) => new Instance(['start', `--data-dir=${name}`, ...flags], folder));
    banners = await Promise.all(instances.map((instance) => instance.ready()));
  });
  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const shownBy = (index: number, name: string) => bannerValue(banners[index] ?? '', name);

  async function statusOf(index: number, key: string): Promise<number> {
    const response = await fetch(`${shownBy(index, 'REST')}/healthz`, { headers: { 'x-api-key': key } });
    await response.arrayBuffer();
    return response.status;
  }

  async function manage(...args: string[]): Promise<string> {
    const { port } = new URL(shownBy(0, 'Admin'));
    const { code, out, error } = await new Instance([...args, `--admin-port=${port}`], folder).ended();
    expect(code, error).toBe(0);
    return out.trim();
  }

  it('know each other’s keys, and learn of changes within 15 seconds', async () => {
    const learns = (key: string, status: number) =>
      expect.poll(() => statusOf(1, key), { timeout: WITHIN_MS, interval: 250 }).toBe(status);
    for (const index of [0, 1]) await learns(shownBy(index, 'API key'), 200);
    const key = await manage('key', 'create', 'demo/demo', 'shared');
    await learns(key, 200);
    await manage('key', 'delete', 'demo/demo', 'shared');
    expect(await statusOf(0, key)).toBe(401);
    await learns(key, 401);
  });

  it('are refused another secret', async () => {
    const flags = [...FREE_PORTS, '--data-dir=three', `--database-url=${database.url}`];
    const { code, error } = await new Instance(['start', ...flags], folder).ended();
    expect(error).toContain('set key-secret to the one that the first instance on this database used');
    expect(code).toBe(1);
  });
});
