import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Unavailable } from '../../common/unavailable.ts';
import { createSharedBroadcast, createSharedTransport } from './message-transport.ts';
import type { Valkey } from './valkey.ts';
import { openLine, openTestValkey, TEST_VALKEY_URL } from '../../testing/store/test-valkey.ts';
import { openForEach } from '../../testing/opened.ts';

describe.runIf(TEST_VALKEY_URL !== null)('transportOver and broadcastOver', () => {
  let opened: Valkey[];
  let received: string[];
  let namespace: string;
  const line = openForEach(openLine, 'close');
  beforeEach(setUp);
  afterEach(tearDown);

  it('deliver a message to its instance, and report when there is none', async () => {
    const [one, two] = transports();
    await one.receive((message) => received.push(`one: ${message}`));
    await two.receive((message) => received.push(`two: ${message}`));
    expect(await two.send('one', 'a')).toBe(true);
    expect(await one.send('two', 'b')).toBe(true);
    await expect.poll(() => received.toSorted()).toEqual(['one: a', 'two: b']);
    expect(await one.send('gone', 'c')).toBe(false);
  });

  it('deliver a broadcast to all instances', async () => {
    const [one, two] = opened.map((valkey) => createSharedBroadcast(valkey, 'all'));
    await one?.receive((message) => received.push(`one: ${message}`));
    await two?.receive((message) => received.push(`two: ${message}`));
    await one?.send('a');
    await expect.poll(() => received.toSorted()).toEqual(['one: a', 'two: a']);
    line.cut();
    await expect(one?.send('b')).rejects.toThrow(Unavailable);
  });

  it('reach an instance that has subscribed again while its dead connection still counts', async () => {
    let beat = () => {};
    const every = (_: number, work: () => void) => {
      beat = work;
      return () => undefined;
    };
    const listener = await openTestValkey(line.url, namespace, { every });
    opened.push(listener.valkey);
    const [, two] = transports();
    await createSharedTransport(listener.valkey, 'listener', 'test').receive((message) =>
      received.push(message),
    );
    const counts = new Redis(TEST_VALKEY_URL ?? '');
    const subscriptions = async () => {
      const [, count] = (await counts.pubsub('NUMSUB', `${namespace}:test:listener`)) as [string, number];
      return count;
    };
    line.lose();
    beat();
    // The server has not noticed that the first connection is gone, and delivers to both.
    await expect.poll(subscriptions).toBe(2);
    expect(await two.send('listener', 'after the network change')).toBe(true);
    await expect.poll(() => received).toEqual(['after the network change']);
    counts.disconnect();
  });

  it('reach an instance again that had lost the server', async () => {
    const [one, two] = transports();
    await one.receive((message) => received.push(message));
    line.cut();
    await expect.poll(() => two.send('one', 'lost')).toBe(false);
    await expect(one.send('two', 'x')).rejects.toThrow(Unavailable);
    await line.restore();
    await expect.poll(() => two.send('one', 'again')).toBe(true);
    await expect.poll(() => received).toEqual(['again']);
  });

  async function setUp(): Promise<void> {
    const first = await openTestValkey(line.url);
    const second = await openTestValkey(undefined, first.namespace);
    opened = [first.valkey, second.valkey];
    namespace = first.namespace;
    received = [];
  }

  function tearDown(): void {
    for (const valkey of opened) valkey.close();
  }

  function transports() {
    const [first, second] = opened;
    if (first === undefined || second === undefined) throw new Error('two connections were opened');
    return [
      createSharedTransport(first, 'one', 'test'),
      createSharedTransport(second, 'two', 'test'),
    ] as const;
  }
});
