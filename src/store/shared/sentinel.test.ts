import { afterEach, describe, expect, it } from 'vitest';
import { OperatorError } from '../../common/operator-error.ts';
import { openForAll } from '../../testing/opened.ts';
import { openSentinelServers, VALKEY_PROGRAM } from '../../testing/store/sentinel-servers.ts';
import { openTestValkey, type TestValkey } from '../../testing/store/test-valkey.ts';
import { createSharedExecutionStore } from './execution-store.ts';
import { openShared } from './index.ts';
import { createScript } from './valkey.ts';

describe.runIf(VALKEY_PROGRAM !== null)('openValkey with sentinels', () => {
  const servers = openForAll(openSentinelServers, 'close');
  const open: TestValkey[] = [];
  afterEach(() => {
    for (const { valkey } of open.splice(0)) valkey.close();
  });

  it('refuses to start when no sentinel knows the name, and repeats no password', async () => {
    const url = servers.url.replace(/[^@]+$/, 'another');
    const failed = await openTestValkey(url, undefined, sentinels()).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(OperatorError);
    expect(String(failed)).toMatch(/valkey-sentinel .*null; the host of valkey-url must be the name/);
    expect(String(failed)).not.toContain('a-password');
  });

  it('warns of a master that goes on without replicas', async () => {
    const { valkey } = await connect();
    const problems: string[] = [];
    const shared = await openShared({
      url: servers.url,
      sentinels: servers.sentinels,
      secret: 's',
      random: () => 0,
      production: true,
      onChange: () => undefined,
      onUnsafe: (problem) => problems.push(problem),
    });
    shared?.close();
    expect(problems).toEqual([expect.stringMatching(/has no min-replicas-to-write.*set it to 1$/)]);
    const set = (count: string) =>
      servers
        .masterPort()
        .then((port) => servers.send(port, 'CONFIG', 'SET', 'min-replicas-to-write', count));
    await set('1');
    expect(await valkey.needsReplicas()).toBe(true);
    await set('0');
  });

  it('follows a failover, and treats what its last writes may have been as not known', async () => {
    const { valkey, changes } = await connect();
    const runs = createSharedExecutionStore(valkey, RUNS);
    const heard: string[] = [];
    await valkey.subscribe('news', (message) => void heard.push(message));
    await runs.age();
    for (const order of ['sent', 'held', 'ended']) await runs.put(order, 'task');
    await runs.end('ended', 'a', 'answer', 'task');
    await expect.poll(() => runs.age()).toBeGreaterThan(0);
    await failOver();
    // The former master still answers.
    await expect.poll(() => changes).toEqual([expect.any(String), null]);
    expect(await runs.get('sent')).toBe('task');
    expect(await runs.age()).toBe(0);
    // Another holder may have begun the run and sent its transaction, in writes that were lost.
    expect(await runs.begin('sent', 'task', 'b')).toEqual({ kind: 'begun', isMarked: true });
    expect(await runs.begin('new', 'task', 'b')).toEqual({ kind: 'begun' });
    expect(await runs.begin('ended', 'task', 'b')).toEqual({ kind: 'ended', answer: 'answer' });
    // That holder gets it back when it renews its lease, unless it may have lost it before.
    expect(await runs.keep('held', 'a', null)).toBe(false);
    expect(await runs.keep('held', 'a', 'task')).toBe(true);
    expect(await runs.begin('held', 'task', 'b')).toEqual({ kind: 'held' });
    await runs.end('held', 'a', null, 'task');
    expect(await runs.begin('held', 'task', 'b')).toEqual({ kind: 'begun', isMarked: true });
    await expect.poll(() => valkey.run(PUBLISH, 'news')).toBe(1);
    await expect.poll(() => heard).toContain('one');
  });

  const sentinels = () => ({ sentinels: servers.sentinels });

  async function connect(): Promise<TestValkey> {
    const one = await openTestValkey(servers.url, undefined, sentinels());
    open.push(one);
    return one;
  }

  /** Promotes the replica, once it has all data. */
  async function failOver(): Promise<void> {
    const before = await servers.masterPort();
    await expect.poll(() => servers.send(before, 'WAIT', '1', '1000')).toBe(1);
    await servers.failOver();
    await expect.poll(() => servers.masterPort()).not.toBe(before);
  }
});

const PUBLISH = createScript("return redis.call('PUBLISH', KEYS[1], 'one')");
const RUNS = {
  kind: 'task',
  whenLost: 'not now',
  taskLifeMs: 60_000,
  leaseMs: 60_000,
  answerLifeMs: 60_000,
};
