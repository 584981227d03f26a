import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bannerValue, FREE_PORTS, Instance } from './instance.ts';

const LABELS = '/swap/v2/program-id-to-label';

let folder: string;
let instance: Instance;
let banner: string;

async function start(): Promise<void> {
  instance = new Instance(['start', ...FREE_PORTS], folder);
  banner = await instance.ready();
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-platform-'));
  await start();
});
afterAll(async () => {
  await instance.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function sluice(...args: string[]): Promise<string> {
  const { port } = new URL(bannerValue(banner, 'Admin'));
  const { code, out, error } = await new Instance([...args, `--admin-port=${port}`], folder).ended();
  expect(code, error).toBe(0);
  return out.trim();
}

function ask(path: string, key?: string): Promise<Response> {
  const headers: Record<string, string> = key === undefined ? {} : { 'x-api-key': key };
  return fetch(`${bannerValue(banner, 'REST')}${path}`, { headers });
}

async function statusOf(path: string, key?: string): Promise<number> {
  const response = await ask(path, key);
  await response.arrayBuffer();
  return response.status;
}

describe('a running instance', () => {
  it('shows what the demo key used', async () => {
    const key = bannerValue(banner, 'API key');
    for (let index = 0; index < 3; index++) expect(await statusOf(LABELS, key)).toBe(200);
    expect(await sluice('org', 'show', 'demo')).toMatch(/^requests in 60 s +3 of 9000$/m);
    expect(await sluice('key', 'list', 'demo/demo')).toMatch(/^demo +all +never +20\d\d-/m);
  });

  it('gives out keys that open what they are for, also after it was killed, until they are deleted', async () => {
    const key = await sluice('key', 'create', 'demo/demo', 'swaps', '--products', 'swap');
    expect(await statusOf(LABELS, key)).toBe(200);
    const outside = await ask('/tokens/v2/recent', key);
    expect(await outside.json()).toEqual({
      code: 403,
      message: 'API key does not have access to this endpoint',
    });
    await instance.stop();
    await start();
    expect(await statusOf(LABELS, bannerValue(banner, 'API key'))).toBe(200);
    expect(await statusOf(LABELS, key)).toBe(200);
    await sluice('key', 'delete', 'demo/demo', 'swaps');
    expect(await statusOf(LABELS, key)).toBe(401);
    instance.kill('SIGTERM');
    const { out, error } = await instance.ended();
    expect(out + error).not.toContain(key);
    for (const file of filesUnder(join(folder, '.sluice'))) {
      expect(readFileSync(file).includes(key), file).toBe(false);
    }
    await start();
  });

  it('admits 30 requests in a minute without a key, and says so', async () => {
    const answers: Response[] = [];
    for (let index = 0; index < 31; index++) answers.push(await ask(LABELS));
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
    expect(await answers[30]?.json()).toEqual({ code: 429, message: '[API Gateway] Too many requests' });
    expect(answers[30]?.headers.get('x-ratelimit-remaining')).toBe('-1');
    expect(await statusOf('/healthz')).toBe(200);
    expect(await statusOf(LABELS, bannerValue(banner, 'API key'))).toBe(200);
  });
});

function filesUnder(path: string): readonly string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
