import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ALICE } from '../../src/testing/chain/bank.ts';
import { openSendEndpoint, type SendEndpoint } from '../../src/chain/rpc/send-endpoint.ts';
import { SYSTEM_TIMERS } from '../../src/common/ports/timers.ts';
import { type LandingWorld, openLandingWorld, rpcRequest, TIP, tipFrom } from './world.ts';

let world: LandingWorld;
let deaf: Server;
let endpoints: SendEndpoint[];
/** An endpoint that is the network itself, over HTTP, and one that takes connections and never answers. */
beforeAll(setUp);
afterAll(tearDown);

it('sends through every node over HTTP, and says which of those that answer showed it first', async () => {
  const { json } = await world.post('/tx/v1', rpcRequest(world.sign([tipFrom(ALICE, TIP)])));
  const report = async () => {
    const answer = await fetch(`${world.url}/tx/v1/reports/${json.result}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  await vi.waitFor(async () => expect((await report()).outcome).toBe('confirmed'), WAIT);
  const { sends, firstSeenBy } = await report();
  expect(Number(sends)).toBeGreaterThanOrEqual(3);
  expect(['rpc', 'send-2', null]).toContain(firstSeenBy);
});

const WAIT = { interval: 20 };

async function setUp(): Promise<void> {
  deaf = createServer(() => {}).listen(0, '127.0.0.1');
  await vi.waitFor(() => expect(deaf.address()).not.toBeNull());
  world = await openLandingWorld((chain) => {
    const { port } = deaf.address() as AddressInfo;
    const open = (name: string, url: string) =>
      openSendEndpoint(name, {
        url: new URL(url),
        callsPerSecond: 10_000,
        timers: SYSTEM_TIMERS,
        random: Math.random,
      });
    endpoints = [open('send-1', `http://127.0.0.1:${port}`), open('send-2', chain.rpcUrl)];
    return { sendEndpoints: endpoints };
  });
}

async function tearDown(): Promise<void> {
  for (const { close } of endpoints ?? []) close();
  deaf?.closeAllConnections();
  deaf?.close();
  await world?.close();
}
