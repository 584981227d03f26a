import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import fastify from 'fastify';
import { listen } from '../src/gateway/http/listen.ts';
import { type Answer, answersOf, timesOf } from './answers.ts';
import { quantileOf } from './latency.ts';
import { MEASURED_PATH, openLimitedGateway } from './limited-gateway.ts';
import { publishedBooksRow } from './published-books.ts';
import type { Row } from './row.ts';
import { startValkey } from './valkey.ts';

export const title = 'Several instances';

const ADDED = 'latency that the whole pipeline adds with Valkey, one request at a time: p50 / p99';
const OVER = 'three instances, 20,000 requests in bursts: admitted over the limit in any 60 s';

export async function run(): Promise<readonly Row[]> {
  const valkey = await startValkey();
  if (valkey === null) {
    const rows = [ADDED, OVER].map((what) => ({
      what,
      measured: 'not measured: no valkey-server or redis-server',
    }));
    return [...rows, publishedBooksRow()];
  }
  try {
    return [await addedRow(valkey.url), await overRow(valkey.url), publishedBooksRow()];
  } finally {
    await valkey.stop();
  }
}

const WARM_UP = 2_000;
const REQUESTS = 5_000;
const ROUNDS = 4;
const MAX_MS = { p50: 0.4, p99: 2 };

/** Alternates the same route and body through the gateway, with its counts in Valkey, and through bare Fastify. */
async function addedRow(valkeyUrl: string): Promise<Row> {
  const gateway = await openLimitedGateway(valkeyUrl, {
    main: 1_000_000,
    execute: 1_000_000,
    submit: 1_000_000,
  });
  const bare = fastify();
  bare.get(MEASURED_PATH, async () => ({ inAmount: '100000000', outAmount: '14512345', slippageBps: 50 }));
  const urls = [gateway.url, await listen(bare, { host: '127.0.0.1', port: 0, setting: 'rest-port' })];
  try {
    const times: number[][] = urls.map(() => []);
    for (const url of urls) await timesOf(`${url}${MEASURED_PATH}`, 'bench', WARM_UP, 1);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, url] of urls.entries()) {
        times[index]?.push(...(await timesOf(`${url}${MEASURED_PATH}`, 'bench', REQUESTS, 1)));
      }
    }
    const [counted = [], uncounted = []] = times.map((each) => each.sort((one, other) => one - other));
    const p50 = quantileOf(counted, 0.5) - quantileOf(uncounted, 0.5);
    const p99 = quantileOf(counted, 0.99) - quantileOf(uncounted, 0.99);
    return {
      what: ADDED,
      measured: `${p50.toFixed(2)} ms / ${p99.toFixed(2)} ms`,
      against: 'bare Fastify',
      atLeast: `at most ${MAX_MS.p50} ms / ${MAX_MS.p99} ms`,
      ok: p50 <= MAX_MS.p50 && p99 <= MAX_MS.p99,
    };
  } finally {
    await gateway.close();
    await bare.close();
  }
}

const INSTANCES = 3;
const ORGANISATIONS = 10;
const LIMIT = 900;
/** Milliseconds. The last four bursts come when the first ones leave the window. */
const BURSTS_AT = [0, 1_000, 2_000, 3_000, 60_500, 61_500, 62_500, 63_500];
const BURST = 250;
const CONNECTIONS = 8;
const WINDOW_MS = 60_000;

async function overRow(valkeyUrl: string): Promise<Row> {
  const processes = Array.from({ length: INSTANCES }, () => startInstance(valkeyUrl));
  try {
    const urls = await Promise.all(processes.map(urlOf));
    const begin = performance.now();
    const admitted = new Map<string, Answer[]>();
    let total = 0;
    for (const at of BURSTS_AT) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(at - (performance.now() - begin), 0)));
      const bursts = Array.from({ length: ORGANISATIONS }, async (_, organisation) => {
        const key = `organisation-${organisation}`;
        const parts = await Promise.all(
          urls.map((url, index) => answersOf(`${url}${MEASURED_PATH}`, key, shareOf(index), CONNECTIONS)),
        );
        const answers = parts.flat();
        total += answers.length;
        const passed = answers.filter(({ status }) => status === 200);
        admitted.set(key, [...(admitted.get(key) ?? []), ...passed]);
      });
      await Promise.all(bursts);
    }
    const over = [...admitted.values()].map((answers) => mostInAnyWindow(answers) - LIMIT);
    const worst = Math.max(...over, 0);
    const passed = [...admitted.values()].reduce((sum, answers) => sum + answers.length, 0);
    return {
      what: OVER,
      measured: `${worst}; ${passed.toLocaleString('en')} of ${total.toLocaleString('en')} admitted`,
      against: `the limit of ${LIMIT} of each of ${ORGANISATIONS} organisations`,
      atLeast: '0',
      ok: worst === 0,
    };
  } finally {
    for (const child of processes) child.kill();
  }
}

function shareOf(index: number): number {
  return Math.floor(BURST / INSTANCES) + (index < BURST % INSTANCES ? 1 : 0);
}

/**
 * Counts answers that were certainly given within 60 seconds: requested after the first one was, and received before
 * the end.
 */
function mostInAnyWindow(answers: readonly Answer[]): number {
  return Math.max(
    ...answers.map(
      ({ sentAt: from }) =>
        answers.filter(({ sentAt, endedAt }) => sentAt >= from && endedAt < from + WINDOW_MS).length,
    ),
    0,
  );
}

function startInstance(valkeyUrl: string): ChildProcess {
  const file = fileURLToPath(new URL('limited-gateway.ts', import.meta.url));
  return spawn(process.execPath, ['--import', 'tsx', file, valkeyUrl, String(LIMIT)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function urlOf({ stdout }: ChildProcess): Promise<string> {
  const [text] = (await once(stdout ?? process.stdin, 'data')) as [Buffer];
  return text.toString().trim();
}
