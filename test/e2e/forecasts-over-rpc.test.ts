import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { getGenesisFeed } from '../../src/protocol/genesis/price-feeds.ts';
import { parseKeypairFile } from '../../src/solana/keypair.ts';
import { addSignatures, parseTransaction } from '../../src/solana/messages/transaction.ts';
import { openFolder } from '../../src/testing/test-folder.ts';
import { openEvenRound } from './forecast-round.ts';
import { bannerValue, FREE_PORTS, type Instance } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';
import { useInstance } from './shared-instance.ts';

// Forecasts of a network that another instance carries, which opens their rounds and settles them.

const network = useInstance();
const folder = openFolder('forecasts-outside');
const otherFolder = openFolder('forecasts-refused');
const instances: Instance[] = [];
let rest: string;
let apiKey = '';
beforeAll(setUp);
afterAll(() => Promise.all(instances.map((each) => each.stop())));

describe('an instance over the RPC of another, with a feed of forecasts', () => {
  it('lists the rounds that the other opens, with their prices', async () => {
    const path = '/prediction/v1/events?provider=bisonfi&includeMarkets=true';
    await vi.waitFor(async () => {
      const { body } = await fetchJson(`${rest}${path}`);
      expect(body.data).not.toEqual([]);
    }, WAIT);
    const { body } = await fetchJson(`${rest}${path}`);
    const [own] = (await network.ask(path)).json.data;
    const [event] = body.data;
    expect(event).toMatchObject({
      eventId: expect.stringMatching(/^BISON-/),
      category: 'crypto',
      subcategory: 'btc',
      markets: [{ marketId: `${event.eventId}-UP` }, { marketId: `${event.eventId}-DOWN` }],
    });
    expect(Object.keys(event)).toEqual(Object.keys(own));
  });

  it('sells their tokens, and shows them as a position', async () => {
    const wallet = parseKeypairFile(readFileSync(network.walletFile, 'utf8'));
    const [up] = (await openEvenRound(network)).markets;
    const marketId = up?.marketId;
    await vi.waitFor(async () => {
      const { body } = await fetchJson(`${rest}/prediction/v1/markets/${marketId}`);
      expect(body.pricing).toEqual(up?.pricing);
    }, WAIT);
    const order = { ownerPubkey: wallet.address, marketId, isBuy: true, depositAmount: '5000000' };
    const { body: built } = await fetchJson(`${rest}/prediction/v1/orders`, toPost(order));
    expect(built, JSON.stringify(built)).toMatchObject({ executionModel: 'atomic_swap' });
    const unsigned = parseTransaction(Buffer.from(built.transaction, 'base64'));
    const signedTransaction = Buffer.from(addSignatures(unsigned, [wallet])).toString('base64');
    const { body: executed } = await fetchJson(
      `${rest}/prediction/v1/execute`,
      toPost({ signedTransaction, context: built.execution.context }),
    );
    expect(executed).toMatchObject({ status: 'Success', error: null });
    await vi.waitFor(async () => {
      const { body } = await fetchJson(`${rest}/prediction/v1/positions?ownerPubkey=${wallet.address}`);
      expect(body.data).toMatchObject([{ marketId, totalCostUsd: '5000000' }]);
    }, WAIT);
  });

  it('has no markets that orders trade', async () => {
    expect((await fetchJson(`${rest}/prediction/v1/events`)).body.data).toEqual([]);
  });

  it('says that it follows them', async () => {
    const { status, body } = await fetchJson(`${rest}/readyz`);
    expect({ status, parts: body.parts }).toMatchObject({ status: 200, parts: { forecasts: 'ok' } });
  });
});

describe('an instance that cannot serve forecasts', () => {
  it('serves none over an RPC without a feed', async () => {
    const outside = startOutside(otherFolder);
    const origin = bannerValue(await outside.ready(), 'REST');
    expect((await fetchJson(`${origin}/readyz`)).body.parts).not.toHaveProperty('forecasts');
    expect((await fetchJson(`${origin}/prediction/v1/events`)).status).not.toBe(200);
    await outside.stop();
  });

  it('does not start with a feed that has no rounds', async () => {
    const { code, error } = await startOutside(otherFolder, `--forecast-feed=${SOL}`).ended();
    expect(error).toContain(
      `the network of rpc-url cannot serve the forecasts of forecast-feed: it has no forecasts on the feed ${SOL}`,
    );
    expect(code).toBe(1);
  });

  it('does not start with a feed on its own network', async () => {
    const flags = [...FREE_PORTS, `--forecast-feed=${BTC}`];
    const own = startOwnInstance({ reason: 'does not start', flags, folder: otherFolder });
    instances.push(own);
    const { code, error } = await own.ended();
    expect(error).toContain('only together with rpc-url');
    expect(code).toBe(2);
  });
});

const WAIT = { interval: 200 };

async function setUp(): Promise<void> {
  const banner = await startOutside(folder, `--forecast-feed=${BTC}`).ready();
  [rest, apiKey] = [bannerValue(banner, 'REST'), bannerValue(banner, 'API key')];
}

function startOutside(home: string, ...flags: readonly string[]): Instance {
  const at = [`--rpc-url=${network.rpcUrl}`, `--rpc-ws-url=${network.shown('Solana WebSocket')}`];
  const all = [...at, '--rpc-poll-ms=100', ...OWN_PORTS, ...flags];
  const outside = startOwnInstance({ reason: 'runs over the RPC of another', flags: all, folder: home });
  instances.push(outside);
  return outside;
}

function toPost(body: object): RequestInit {
  return { method: 'POST', body: JSON.stringify(body) };
}

async function fetchJson(url: string, init: RequestInit = {}) {
  // The key is that of the instance with forecasts.
  const headers = new Headers(init.body === undefined ? {} : { 'content-type': 'application/json' });
  if (url.startsWith(rest)) headers.set('x-api-key', apiKey);
  const response = await fetch(url, { ...init, headers });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const BTC = getGenesisFeed('BTC').address;
const SOL = getGenesisFeed('SOL').address;
const OWN_PORTS = FREE_PORTS.filter((flag) => !/^--(rpc|ws)-port/.test(flag));
