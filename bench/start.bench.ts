import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bannerValue, FREE_PORTS, Instance } from '../test/e2e/instance.ts';
import { latencyRow } from './latency.ts';
import type { Row } from './row.ts';

export const title = 'Start and first swap';

const WARM_UP = 300;
const REQUESTS = 2_000;

/** The program as users run it, bundled, in a process of its own; requests come over one connection. */
export async function run(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  try {
    const first = await started(folder);
    await stopped(first.instance);
    const later = await started(folder);
    const megabytes = residentMegabytes(later.instance.pid);
    const times = await buildLatencies(later.banner);
    await stopped(later.instance);
    return [
      startRow('the first time', first.milliseconds, 6),
      startRow('later', later.milliseconds, 3),
      {
        what: 'memory of the whole process after start',
        measured: `${Math.round(megabytes)} MB`,
        atLeast: 'at most 350 MB',
        ok: megabytes <= 350,
      },
      latencyRow('`/swap/v2/build`, direct pool, one request at a time', times, 3, 8),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Started {
  readonly instance: Instance;
  readonly banner: string;
  readonly milliseconds: number;
}

async function started(folder: string): Promise<Started> {
  const begin = performance.now();
  const instance = new Instance(['start', ...FREE_PORTS, '--log-level=warn'], folder);
  const banner = await instance.ready();
  return { instance, banner, milliseconds: performance.now() - begin };
}

async function stopped(instance: Instance): Promise<void> {
  instance.kill('SIGTERM');
  await instance.ended();
}

function startRow(which: string, milliseconds: number, seconds: number): Row {
  return {
    what: `ready after start, ${which}`,
    measured: `${(milliseconds / 1_000).toFixed(2)} s`,
    atLeast: `at most ${seconds} s`,
    ok: milliseconds <= seconds * 1_000,
  };
}

function residentMegabytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1_024;
}

/** Amounts differ from request to request, so that no answer can come from a cache. */
async function buildLatencies(banner: string): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const query = new URLSearchParams({
    inputMint: 'So11111111111111111111111111111111111111112',
    outputMint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    taker: bannerValue(banner, 'Demo wallet'),
  });
  // A caller without a key may not send this many.
  const apiKey = bannerValue(banner, 'API key');
  const times: number[] = [];
  for (let index = 0; index < WARM_UP + REQUESTS; index++) {
    query.set('amount', String(100_000_000 + index));
    const begin = performance.now();
    await get(`${bannerValue(banner, 'REST')}/swap/v2/build?${query}`, apiKey, agent);
    if (index >= WARM_UP) times.push(performance.now() - begin);
  }
  agent.destroy();
  return times.sort((one, other) => one - other);
}

function get(url: string, apiKey: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { 'x-api-key': apiKey } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.resume().on('end', resolve);
    });
    sent.on('error', reject).end();
  });
}
