import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentedMetrics } from '../documented-metrics.ts';
import { type ValkeyLine, openLine, TEST_VALKEY_URL } from '../../src/testing/store/test-valkey.ts';
import { bannerValue, FREE_PORTS, type Instance } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';

let folder: string;
let line: ValkeyLine | null;
let receiver: Server;
let traces: string;
let instance: Instance;
let banner: string;
beforeAll(setUp);
afterAll(tearDown);

it('a port of its own lands transactions by JSON-RPC, and serves nothing else', async () => {
  await waitUntilCounting();
  const landing = bannerValue(banner, 'Landing');
  const request = { jsonrpc: '2.0', id: 'a', method: 'getSlot', params: [] };
  const answer = await fetch(landing, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  expect(await answer.json()).toMatchObject({ id: 'a', error: { code: -32_601 } });
  expect((await fetch(`${landing}${LABELS}`)).status).toBe(404);
});

describe('metrics', () => {
  it('are those that the documentation lists, and tell of no key', async () => {
    await waitUntilCounting();
    const page = await metrics();
    expect(page).not.toContain(key());
    const shown = [...page.matchAll(/^# HELP (sluice_\w+) /gm)].map(([, name]) => name);
    const text = readFileSync(join(root, 'docs', 'operation.md'), 'utf8');
    const documented = [...text.matchAll(/^\| `(sluice_\w+)` \|/gm)].map(([, name = '']) => name);
    expect(shown.length).toBeGreaterThan(10);
    expect(shown.filter((name) => !documented.includes(name ?? ''))).toEqual([]);
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(root, 'src', file), 'utf8'))
      .join('\n');
    expect(documented.filter((name) => !sources.includes(`'${name}'`))).toEqual([]);
  });

  it('have the labels that the documentation lists', async () => {
    await waitUntilCounting();
    const series = [...(await metrics()).matchAll(/^(sluice_\w+)\{(.*)\} /gm)];
    expect(series.length).toBeGreaterThan(10);
    const documented = documentedMetrics();
    const wrong = series.filter(([, name = '', labels = '']) => {
      const names = [...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label);
      const listed = documented.get(name) ?? documented.get(name.replace(/_(bucket|sum|count)$/, '')) ?? [];
      return names.some((label) => label !== 'le' && !listed.includes(label));
    });
    expect(wrong.map(([line]) => line)).toEqual([]);
  });
});

describe('traces', () => {
  it('reach the receiver that is named, and tell of no key', async () => {
    await waitUntilCounting();
    await expect.poll(() => traces).toContain(`GET ${LABELS}`);
    expect(traces).not.toContain(key());
  });
});

describe('alerts', () => {
  it('fire while a part does not answer, by the rules of the file that is named, and are logged', async () => {
    const host = new URL(bannerValue(banner, 'Metrics')).host;
    let written = '';
    const endWriting = instance.onOutput((text) => {
      written += text;
    });
    const alert = () => expect.poll(readAlert, { interval: 500 });
    await alert().toMatchObject({ state: 'quiet' });
    await admin('POST', 'network/faults/rpc', { method: 'getHealth', status: 503, count: 1_000 });
    const labels = { part: 'rpc', severity: 'critical', instance: host, job: 'sluice' };
    const active = [{ state: 'firing', value: 0, summary: `rpc is lost at ${host}`, labels }];
    await alert().toMatchObject({ state: 'firing', activeCount: 1, active });
    await admin('DELETE', 'network/faults/rpc');
    await expect
      .poll(readAlert)
      .toMatchObject({ state: 'quiet', lastFiredAt: expect.any(Number), active: [] });
    const { curves } = (await admin('GET', 'alerts/PartLost/history')) as {
      curves: { points: { value: number }[] }[];
    };
    const values = curves[0]?.points.map(({ value }) => value);
    expect(values).toEqual(expect.arrayContaining([1, 0]));
    expect(written).toContain(`rpc is lost at ${host}`);
    endWriting();
  });
});

describe.runIf(TEST_VALKEY_URL !== null)('an instance that loses Valkey', () => {
  it('refuses what it cannot count, says why, and heals by itself', async () => {
    expect(await statusOf('/readyz')).toBe(200);
    line?.cut();
    await expect.poll(() => statusOf(LABELS)).toBe(503);
    const refused = await ask(LABELS);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toEqual({
      code: 503,
      message: 'Requests cannot be counted at the moment; try again in a second',
    });
    const ready = await ask('/readyz');
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      ready: false,
      parts: { valkey: expect.stringMatching(/^Valkey does not answer: /), database: 'ok' },
    });
    const page = await metrics();
    expect(page).toContain('sluice_part_up{part="valkey"} 0');
    expect(page).toMatch(/^sluice_limiter_uncounted_total\{outcome="refused"\} [1-9]/m);
    await line?.restore();
    await expect.poll(() => statusOf(LABELS)).toBe(200);
    expect(await statusOf('/readyz')).toBe(200);
    expect(await metrics()).toContain('sluice_part_up{part="valkey"} 1');
  });
});

const RULES = `
groups:
  - name: own
    rules:
      - alert: PartLost
        expr: sluice_part_up{part="rpc"} == 0
        labels: { severity: critical }
        annotations: { summary: "{{ $labels.part }} is lost at {{ $labels.instance }}" }
`;
const LABELS = '/swap/v2/program-id-to-label';
const root = fileURLToPath(new URL('../..', import.meta.url));

async function setUp(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'sluice-operation-'));
  line = TEST_VALKEY_URL === null ? null : await openLine();
  traces = '';
  receiver = createServer(async (request, response) => {
    for await (const chunk of request) traces += chunk;
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  writeFileSync(join(folder, 'alerts.yml'), RULES);
  const flags = [
    ...FREE_PORTS,
    '--metrics-address=127.0.0.1:0',
    '--landing-address=127.0.0.1:0',
    '--limits=fail-closed',
    '--alerts-file=alerts.yml',
    `--otlp-endpoint=http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
    ...(line === null ? [] : [`--valkey-url=${line.url}`]),
  ];
  instance = startOwnInstance({
    reason: 'loses its Valkey, sends traces, and has alerts of its own',
    flags,
    folder,
  });
  banner = await instance.ready();
}

async function tearDown(): Promise<void> {
  await instance?.stop();
  await line?.close();
  receiver?.closeAllConnections();
  receiver?.close();
  rmSync(folder, { recursive: true, force: true });
}

const key = () => bannerValue(banner, 'API key');

function ask(path: string): Promise<Response> {
  return fetch(`${bannerValue(banner, 'REST')}${path}`, { headers: { 'x-api-key': key() } });
}

async function admin(method: string, path: string, body?: object) {
  const answer = await fetch(`${new URL(bannerValue(banner, 'Admin')).origin}/admin/v1/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${readFileSync(join(folder, '.sluice', 'operator-credential'), 'utf8').trim()}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.status).toBeLessThan(300);
  return answer.status === 204 ? null : answer.json();
}

async function readAlert() {
  return ((await admin('GET', 'alerts')) as { alerts: object[] }).alerts[0];
}

async function metrics(): Promise<string> {
  return (await fetch(bannerValue(banner, 'Metrics'))).text();
}

async function statusOf(path: string): Promise<number> {
  const response = await ask(path);
  await response.arrayBuffer();
  return response.status;
}

/** Waits until requests are counted: a machine that is slow for a second is a Valkey that does not answer, and is refused. */
function waitUntilCounting(): Promise<void> {
  return expect.poll(() => statusOf(LABELS)).toBe(200);
}
