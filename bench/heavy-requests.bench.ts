import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { DEFAULT_SEED, deriveGenesisKeys } from '../src/protocol/genesis/keys.ts';
import { TOKENS } from '../src/solana/known-tokens.ts';
import { PLANS } from '../src/platform/plans/plans.ts';
import { bannerValue, FREE_PORTS, Instance } from '../test/e2e/instance.ts';
import { HttpLoad } from './http-load.ts';
import { quantileOf } from './latency.ts';
import type { Row } from './row.ts';

export const title = 'Orders beside heavy requests';

/** The plan of the callers that send heavy requests. They send as many in a minute as it allows. */
const PLAN = 'developer';
const ALLOWED = PLANS[PLAN].main;
const EVERY_MS = 60_000 / ALLOWED;
const CONNECTIONS = 16;
/** How many of the candidates are the most expensive ones. */
const MOST_EXPENSIVE = 10;
const WARM_UP = 200;
/** Each candidate is asked so often when nothing else is. The first times compile it. */
const PROBES = 25;
/** Orders of which the median is taken, in each round when nothing else is asked for. */
const ORDERS = 100;
/** How long orders are measured beside heavy requests in each round. */
const ROUND_MS = 2_000;
const BURST_ORDERS = 60;
const PAUSE_MS = 8;
/** Each with a key of its own, so that none is above its limit. */
const ROUNDS = 3;
/** Orders after which all connections have heavy requests under way. */
const UNDER_WAY = 3;
const MAX_TIMES = 3;
const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

interface Heavy {
  readonly name: string;
  readonly path: string;
}

/** What may cost most: the longest lists of each product, for the wallet of the genesis with 2,000 token accounts. */
function candidates(demoWallet: string): readonly Heavy[] {
  const keys = deriveGenesisKeys(DEFAULT_SEED);
  const collector = keys.collector.address;
  const others = Object.values(keys).flatMap((each) => ('address' in each ? [each.address] : []));
  const users = [...new Set([collector, demoWallet, ...others, ...TOKENS.map(({ mint }) => mint)])];
  const fifty = users.slice(0, 50).join(',');
  const mints = TOKENS.map(({ mint }) => mint);
  const get = (name: string, query = '') => ({ name, path: `${name}${query}` });
  const ofWallet = (name: string, wallet: string) => ({ name, path: name.replace('{address}', wallet) });
  return [
    ofWallet('/ultra/v1/holdings/{address}', collector),
    ofWallet('/ultra/v1/balances/{address}', collector),
    ofWallet('/portfolio/v1/positions/{address}', collector),
    { ...ofWallet('/portfolio/v1/positions/{address}', demoWallet), name: 'positions of the demo wallet' },
    ofWallet('/portfolio/v1/staked-jup/{address}', demoWallet),
    get('/lend/v1/earn/positions', `?users=${fifty}`),
    get('/lend/v1/borrow/positions', `?users=${fifty}`),
    get('/lend/v1/borrow/vaults'),
    get('/price/v2', `?showExtraInfo=true&ids=${mints.slice(0, 10).join(',')}`),
    get('/price/v3', `?ids=${mints.slice(0, 50).join(',')}`),
    get('/price/v3/candles', `?mint=${SOL}&interval=1m`),
    get('/tokens/v2/search', `?query=${mints.slice(0, 100).join(',')}`),
    get('/tokens/v2/toporganicscore/24h', '?limit=100'),
    get('/tokens/v1/mints/tradable'),
    get('/tokens/v1/all'),
    get('/ultra/v1/shield', `?mints=${mints.slice(0, 100).join(',')}`),
    get('/swap/v1/quote', `?inputMint=${SOL}&outputMint=${USDC}&amount=900000000000`),
  ];
}

/** The program as users run it, bundled, in a process of its own; requests come from this one. */
export async function run(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const instance = new Instance(['start', ...FREE_PORTS, '--log-level=warn'], folder);
  try {
    const banner = await instance.ready();
    const rest = bannerValue(banner, 'REST');
    const heavy = await mostExpensive(
      rest,
      bannerValue(banner, 'API key'),
      bannerValue(banner, 'Demo wallet'),
    );
    const order = orderer(rest, bannerValue(banner, 'API key'), bannerValue(banner, 'Demo wallet'));
    await order.times((count) => count === WARM_UP);
    const rows: Row[] = [];
    const admin = bannerValue(banner, 'Admin');
    for (const [index, each] of heavy.entries()) {
      const newKeyOf = (round: number) => newKey(admin, folder, `heavy-${index}-${round}`);
      rows.push(await measure(rest, newKeyOf, each, order));
    }
    order.close();
    return rows;
  } finally {
    await instance.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Asks for each candidate alone, and returns those that took longest with their medians. */
async function mostExpensive(rest: string, key: string, demoWallet: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const timed: { readonly each: Heavy; readonly took: number }[] = [];
  for (const each of candidates(demoWallet)) {
    const times: number[] = [];
    for (let probe = 0; probe < PROBES; probe++) {
      const begin = performance.now();
      await ask(`${rest}${each.path}`, key, agent);
      times.push(performance.now() - begin);
    }
    timed.push({
      each,
      took: medianOf(times),
    });
  }
  agent.destroy();
  return timed.sort((one, other) => other.took - one.took).slice(0, MOST_EXPENSIVE);
}

type Orders = ReturnType<typeof orderer>;

/** Orders of the demo team, one after another. */
function orderer(rest: string, key: string, taker: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let amount = 100_000_000;
  return {
    /** Returns the milliseconds of orders until they are enough. */
    times: async (isEnough: (count: number) => boolean): Promise<readonly number[]> => {
      const times: number[] = [];
      while (!isEnough(times.length)) {
        const query = new URLSearchParams({
          inputMint: SOL,
          outputMint: USDC,
          amount: String(amount++),
          taker,
        });
        // The demo team may not send more than its plan allows.
        await pass(PAUSE_MS);
        const begin = performance.now();
        await ask(`${rest}/swap/v2/order?${query}`, key, agent);
        times.push(performance.now() - begin);
      }
      return times;
    },
    close: () => agent.destroy(),
  };
}

/** Compares orders beside the heavy request with orders when nothing else is asked for, in turns. */
async function measure(
  rest: string,
  newKeyOf: (round: number) => Promise<string>,
  { each, took }: { readonly each: Heavy; readonly took: number },
  order: Orders,
): Promise<Row> {
  const quiet: number[] = [];
  const beside: number[] = [];
  const burst: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const key = await newKeyOf(round);
    const heavy = (everyMs: number) => ({ rest, key, path: each.path, everyMs });
    quiet.push(...(await order.times((count) => count === ORDERS)));
    const end = performance.now() + ROUND_MS;
    beside.push(...(await ordersBeside(heavy(EVERY_MS), order, () => performance.now() > end)));
    burst.push(...(await ordersBeside(heavy(0), order, (count) => count === BURST_ORDERS)));
  }
  const [alone, atRate, atOnce] = [quiet, beside, burst].map(medianOf) as [number, number, number];
  const times = atRate / alone;
  return {
    what: `an order beside \`${each.name}\` (${took.toFixed(1)} ms by itself), ${60_000 / EVERY_MS} a minute: p50`,
    measured: `${atRate.toFixed(1)} ms, ${times.toFixed(1)} times; ${CONNECTIONS} at once without a pause: ${atOnce.toFixed(1)} ms`,
    against: `${alone.toFixed(1)} ms when nothing else is asked for`,
    atLeast: `at most ${MAX_TIMES} times`,
    ok: times <= MAX_TIMES,
  };
}

function medianOf(times: readonly number[]): number {
  return quantileOf(
    times.toSorted((one, other) => one - other),
    0.5,
  );
}

interface HeavyLoad {
  readonly rest: string;
  readonly key: string;
  readonly path: string;
  readonly everyMs: number;
}

/** The heavy requests come from another process, which reads their long answers without taking time from the orders. */
async function ordersBeside(
  { rest, key, path, everyMs }: HeavyLoad,
  order: Orders,
  isEnough: (count: number) => boolean,
): Promise<readonly number[]> {
  const load = new HttpLoad();
  const head = `GET ${path} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\n\r\n`;
  // The rounds of a key are within one minute.
  const requests = new Array<string>(Math.floor(ALLOWED / 2)).fill(head);
  let isOver = false;
  const sent = load
    .send({ port: Number(new URL(rest).port), connections: CONNECTIONS, requests, success: ' 200 ', everyMs })
    .finally(() => {
      isOver = true;
    });
  sent.catch(() => undefined);
  await order.times((count) => count === UNDER_WAY);
  const times = await order.times((count) => isOver || isEnough(count));
  load.close();
  // If one of the heavy requests was refused, this throws.
  if (isOver) await sent;
  return times;
}

async function newKey(admin: string, folder: string, slug: string): Promise<string> {
  const credential = readFileSync(join(folder, '.sluice', 'operator-credential'), 'utf8').trim();
  const post = async (path: string, body: object) => {
    const response = await fetch(`${new URL(admin).origin}/admin/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as { readonly key?: string };
  };
  await post('organisations', { slug, plan: PLAN });
  await post(`organisations/${slug}/teams`, { slug: 'team' });
  const { key } = await post(`organisations/${slug}/teams/team/keys`, { name: 'key' });
  if (key === undefined) throw new Error('the new key is not in its answer');
  return key;
}

/** Resolves when the answer has arrived completely. */
function ask(url: string, apiKey: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { 'x-api-key': apiKey } }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        if (response.statusCode !== 200) text += chunk;
      });
      response.on('end', () =>
        response.statusCode === 200
          ? resolve()
          : reject(new Error(`answered ${response.statusCode}: ${text}`)),
      );
      response.on('error', reject);
    });
    // The server may close a connection that waits for its next request just when that is sent.
    sent.on('error', (error) => (sent.reusedSocket ? resolve(ask(url, apiKey, agent)) : reject(error)));
    sent.end();
  });
}
