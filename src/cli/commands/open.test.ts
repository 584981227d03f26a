import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepInstanceUrls } from '../../data-folder/instance-file.ts';
import { runForTest } from '../../testing/run-cli.ts';
import { findBrowserCommand } from './open.ts';
import { openTestFolder } from '../../testing/test-folder.ts';

let folder: string;
let server: Server;
let rest: string;
beforeEach(setUp);
afterEach(tearDown);

describe('sluice open', () => {
  it('prints the pages of the instance of the data folder', async () => {
    keepUrls();
    const { code, out } = await open(['--page', 'none']);
    expect(code).toBe(0);
    expect(out).toContain(`portal     ${rest}/portal\n`);
    expect(out).toContain(`docs       ${rest}/docs\n`);
    expect(out).toContain(`api        ${rest}/docs/api\n`);
    expect(out).toContain('admin      https://127.0.0.1:8443/docs\n');
    const [, dashboard = ''] = /^dashboard +(.*) \(for Grafana\)$/m.exec(out) ?? [];
    expect(JSON.parse(readFileSync(dashboard, 'utf8'))).toHaveProperty('panels');
  });

  it.each([
    ['the portal', [], '/portal'],
    ['the documentation without the portal', ['--no-portal'], '/docs'],
    ['the page that is named', ['--page', 'api'], '/docs/api'],
  ])('opens %s in the browser that BROWSER names', async (_, flags, path) => {
    keepUrls();
    const [browser, opened] = [join(folder, 'browser'), join(folder, 'opened')];
    writeFileSync(
      browser,
      `#!/bin/sh\nprintf %s "$1" > "${opened}.part"\nmv "${opened}.part" "${opened}"\n`,
      { mode: 0o755 },
    );
    const { code, out } = await open(flags, { BROWSER: browser, PATH: process.env.PATH });
    expect(code).toBe(0);
    expect(out).toContain(`Opened ${rest}${path}\n`);
    await expect.poll(() => readFileSync(opened, { encoding: 'utf8', flag: 'a+' })).toBe(`${rest}${path}`);
  });

  it.each([[{}], [{ BROWSER: '/nonexistent/browser' }]])(
    'says that there is no browser with %j',
    async (environment) => {
      keepUrls();
      const { code, out } = await open([], environment);
      expect(code).toBe(0);
      expect(out).toContain('There is no browser here');
    },
  );

  it('uses the addresses that are given', async () => {
    keepUrls();
    const port = new URL(rest).port;
    const { out } = await open(['--page', 'none', '--rest-port', port, '--admin-port', '9']);
    expect(out).toContain('admin      http://127.0.0.1:9/docs\n');
  });

  it('refuses when no instance listens, and an unknown page', async () => {
    keepUrls();
    await new Promise((resolve) => server.close(resolve));
    const refused = await open([]);
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+ cannot be reached: .*; start an instance with sluice start/,
    );
    expect(await open(['--page', 'dosc'])).toMatchObject({
      code: 2,
      err: 'flag --page is "dosc", but must be one of portal, docs, api, admin, none\n',
    });
  });
});

describe('findBrowserCommand', () => {
  it.each<[NodeJS.ProcessEnv, NodeJS.Platform, readonly string[] | null]>([
    [{ BROWSER: '/bin/a:/bin/b', DISPLAY: ':0' }, 'linux', ['/bin/a']],
    [{ DISPLAY: ':0' }, 'linux', ['xdg-open']],
    [{ WAYLAND_DISPLAY: 'wayland-0' }, 'linux', ['xdg-open']],
    [{}, 'linux', null],
    [{}, 'darwin', ['open']],
    [{}, 'win32', ['explorer.exe']],
  ])('with %j on %s is %j', (environment, platform, command) => {
    expect(findBrowserCommand(environment, platform)).toEqual(command);
  });
});

async function setUp(): Promise<void> {
  folder = openTestFolder('open');
  server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  rest = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function tearDown(): void {
  server.close();
}

function open(flags: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  return runForTest(['open', '--data-dir', folder, ...flags], '/nonexistent', environment);
}

function keepUrls() {
  keepInstanceUrls(folder, {
    rest,
    admin: 'https://127.0.0.1:8443',
    grpc: 'http://127.0.0.1:50051',
    rpc: null,
    ws: null,
  });
}
