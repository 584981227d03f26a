import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import type { Valkey } from '../../store/shared/valkey.ts';
import { openLine, openTestValkey, TEST_VALKEY_URL } from '../../testing/store/test-valkey.ts';
import { type Peers, openPeers } from './peers.ts';
import { openForEach } from '../../testing/opened.ts';

describe.runIf(TEST_VALKEY_URL !== null)('openPeers', () => {
  let valkeys: Valkey[];
  let one: Peers;
  let other: Peers;
  let happened: string[];
  const line = openForEach(openLine, 'close');
  beforeEach(setUp);
  afterEach(tearDown);

  it('makes an instance the owner of the makers that connected to it last, and notifies the other owners', async () => {
    expect(one.requests.self).not.toBe(other.requests.self);
    await one.owners.acquire('a');
    expect(await other.owners.findOwner('a')).toBe(one.requests.self);
    expect(await one.owners.findOwner('a')).toBeNull();
    await other.owners.sendReport(one.requests.self, 'a', { kind: 'reinstated' });
    await other.owners.acquire('a');
    expect(await one.findOwner('a')).toBe(other.requests.self);
    expect([...(await one.owners.findAllElsewhere())]).toEqual([['a', other.requests.self]]);
    await other.owners.release('a');
    expect(await one.owners.findOwner('a')).toBeNull();
    // A renewal of the leases may notice the loss before the request arrives.
    const asked = happened.filter((event) => event !== 'one loses a');
    expect(asked).toEqual(['one is told reinstated of a', 'one gives up a']);
  });

  it('keeps its makers while Valkey is gone, and joins again when it is back', async () => {
    await one.owners.acquire('before');
    line.cut();
    await one.owners.acquire('meanwhile');
    await other.owners.acquire('before');
    expect(await other.owners.findOwner('meanwhile')).toBeNull();
    await line.restore();
    await expect.poll(() => other.owners.findOwner('meanwhile')).toBe(one.requests.self);
    await expect.poll(() => happened).toContain('one loses before');
    // What was subscribed to is subscribed to again.
    const heard = async () => {
      await other.broadcast.send('hello');
      return happened;
    };
    await expect.poll(heard).toContain('one hears hello');
    await other.owners.acquire('meanwhile');
    await expect.poll(() => happened).toContain('one gives up meanwhile');
  });

  it('answers the other instances again after its connections died silently', async () => {
    one.requests.answer('ping', async () => 'pong');
    expect(await other.requests.ask(one.requests.self, 'ping', '')).toBe('pong');
    line.lose();
    // The server delivers to the dead connections too until its own keep-alive ends them, minutes later.
    const asked = () => other.requests.ask(one.requests.self, 'ping', '').catch(String);
    await expect.poll(asked).toBe('pong');
  });

  async function setUp(): Promise<void> {
    const first = await openTestValkey(line.url);
    const second = await openTestValkey(undefined, first.namespace);
    valkeys = [first.valkey, second.valkey];
    happened = [];
    [one, other] = [await join('one', first.valkey), await join('other', second.valkey)];
  }

  async function tearDown(): Promise<void> {
    for (const { owners } of [one, other]) await owners.close();
    for (const valkey of valkeys) valkey.close();
  }

  async function join(name: string, valkey: Valkey): Promise<Peers> {
    const opened = await openPeers({
      valkey,
      deadlines: SYSTEM_TIMERS,
      onJoin: () => {},
      onDefect: () => {},
    });
    await opened.broadcast.receive((message) => happened.push(`${name} hears ${message}`));
    opened.owners.serve({
      giveUp: async (makerId) => {
        happened.push(`${name} gives up ${makerId}`);
        await opened.owners.release(makerId);
      },
      lost: (makerId) => happened.push(`${name} loses ${makerId}`),
      moved: () => undefined,
      released: () => undefined,
      handleReport: async (makerId, { kind }) => void happened.push(`${name} is told ${kind} of ${makerId}`),
      readMakers: () => [],
    });
    return opened;
  }
});
