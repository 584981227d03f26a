import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordingNetwork } from '../../gateway/admin/network-for-tests.ts';
import { createAdminServer } from '../../gateway/admin/server.ts';
import { listen } from '../../gateway/listen.ts';
import { createLogger } from '../../gateway/log.ts';
import { inProcessLimiter } from '../../gateway/pipeline/rate-limiter.ts';
import { closeServer } from '../../gateway/server.ts';
import type { PlatformParts } from '../../platform/parts.ts';
import { openTestPlatform } from '../../platform/platform-for-tests.ts';
import { runCli } from '../cli.ts';

const NOW = 1_790_000_000_000;

let server: FastifyInstance;
let parts: PlatformParts;
let cleanUp: () => Promise<void>;
let port: string;

beforeEach(async () => {
  ({ parts, cleanUp } = await openTestPlatform(NOW));
  server = await createAdminServer({
    logger: createLogger('silent', { write: () => {} }),
    parts: [],
    network: recordingNetwork(),
    platform: { parts, limiter: inProcessLimiter() },
    production: false,
  });
  port = new URL(await listen(server, { host: '127.0.0.1', port: 0, setting: 'admin-port' })).port;
});
afterEach(async () => {
  await closeServer(server);
  await cleanUp();
});

async function sluice(...args: string[]) {
  let out = '';
  let err = '';
  const code = await runCli([...args, `--admin-port=${port}`], {
    environment: {},
    cwd: '/',
    write: (text) => {
      out += text;
    },
    writeError: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

async function done(...args: string[]): Promise<string> {
  const { code, out, err } = await sluice(...args);
  expect(code, err).toBe(0);
  return out;
}

describe('sluice org, team, key and audit', () => {
  it('lead from an organisation to a key that works, and back', async () => {
    await done('org', 'create', 'acme', 'free');
    await done('org', 'plan', 'acme', 'launch');
    await done('team', 'create', 'acme', 'web');
    const terms = ['--products', 'price,swap', '--expires', '2027-01-31T00:00:00Z'];
    const key = (await done('key', 'create', 'acme/web', 'ci server', ...terms)).trim();
    expect(parts.keys.find(key, NOW)).toMatchObject({ products: ['swap', 'price'], limits: { main: 3_000 } });
    expect(await done('key', 'list', 'acme/web')).toMatch(
      /^ci server +swap,price +2027-01-31T00:00:00.000Z +2026-/m,
    );
    await done('key', 'change', 'acme/web', 'ci server', '--products', 'all');
    await done('key', 'change', 'acme/web', 'ci server', '--expires', 'never');
    expect(parts.keys.find(key, NOW)).toMatchObject({ products: null, expiresAt: null });
    expect(await done('org', 'show', 'acme')).toMatch(/^requests in 60 s +0 of 3000\n.*\nteam +acme\/web$/m);
    await done('key', 'delete', 'acme/web', 'ci server');
    expect(parts.keys.find(key, NOW)).toBeNull();
    await done('team', 'delete', 'acme/web');
    await done('org', 'delete', 'acme');
    expect(await done('org', 'list')).not.toContain('acme');
    const audit = await done('audit');
    expect(audit).toMatch(
      /admin from 127\.0\.0\.1 +organisation\.plan +acme +\{"plan":"free"\} -> \{"plan":"launch"\}/,
    );
    expect(audit).not.toContain(key);
  });

  it.each([
    [['org', 'show', 'none'], 1, 'the instance refused: there is no organisation "none"'],
    [['org', 'show', '../plans'], 1, 'there is no organisation "../plans"'],
    [['org', 'create', 'acme'], 2, 'usage: sluice org create <organisation> <plan>'],
    [['org', 'creat', 'acme', 'free'], 2, '"org creat" is not a command; did you mean org create?'],
    [['org'], 2, '"org" is not a command'],
    [['key', 'list', 'demo'], 2, 'the team is "demo", but must be ORGANISATION/TEAM'],
    [['key', 'create', 'demo/demo', 'x', '--products', 'swap,tx'], 1, 'products must be one or more of'],
    [['key', 'create', 'demo/demo', 'x', '--expires', 'soon'], 2, 'flag --expires is "soon"'],
    [['key', 'create', 'demo/demo', 'x', '--expires', '2020-01-01T00:00:00Z'], 1, 'expiresAt must be later'],
    [['key', 'change', 'demo/demo', 'demo'], 2, 'give --products or --expires'],
  ])('refuse %j', async (args, code, message) => {
    const refused = await sluice(...args);
    expect(refused.err).toContain(message);
    expect(refused.code).toBe(code);
  });
});
