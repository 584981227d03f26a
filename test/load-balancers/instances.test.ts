import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Deployment } from '../e2e/deployment.ts';
import { withSlotsOf } from '../e2e/instance.ts';
import { HAS_SERVERS } from '../e2e/servers.ts';
import { isTested, openProxy, PROXY_NAMES, type TestProxy } from './proxy.ts';
import { SALE, Taker } from './taker.ts';

describe.each(PROXY_NAMES)('two instances behind %s', (name) => {
  describe.runIf(HAS_SERVERS && isTested(name))(`while one ends (skipped without ${name})`, () => {
    let deployment: Deployment;
    let proxy: TestProxy;
    let taker: Taker;
    beforeAll(setUp);
    afterAll(tearDown);

    it.each([
      ['is killed', 'SIGKILL'],
      ['is told to stop', 'SIGTERM'],
    ] as const)('and %s, answer every read, and fill every order once', async (_, signal) => {
      const reading = keepReading();
      const swapping = taker.swapUntil(() => reading.isEnding());
      await vi.waitFor(() => expect(reading.count()).toBeGreaterThan(20));
      deployment.instance(1).kill(signal);
      await deployment.instance(1).ended();
      await further(reading);
      await deployment.start(1);
      await further(reading);
      expect(await reading.end()).toEqual(new Set([200]));
      const signatures = await swapping;
      expect(signatures.length).toBeGreaterThan(1);
      await taker.requireExactly(signatures);
    });

    async function setUp(): Promise<void> {
      const [slots, ...lives] = withSlotsOf(100);
      deployment = await Deployment.open('two instances', {
        reason: 'ends behind a load balancer',
        flags: [...lives, '--trusted-proxy=127.0.0.1', '--stop-delay-ms=4000'],
        networkFlags: [slots, '--demo-maker=true'],
      });
      proxy = await openProxy(name, [
        { rest: portOf(0), grpc: 1 },
        { rest: portOf(1), grpc: 1 },
      ]);
      taker = await new Taker(deployment, proxy.fetch).open();
    }

    async function tearDown(): Promise<void> {
      await proxy?.close();
      await deployment?.close();
    }

    function portOf(index: number): number {
      return Number(new URL(deployment.shown('REST', index)).port);
    }

    /** Reads quotes without a pause, and keeps the statuses of the answers. */
    function keepReading() {
      const statuses = new Set<number>();
      let count = 0;
      let isEnding = false;
      const headers = { 'x-api-key': deployment.shown('API key') };
      const read = async () => {
        while (!isEnding) {
          const response = await proxy.fetch(`/swap/v1/quote?${new URLSearchParams(SALE)}`, { headers });
          await response.text();
          statuses.add(response.status);
          count++;
        }
      };
      const running = [read(), read()];
      return {
        isEnding: () => isEnding,
        count: () => count,
        end: async () => {
          isEnding = true;
          await Promise.all(running);
          return statuses;
        },
      };
    }

    async function further(reading: { readonly count: () => number }): Promise<void> {
      const before = reading.count();
      await vi.waitFor(() => expect(reading.count()).toBeGreaterThan(before + 20));
    }
  });
});
