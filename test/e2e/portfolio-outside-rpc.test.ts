import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RpcProxy } from '../rpc-proxy.ts';
import { bannerValue, FREE_PORTS, type Instance } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';
import { useInstance } from './shared-instance.ts';

/** It carries the network. */
const network = useInstance();
let follower: Instance;
let proxy: RpcProxy;
let own: string;
let outside: string;
let wallet: string;
/** The reads for wallets so far; what the instance follows is read at `processed`. */
let reads: string[] = [];
beforeAll(setUp);
afterAll(tearDown);

describe('the portfolio over an outside RPC', () => {
  it('shows the positions that the network itself shows, with few calls', async () => {
    reads = [];
    const over = await positionsAt(outside);
    const calls = reads;
    const expected = await positionsAt(own);
    expect(over.status).toBe(200);
    // Positions that few wallets have are searched for only if the request names their platform.
    const failed = over.body.fetcherReports.filter(({ status }) => status !== 'succeeded');
    expect(failed.filter(({ error }) => !error?.startsWith('Not searched: few wallets have'))).toEqual([]);
    const notSearched = new Set(failed.map(({ id }) => id));
    const searched = ({ elements }: Positions) =>
      elements.filter(({ fetcherId }) => !notSearched.has(fetcherId));
    expect(shown(over.body)).toEqual(shown({ ...expected.body, elements: searched(expected.body) }));
    const total = (elements: Positions['elements']) => elements.reduce((sum, { value }) => sum + value, 0);
    const isCollectible = ({ fetcherId }: Positions['elements'][number]) =>
      fetcherId === 'wallet-nfts-solana';
    const others = (body: Positions) => searched(body).filter((element) => !isCollectible(element));
    // Interest and the prices of pools move between the two answers.
    expect(total(others(over.body)) / total(others(expected.body))).toBeCloseTo(1, 3);
    // Only the embedded network itself knows the floor prices of its collections.
    expect(total(over.body.elements.filter(isCollectible))).toBe(0);
    expect(total(expected.body.elements.filter(isCollectible))).toBeGreaterThan(0);
    expect(new Set(Object.keys(over.body.tokenInfo.solana))).toEqual(
      new Set(Object.keys(expected.body.tokenInfo.solana)),
    );
    expect(calls.length, calls.join(' ')).toBeLessThanOrEqual(MAX_CALLS);
  });

  it('searches for positions that few wallets have if their platform is named', async () => {
    const query = '?platforms=jupiter-exchange,jupiter-jupuary';
    const over = await positionsAt(outside, wallet, query);
    expect(over.body.fetcherReports.filter(({ status }) => status !== 'succeeded')).toEqual([]);
    expect(shown(over.body)).toEqual(shown((await positionsAt(own, wallet, query)).body));
    const fetchers = over.body.elements.map(({ fetcherId }) => fetcherId);
    for (const kind of ['jupiter-exchange-limit-v1', 'jupiter-exchange-value-average'])
      expect(fetchers).toContain(kind);
    expect(fetchers).toContain('jupiter-jupuary-airdrops');
  });

  it('says the slots that it read at', async () => {
    const { slots } = await positionsAt(outside);
    const [oldest, newest = oldest] = (slots ?? '').split('-').map(Number);
    expect(oldest).toBeGreaterThan(0);
    expect(newest).toBeGreaterThanOrEqual(oldest ?? Number.NaN);
    // The reads of an answer follow each other at once.
    expect((newest ?? 0) - (oldest ?? 0)).toBeLessThan(150);
  });

  it('reports the fetchers whose search the RPC refuses, and shows everything else', async () => {
    proxy.onCall = (method) =>
      method === 'getProgramAccounts'
        ? {
            kind: 'answer',
            status: 200,
            body: JSON.stringify({
              jsonrpc: '2.0',
              id: 1,
              error: { code: -32010, message: 'excluded from account secondary indexes' },
            }),
          }
        : { kind: 'pass' };
    const { status, body } = await positionsAt(outside, wallet, '?hideSpam=true');
    expect(status).toBe(200);
    const failed = body.fetcherReports.filter((report) => report.status === 'failed');
    expect(failed.map(({ id }) => id)).toContain('native-stake-solana');
    for (const { error } of failed)
      expect(error).toMatch(
        /^Positions cannot be read: the RPC refuses getProgramAccounts of |^Not searched/,
      );
    const fetchers = new Set(body.elements.map(({ fetcherId }) => fetcherId));
    // What an instance follows is found without a search.
    for (const id of [
      'wallet-tokens-solana',
      'raydium-cpmm',
      'saber-pools',
      'orca-whirlpools',
      'jupiter-exchange-lend-vaults',
    ])
      expect(fetchers).toContain(id);
    proxy.onCall = () => ({ kind: 'pass' });
  });
});

const OWN_PORTS = FREE_PORTS.filter((flag) => !/^--(rpc|ws)-port/.test(flag));
/**
 * The calls that a wallet takes are twelve. Where the machine is slow, answers that arrive late begin a round of their own.
 */
const MAX_CALLS = 16;

interface Positions {
  readonly owner: string;
  readonly fetcherReports: readonly {
    readonly id: string;
    readonly status: string;
    readonly error?: string;
  }[];
  readonly elements: readonly {
    readonly type: string;
    readonly fetcherId: string;
    readonly name?: string;
    readonly value: number;
  }[];
  readonly tokenInfo: { readonly solana: Readonly<Record<string, unknown>> };
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-portfolio-'));

async function setUp(): Promise<void> {
  own = network.restUrl;
  wallet = network.shown('Demo wallet');
  proxy = await RpcProxy.start({ rpcUrl: network.rpcUrl, wsUrl: network.shown('Solana WebSocket') });
  proxy.onCall = (method, params) => {
    if (JSON.stringify(params).includes('"confirmed"') && /Accounts/.test(method)) reads.push(method);
    return { kind: 'pass' };
  };
  const at = [`--rpc-url=${proxy.rpcUrl}`, `--rpc-ws-url=${proxy.wsUrl}`, '--rpc-poll-ms=100'];
  const flags = ['--production', ...at, ...OWN_PORTS];
  follower = startOwnInstance({ reason: 'runs over the RPC of another', flags, folder });
  outside = bannerValue(await follower.ready(), 'REST');
}

async function tearDown(): Promise<void> {
  await follower?.stop();
  await proxy?.close();
  rmSync(folder, { recursive: true, force: true });
}

async function positionsAt(rest: string, address = wallet, query = '') {
  const answer = await fetch(`${rest}/portfolio/v1/positions/${address}${query}`);
  return {
    status: answer.status,
    slots: answer.headers.get('x-sluice-slots'),
    body: (await answer.json()) as Positions,
  };
}

const shown = ({ elements }: Positions) =>
  elements.map(({ type, fetcherId, name }) => [type, fetcherId, name]).sort();
