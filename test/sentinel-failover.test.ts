import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openSentinelServers,
  type SentinelServers,
  VALKEY_PROGRAM,
} from '../src/testing/store/sentinel-servers.ts';
import { Deployment } from './e2e/deployment.ts';
import { withSlotsOf } from './e2e/instance.ts';
import { HAS_SERVERS } from './e2e/servers.ts';
import { Taker } from './load-balancers/taker.ts';

const IS_TESTED = process.env.SLUICE_TEST_LONG === '1' && HAS_SERVERS && VALKEY_PROGRAM !== null;

describe.runIf(IS_TESTED)('two instances on Valkey with sentinels', () => {
  let servers: SentinelServers;
  let deployment: Deployment;
  let taker: Taker;
  beforeAll(setUp);
  afterAll(tearDown);

  it.each(['stops answering', 'is killed'] as const)(
    'fill every order once while the master %s',
    async (fault) => {
      let isOver = false;
      const swapping = taker.swapUntil(() => isOver);
      const master = await servers.masterPort();
      if (fault === 'is killed') await servers.kill(master);
      else servers.pause(master, true);
      await expect.poll(() => servers.masterPort()).not.toBe(master);
      for (const index of [0, 1]) await expect.poll(() => partsOf(index)).toMatchObject({ valkey: 'ok' });
      // A former master that comes back is no master for anybody.
      if (fault !== 'is killed') servers.pause(master, false);
      const swapsAfter = await taker.swapUntil(createCountdown(3));
      isOver = true;
      const signatures = [...(await swapping), ...swapsAfter];
      await taker.requireExactly(signatures);
    },
  );

  async function setUp(): Promise<void> {
    servers = await openSentinelServers({ replicas: 2, sentinels: 3 });
    const [slots, ...lives] = withSlotsOf(100);
    deployment = await Deployment.open('two instances', {
      reason: 'loses the master of its Valkey',
      flags: lives,
      networkFlags: [slots, '--demo-maker=true'],
      environment: { SLUICE_VALKEY_URL: servers.url, SLUICE_VALKEY_SENTINEL: servers.sentinels.join(',') },
    });
    taker = await new Taker(deployment, (path, init) => fetch(`${deployment.rest()}${path}`, init)).open();
  }

  async function tearDown(): Promise<void> {
    await deployment?.close();
    await servers?.close();
  }

  async function partsOf(index: number): Promise<unknown> {
    const response = await fetch(`${deployment.shown('REST', index)}/readyz`);
    return ((await response.json()) as { readonly parts: unknown }).parts;
  }
});

/** Returns a function that is true from its call after so many on. */
function createCountdown(calls: number): () => boolean {
  let left = calls;
  return () => left-- <= 0;
}
