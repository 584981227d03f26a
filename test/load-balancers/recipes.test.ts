import { once } from 'node:events';
import { Client, type ClientDuplexStream, credentials } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { TEST_CERTIFICATES } from '../../src/testing/gateway/certificates.ts';
import { isTested, openProxy, PROXY_NAMES, type TestProxy } from './proxy.ts';
import { ECHO, StandIn } from './stand-in.ts';

describe.each(PROXY_NAMES)('the recipe for %s', (name) => {
  describe.runIf(isTested(name))(`before two instances (skipped without ${name})`, () => {
    let one: StandIn;
    let two: StandIn;
    let proxy: TestProxy;
    beforeAll(setUp);
    afterEach(heal);
    afterAll(tearDown);

    it('repeats a read or a quote at the other instance when a connection breaks', async () => {
      one.breaks = true;
      for (let index = 0; index < 6; index++)
        expect(await ask('/swap/v1/quote')).toMatchObject({ status: 200, by: 'two' });
      expect(one.count('/swap/v1/quote')).toBeGreaterThan(0);
    });

    it.each([
      ['POST', '/swap/v2/execute'],
      ['POST', '/tx/v1/submit'],
      ['GET', '/swap/v2/order'],
      ['GET', '/ultra/v1/order'],
      ['GET', '/tokens/v2/verify/express/craft-txn'],
    ])('sends no %s %s twice', async (method, path) => {
      one.breaks = true;
      two.breaks = true;
      const body = method === 'POST' ? { body: '{}' } : {};
      const { status } = await ask(path, { method, ...body }).catch(() => ({ status: 0 }));
      // HAProxy hangs up instead, if the client's connection was used before.
      expect(name === 'haproxy' ? [0, 502] : [502]).toContain(status);
      expect(one.count(path) + two.count(path)).toBe(1);
    });

    it('sends an execution to the other instance when one refuses connections', async () => {
      await one.refuse();
      for (let index = 0; index < 6; index++) {
        const answer = await ask('/swap/v2/execute', { method: 'POST', body: '{}' });
        expect(answer).toMatchObject({ status: 200, by: 'two' });
      }
      await one.listen();
    });

    // nginx cannot tell a refused connection from a broken one, and asks nothing of an instance that drains.
    const itUnlessNginx = name === 'nginx' ? () => undefined : it;

    itUnlessNginx('sends an order to the other instance when one refuses connections', async () => {
      await one.refuse();
      for (let index = 0; index < 6; index++)
        expect(await ask('/swap/v2/order')).toMatchObject({ status: 200, by: 'two' });
      await one.listen();
    });

    it('hands a 503 of one product on, and leaves the instance in', async () => {
      one.refused = '/swap/v2/build';
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask('/swap/v2/build')));
      expect(
        answers
          .filter(({ status }) => status === 503)
          .every(({ by, retryAfter }) => by === 'one' && retryAfter === '7'),
      ).toBe(true);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
      const others = await Promise.all(Array.from({ length: 20 }, () => ask('/price/v3')));
      expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
      expect(others.filter(({ by }) => by === 'one').length).toBeGreaterThan(4);
    });

    itUnlessNginx('sends nothing more to an instance that drains, and lets it finish', async () => {
      const held = [ask('/held'), ask('/held'), ask('/held'), ask('/held')];
      await expect.poll(() => one.count('/held') + two.count('/held')).toBe(4);
      expect(one.count('/held')).toBeGreaterThan(0);
      one.isReady = false;
      const served = async () =>
        (await Promise.all(Array.from({ length: 10 }, () => ask('/price/v3')))).map(({ by }) => by);
      await expect.poll(served).not.toContain('one');
      one.release();
      two.release();
      for (const answer of await Promise.all(held)) expect(answer.status).toBe(200);
    });

    it('names the address of the client, and not the one that it claims', async () => {
      const answer = await ask('/price/v3', { headers: { 'x-forwarded-for': '203.0.113.9' } });
      expect(answer.forwardedFor).toMatch(/^(127\.0\.0\.1|::1)$/);
    });

    it('hands on bodies and request lines that are longer than Sluice accepts', async () => {
      const body = 'x'.repeat(100_000);
      expect(await ask('/tx/v1', { method: 'POST', body })).toMatchObject({ status: 200, length: 100_000 });
      expect(await ask(`/price/v3?ids=${'x'.repeat(24_000)}`)).toMatchObject({ status: 200, line: 24_014 });
    });

    it('hands on the events of a stream as they come', async () => {
      const answer = await proxy.fetch('/stream');
      const reader = answer.body?.getReader();
      const next = async () => new TextDecoder().decode((await reader?.read())?.value as Uint8Array);
      expect(await next()).toBe('data: first\n\n');
      one.release();
      two.release();
      expect(await next()).toBe('data: last\n\n');
    });

    it('keeps all streams of a maker at one instance', async () => {
      const ca = Buffer.from(TEST_CERTIFICATES[0].certificate);
      const channel = proxy.endsGrpcTls ? credentials.createSsl(ca) : credentials.createInsecure();
      const maker = new Client(`localhost:${proxy.grpcPort}`, channel);
      const { path, requestSerialize, responseDeserialize } = ECHO.echo;
      const streams = Array.from({ length: 6 }, () =>
        maker.makeBidiStreamRequest(path, requestSerialize, responseDeserialize),
      );
      const names: string[] = [];
      for (const stream of [...streams, ...streams]) names.push(await say(stream, 'book'));
      expect(new Set(names).size).toBe(1);
      expect(names[0]).toMatch(/^(one|two):book$/);
      for (const stream of streams) stream.cancel();
      maker.close();
    });

    async function setUp(): Promise<void> {
      one = await new StandIn('one').open();
      two = await new StandIn('two').open();
      proxy = await openProxy(name, [one.ports, two.ports]);
      await heal();
    }

    /** Lets both instances work, and waits until both get requests. */
    async function heal(): Promise<void> {
      await one.listen();
      for (const instance of [one, two])
        Object.assign(instance, { breaks: false, isReady: true, refused: '' });
      const served = async () =>
        new Set(
          (await Promise.all(Array.from({ length: 10 }, () => ask('/healthz')))).map(
            ({ status, by }) => `${status} ${by}`,
          ),
        );
      await vi.waitFor(async () => expect(await served()).toEqual(new Set(['200 one', '200 two'])));
    }

    async function tearDown(): Promise<void> {
      await proxy?.close();
      await Promise.all([one?.close(), two?.close()]);
    }

    async function ask(path: string, init: Parameters<TestProxy['fetch']>[1] = {}) {
      const response = await proxy.fetch(path, init);
      const text = await response.text();
      const body = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
      return {
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        by: body.by,
        forwardedFor: body.forwardedFor,
        length: body.length,
        line: body.line,
      };
    }
  });
});

async function say(stream: ClientDuplexStream<Buffer, Buffer>, text: string): Promise<string> {
  stream.on('error', () => undefined);
  stream.write(Buffer.from(text));
  const [message] = (await once(stream, 'data')) as [Buffer];
  return String(message);
}
