import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bundleWhenStale } from '../scripts/bundle.mjs';
import { findExposureContradictions } from '../src/config/settings/exposure.ts';
import { loadSettings } from '../src/config/load.ts';
import { getDefault as defaultOfSetting } from '../src/config/settings/kinds/setting.ts';
import { toEnvironmentName, type Setting } from '../src/config/settings/kinds/setting.ts';
import { SETTING_NAMES, SETTINGS, type SettingName } from '../src/config/settings/settings.ts';
import { TEST_CERTIFICATES } from '../src/testing/gateway/certificates.ts';

describe('Dockerfile', () => {
  it('builds the program from what it copies', async () => {
    const context = mkdtempSync(join(tmpdir(), 'sluice-image-'));
    try {
      for (const path of buildSources()) {
        cpSync(new URL(path, root), join(context, path), { recursive: true });
      }
      symlinkSync(fileURLToPath(new URL('node_modules', root)), join(context, 'node_modules'));
      expect(await bundleWhenStale(context)).toBe(true);
      expect(existsSync(join(context, 'dist', 'main.js'))).toBe(true);
    } finally {
      rmSync(context, { recursive: true });
    }
  });

  it('copies files that exist and that are sent to it', () => {
    const copies = [...dockerfile.matchAll(/^COPY (?!--from)(.+)$/gm)];
    const sources = copies.flatMap(([, line = '']) => line.split(' ').slice(0, -1));
    expect(sources.length).toBeGreaterThan(8);
    expect(sources.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
    const sent = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path);
    expect(sources.filter((path) => !sent.includes(path))).toEqual([]);
  });

  it('has what the package publishes', () => {
    const { files }: { files: readonly string[] } = JSON.parse(read('package.json'));
    const final = dockerfile.slice(dockerfile.lastIndexOf('FROM '));
    // A pattern that begins with ! leaves files out.
    for (const path of files.filter((file) => file !== 'testing' && !file.startsWith('!')))
      expect(final).toContain(path);
  });

  it('copies into the image only what runs', () => {
    const final = dockerfile.slice(dockerfile.lastIndexOf('FROM '));
    const copied = [...final.matchAll(/^COPY (.+)$/gm)].map(([, line]) => line);
    expect(copied).toEqual([
      '--from=build /build/runtime/node_modules ./node_modules',
      '--from=build /build/dist ./dist',
      'bin ./bin',
      'programs/dist ./programs/dist',
      'proto ./proto',
      'docs ./docs',
      'examples ./examples',
      'README.md CHANGELOG.md package.json LICENSE NOTICE ./',
    ]);
    // `test/e2e/package.test.ts` runs the package with these packages alone.
    expect(dockerfile).toContain('node scripts/runtime-packages.mjs /build/runtime');
  });

  it('names settings, scripts and ports that there are, and does not run as root', () => {
    const names = [...dockerfile.matchAll(/SLUICE_\w+/g)].map(([name]) => name);
    const known = SETTING_NAMES.map(toEnvironmentName);
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
    for (const [, script = ''] of dockerfile.matchAll(/node ([\w/.]+\.mjs)/g)) {
      expect(existsSync(new URL(script, root)), script).toBe(true);
    }
    expect(existsSync(new URL('bin/sluice.mjs', root))).toBe(true);
    const exposed = (['rest-port', 'grpc-port', 'rpc-port', 'ws-port'] as const).map(defaultOf);
    for (const port of exposed) expect(dockerfile).toMatch(new RegExp(`^EXPOSE .*\\b${port}\\b`, 'm'));
    expect(read('bin/healthy.mjs')).toContain(`|| '${defaultOf('rest-port')}'`);
    expect(dockerfile.indexOf('USER node')).toBeLessThan(dockerfile.indexOf('ENTRYPOINT'));
    expect(dockerfile.match(/^FROM (\S+)/gm)).toEqual(['FROM node:24-slim', 'FROM node:24-slim']);
  });

  /** What the first stage has to build from. */
  function buildSources(): string[] {
    const first = dockerfile.slice(0, dockerfile.lastIndexOf('FROM '));
    return [...first.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '));
  }
});

describe('the unit file in docs/operation.md', () => {
  it('sets settings that there are, and is in production', () => {
    const set = [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
    const known = SETTING_NAMES.map(toEnvironmentName);
    expect(set.filter(([name = '']) => !known.includes(name))).toEqual([]);
    expect(set).toContainEqual(['SLUICE_PRODUCTION', 'true']);
  });

  it('finds the command wherever npm has installed it', () => {
    const { bin } = JSON.parse(read('package.json'));
    const [, command = ''] = /^ExecStart=\/usr\/bin\/env (\w+) start$/m.exec(unit) ?? [];
    expect(Object.keys(bin)).toContain(command);
  });

  const blocks = read('docs/operation.md').split('```');
  const unit = blocks.find((block) => block.includes('[Service]')) ?? '';
});

describe('the health check of the image', () => {
  it('asks the port that the environment names, also by TLS', async () => {
    const [{ certificate: cert, key }] = TEST_CERTIFICATES;
    const outcomes = [
      codeOf(createServer(answer(200)), {}),
      codeOf(createServer(answer(200)), { SLUICE_HOST: '0.0.0.0' }),
      codeOf(createTlsServer({ cert, key }, answer(200)), { SLUICE_TLS_CERT: 'cert.pem' }),
      codeOf(createServer(answer(200)), { SLUICE_HOST: ' ', SLUICE_TLS_CERT: ' ' }),
      codeOf(createServer(answer(503)), {}),
      codeOf(createServer(answer(200)), { SLUICE_REST_PORT: '1' }),
    ];
    expect(await Promise.all(outcomes)).toEqual([0, 0, 0, 0, 1, 1]);
  });

  it('takes an empty port for none, as the gateway does', async () => {
    const env = { SLUICE_REST_PORT: '', SLUICE_HOST: '127.77.0.9' };
    const child = execFile(process.execPath, [fileURLToPath(new URL(script, root))], { env });
    const said: string[] = [];
    child.stderr?.on('data', (text: string) => said.push(text));
    await once(child, 'close');
    // It says nothing if a server on all addresses has the port.
    expect(said.join('')).toMatch(new RegExp(`^$|:${defaultOf('rest-port')} does not answer`));
  });

  const [, script = ''] = /^HEALTHCHECK .*CMD \["node", "(.+)"\]$/m.exec(dockerfile) ?? [];

  async function codeOf(server: Server, environment: NodeJS.ProcessEnv): Promise<number | null> {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const env = { SLUICE_REST_PORT: String((server.address() as AddressInfo).port), ...environment };
    const child = execFile(process.execPath, [fileURLToPath(new URL(script, root))], { env });
    const [code] = await once(child, 'close');
    server.close();
    return code;
  }

  const answer =
    (status: number): RequestListener =>
    ({ url }, response) =>
      void response.writeHead(url === '/healthz' ? status : 404).end();
});

describe('compose.yaml', () => {
  it('gives the gateways and the network settings that go together', () => {
    for (const [part, count, production] of [
      [gateways, 10, true],
      [network.slice(0, network.indexOf('  postgres:')), 3, false],
    ] as const) {
      const environment = settingsIn(part);
      expect(Object.keys(environment).length).toBe(count);
      const { settings, sources } = loadSettings({ flags: new Map(), file: null, environment, cwd: '/' });
      expect(settings).toMatchObject({ host: '0.0.0.0', production });
      expect(findExposureContradictions(settings, sources)).toEqual([]);
    }
  });

  it('waits for longer than an instance takes to stop', () => {
    const delay = Number(settingsIn(gateways).SLUICE_STOP_DELAY_MS);
    const grace = Number(/stop_grace_period: (\d+)s/.exec(compose)?.[1]) * 1_000;
    expect(grace).toBeGreaterThan(delay + Number(defaultOf('stop-timeout-ms')));
  });

  it('does not take the server that fills a new volume for PostgreSQL, which answers on a socket only', () => {
    expect(compose).toMatch(/"pg_isready", "-h", "127\.0\.0\.1"/);
  });

  it('publishes ports of this machine only, and those that the image has', () => {
    const published = [...compose.matchAll(/"([\d.]+):\d+:(\d+)"/g)];
    expect(published.length).toBe(4);
    for (const [, host, port = ''] of published) {
      expect(host).toBe('127.0.0.1');
      expect(dockerfile).toMatch(new RegExp(`^EXPOSE .*\\b${port}\\b`, 'm'));
    }
  });

  const [gateways = '', network = ''] = compose.split(/^ {2}network:$/m);
});

const root = new URL('../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const dockerfile = read('Dockerfile');
const compose = read('compose.yaml');

const defaultOf = (name: SettingName) => defaultOfSetting(SETTINGS[name] as Setting);

/** What compose passes to a gateway, with every secret given. */
function settingsIn(text: string): Record<string, string> {
  const secrets: Record<string, string> = {
    POSTGRES_PASSWORD: 'p',
    KEY_SECRET: 'k'.repeat(32),
    ADMIN_CREDENTIAL: 'a'.repeat(32),
  };
  const lines = [...text.matchAll(/^ +(SLUICE_\w+): (.+)$/gm)];
  return Object.fromEntries(
    lines.map(([, name = '', value = '']) => [
      name,
      value
        .replace(/\$\{(\w+):\?\}/g, (_, secret: string) => secrets[secret] ?? '')
        .replace(/\$\{\w+:-([^}]*)\}/g, '$1')
        // YAML would read a bare true as no text.
        .replace(/^"(.*)"$/, '$1'),
    ]),
  );
}
