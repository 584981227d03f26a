import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, vi } from 'vitest';
import { Agent, fetch as fetchBy, type RequestInit, type Response } from 'undici';
import { findFreePort } from '../../src/testing/free-port.ts';
import { TEST_CERTIFICATES } from '../../src/testing/gateway/certificates.ts';

/** The programs for which there is a recipe. */
export const PROXY_NAMES = ['nginx', 'haproxy', 'caddy'] as const;
export type ProxyName = (typeof PROXY_NAMES)[number];

const RECIPES = { nginx: 'nginx.conf', haproxy: 'haproxy.cfg', caddy: 'Caddyfile' } as const;
const VERSION_FLAGS = { nginx: '-v', haproxy: '-v', caddy: 'version' } as const;
const certificate = TEST_CERTIFICATES[0];

function isInstalled(name: ProxyName): boolean {
  return spawnSync(name, [VERSION_FLAGS[name]]).status === 0;
}

/** Whether the program is tested in this run: most of these tests wait for seconds, so only `npm run test:long` has them. */
export function isTested(name: ProxyName): boolean {
  return process.env.SLUICE_TEST_LONG === '1' && isInstalled(name);
}

/** The ports of an instance. */
export interface BackendPorts {
  readonly rest: number;
  readonly grpc: number;
}

/** A load balancer that runs with its recipe. */
export interface TestProxy {
  readonly url: string;
  readonly grpcPort: number;
  /** Whether it takes the connections of makers with TLS. */
  readonly endsGrpcTls: boolean;
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/** Runs a program with its recipe of docs/recipes, in which only addresses, ports and paths are replaced. */
export async function openProxy(
  name: ProxyName,
  backends: readonly [BackendPorts, BackendPorts],
): Promise<TestProxy> {
  const folder = mkdtempSync(join(tmpdir(), `sluice-${name}-`));
  const [rest, grpc] = [await findFreePort(), await findFreePort()];
  const certificateFile = join(folder, 'cert.pem');
  const keyFile = join(folder, 'key.pem');
  const bothFile = join(folder, 'both.pem');
  writeFileSync(certificateFile, certificate.certificate);
  writeFileSync(keyFile, certificate.key);
  writeFileSync(bothFile, certificate.certificate + certificate.key);
  const recipe = readFileSync(
    fileURLToPath(new URL(`../../docs/recipes/${RECIPES[name]}`, import.meta.url)),
    'utf8',
  );
  const addresses = backends.flatMap((ports, index) => [
    [`10.0.0.1${index + 1}:8787`, `127.0.0.1:${ports.rest}`] as const,
    [`10.0.0.1${index + 1}:50051`, `127.0.0.1:${ports.grpc}`] as const,
  ]);
  const own: Readonly<Record<ProxyName, readonly (readonly [string, string])[]>> = {
    nginx: [
      ['listen 443 ', `listen 127.0.0.1:${rest} `],
      ['listen 50051 ', `listen 127.0.0.1:${grpc} `],
      ['/etc/ssl/sluice.pem', certificateFile],
      ['/etc/ssl/sluice.key', keyFile],
    ],
    haproxy: [
      ['bind :443 ', `bind 127.0.0.1:${rest} `],
      ['bind :50051', `bind 127.0.0.1:${grpc}`],
      ['/etc/ssl/sluice-and-key.pem', bothFile],
    ],
    caddy: [
      ['admin localhost:2019', 'admin off\n\tauto_https disable_redirects'],
      ['https://sluice.example', `https://localhost:${rest}`],
      ['https://makers.sluice.example', `https://localhost:${grpc}`],
      ['/etc/ssl/sluice.pem', certificateFile],
      ['/etc/ssl/sluice.key', keyFile],
    ],
  };
  const text = [...addresses, ...own[name]].reduce((before, [from, to]) => {
    expect(before, `the recipe names ${from}`).toContain(from);
    return before.replaceAll(from, to);
  }, recipe);
  const child = start(name, folder, text);
  const agent = new Agent({ connect: { ca: certificate.certificate } });
  const url = `https://localhost:${rest}`;
  const close = async () => {
    await agent.destroy();
    await end(child.process);
    rmSync(folder, { recursive: true, force: true });
  };
  const fetchHere: TestProxy['fetch'] = (path, init) =>
    fetchBy(`${url}${path}`, { ...init, dispatcher: agent });
  try {
    await vi.waitFor(async () => {
      expect(child.process.exitCode, child.log()).toBeNull();
      const answer = await fetchHere('/healthz');
      await answer.text();
      expect(answer.status, child.log()).toBe(200);
    });
  } catch (error) {
    await close();
    throw error;
  }
  return { url, grpcPort: grpc, endsGrpcTls: name !== 'haproxy', fetch: fetchHere, close };
}

function start(name: ProxyName, folder: string, recipe: string) {
  const file = join(folder, RECIPES[name]);
  writeFileSync(file, recipe);
  const main = join(folder, 'main.conf');
  // What a distribution's own nginx.conf has around the recipe.
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  );
  const around = `daemon off; pid ${join(folder, 'pid')}; error_log stderr warn; ${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 2; events {} http { access_log off; ${temporary.join(' ')} include ${file}; }`;
  writeFileSync(main, around);
  const args = {
    nginx: ['-c', main, '-p', folder, '-e', 'stderr'],
    haproxy: ['-db', '-f', file],
    caddy: ['run', '--adapter', 'caddyfile', '--config', file],
  };
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(name, args[name], { env });
  let log = '';
  const note = (chunk: unknown) => {
    log = (log + String(chunk)).slice(-4_000);
  };
  child.stdout.on('data', note);
  child.stderr.on('data', note);
  child.on('error', note);
  return { process: child, log: () => log };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  // nginx has workers, which it ends when it is asked to.
  child.kill('SIGTERM');
  await once(child, 'exit');
}
