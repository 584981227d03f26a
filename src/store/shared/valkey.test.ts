import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Redis } from 'ioredis';
import { OperatorError } from '../../common/operator-error.ts';
import { createScript, type Valkey, ValkeyLost } from './valkey.ts';
import { openLine, openTestValkey, TEST_VALKEY_URL } from '../../testing/store/test-valkey.ts';
import { openForEach } from '../../testing/opened.ts';

describe.runIf(TEST_VALKEY_URL !== null)('openValkey', () => {
  let valkey: Valkey;
  let changes: readonly (string | null)[];
  const line = openForEach(openLine, 'close');
  beforeEach(setUp);
  afterEach(tearDown);

  it('runs a script, also one that the server does not know yet', async () => {
    const unseen = createScript(`return '${Math.random()}'`);
    expect(await valkey.run(unseen, 'a')).toBe(unseen.lua.slice(8, -1));
    expect(await Promise.all([1, 2, 3].map(() => valkey.run(COUNT_UP, 'n')))).toEqual([1, 2, 3]);
    expect(await valkey.unhealthy()).toBeNull();
  });

  it('accepts the scheme valkey', async () => {
    const { valkey: other } = await openTestValkey(line.url.replace('redis:', 'valkey:'));
    expect(await other.unhealthy()).toBeNull();
    other.close();
  });

  it('is unhealthy while the server answers but refuses writes', async () => {
    const admin = new Redis(line.url);
    const user = `refused-${process.pid}`;
    await admin.acl('SETUSER', user, 'on', 'nopass', '~*', '&*', '+@all', '-set');
    const url = new URL(line.url);
    url.username = user;
    url.password = 'x';
    const { valkey: refused } = await openTestValkey(url.href);
    expect(await refused.unhealthy()).toMatch(/^Valkey refuses the command: NOPERM /);
    await admin.acl('DELUSER', user);
    refused.close();
    admin.disconnect();
  });

  it('rejects immediately while the server is gone, and reconnects by itself', async () => {
    line.cut();
    await expect.poll(() => valkey.unhealthy()).toMatch(/^Valkey does not answer: /);
    await expect(valkey.run(COUNT_UP, 'n')).rejects.toThrow(ValkeyLost);
    await line.restore();
    await answers();
    expect(await valkey.run(COUNT_UP, 'n')).toBe(1);
    expect(changes).toEqual([expect.any(String), null]);
  });

  it('disconnects from a server that does not answer, and reconnects when it does', async () => {
    line.holdUp();
    await expect(valkey.run(COUNT_UP, 'n')).rejects.toThrow(ValkeyLost);
    await expect.poll(() => changes).toEqual([expect.stringContaining("didn't receive any")]);
    // New connections are accepted in the meantime, and turn out to be useless.
    await expect(valkey.run(COUNT_UP, 'n')).rejects.toThrow(ValkeyLost);
    line.letGo();
    await answers();
    expect(await valkey.run(COUNT_UP, 'other')).toBe(1);
  });

  it('subscribes again when the subscribed connection has died silently', async () => {
    let beat = () => {};
    const every = (_: number, work: () => void) => {
      beat = work;
      return () => undefined;
    };
    const { valkey: listener, namespace } = await openTestValkey(line.url, undefined, { every });
    const heard: string[] = [];
    await listener.subscribe('news', (message) => void heard.push(message));
    const publisher = new Redis(TEST_VALKEY_URL ?? '');
    const publish = () => publisher.publish(`${namespace}:news`, 'one');
    line.lose();
    beat();
    await expect.poll(publish).toBe(2);
    await expect.poll(() => heard).toContain('one');
    listener.close();
    publisher.disconnect();
  });

  it('does not report a loss when it is closed', async () => {
    valkey.close();
    await expect.poll(() => valkey.unhealthy()).not.toBeNull();
    expect(changes).toEqual([]);
  });

  it('rejects when a script fails, and stays connected', async () => {
    await expect(valkey.run(createScript("return redis.call('NONSENSE')"), 'a')).rejects.toThrow(
      /NONSENSE|[Uu]nknown/,
    );
    expect(await valkey.run(COUNT_UP, 'n')).toBe(1);
    expect(changes).toEqual([]);
  });

  it('fails at the start without a server, and does not repeat the password', async () => {
    await line.close();
    const url = line.url.replace('//', '//default:hidden-word@');
    const failed = await openTestValkey(url).then(
      () => null,
      (error: unknown) => error,
    );
    expect(failed).toBeInstanceOf(OperatorError);
    expect(String(failed)).toMatch(/valkey-url cannot be connected to: .*ECONNREFUSED/);
    expect(String(failed)).not.toContain('hidden-word');
  });

  async function setUp(): Promise<void> {
    ({ valkey, changes } = await openTestValkey(line.url));
  }

  function tearDown(): void {
    valkey.close();
  }

  const answers = () => expect.poll(() => valkey.unhealthy()).toBeNull();
});

const COUNT_UP = createScript("return redis.call('INCR', KEYS[1])");
