import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../gateway/http/log.ts';
import type { Valkey } from '../store/shared/valkey.ts';
import { type Line, openLine, openTestValkey, TEST_VALKEY_URL } from '../store/shared/valkey-for-tests.ts';
import { type Peers, openPeers } from './peers.ts';

const WITHIN = { timeout: 10_000 };

describe.runIf(TEST_VALKEY_URL !== null)('an instance among others', () => {
  let line: Line;
  let valkeys: Valkey[];
  let one: Peers;
  let other: Peers;
  let happened: string[];

  beforeEach(async () => {
    line = await openLine();
    const first = await openTestValkey(line.url);
    const second = await openTestValkey(undefined, first.namespace);
    valkeys = [first.valkey, second.valkey];
    happened = [];
    [one, other] = [await join('one', first.valkey), await join('other', second.valkey)];
  });
  afterEach(async () => {
    for (const { homes } of [one, other]) await homes.close();
    for (const valkey of valkeys) valkey.close();
    await line.close();
  });

  async function join(name: string, valkey: Valkey): Promise<Peers> {
    const opened = await openPeers(valkey, createLogger('silent', { write: () => {} }));
    await opened.broadcast.receive((message) => happened.push(`${name} hears ${message}`));
    opened.homes.serve({
      giveUp: async (makerId) => {
        happened.push(`${name} gives up ${makerId}`);
        await opened.homes.leave(makerId);
      },
      lose: (makerId) => happened.push(`${name} loses ${makerId}`),
      moved: () => undefined,
      freed: () => undefined,
      told: async (makerId, { kind }) => void happened.push(`${name} is told ${kind} of ${makerId}`),
      asked: () => [],
    });
    return opened;
  }

  it('has the makers that came to it last, and is told what becomes of them', async () => {
    expect(one.instances.self).not.toBe(other.instances.self);
    await one.homes.take('a');
    expect(await other.homes.find('a')).toBe(one.instances.self);
    expect(await one.homes.find('a')).toBeNull();
    await other.homes.tell(one.instances.self, 'a', { kind: 'reinstated' });
    await other.homes.take('a');
    expect(await one.homeOf('a')).toBe(other.instances.self);
    expect([...(await one.homes.elsewhere())]).toEqual([['a', other.instances.self]]);
    await other.homes.leave('a');
    expect(await one.homes.find('a')).toBeNull();
    expect(happened).toEqual(['one is told reinstated of a', 'one gives up a']);
  });

  it('goes on without Valkey, and is back with it', async () => {
    await one.homes.take('before');
    line.cut();
    await one.homes.take('meanwhile');
    await other.homes.take('before');
    expect(await other.homes.find('meanwhile')).toBeNull();
    await line.mend();
    await expect.poll(() => other.homes.find('meanwhile'), WITHIN).toBe(one.instances.self);
    await expect.poll(() => happened, WITHIN).toContain('one loses before');
    // What was subscribed to is subscribed to again.
    const heard = async () => {
      await other.broadcast.send('hello');
      return happened;
    };
    await expect.poll(heard, WITHIN).toContain('one hears hello');
    await other.homes.take('meanwhile');
    expect(happened).toContain('one gives up meanwhile');
  });

  it('answers the others again when its connections died without a word', async () => {
    one.instances.answer('ping', async () => 'pong');
    expect(await other.instances.ask(one.instances.self, 'ping', '')).toBe('pong');
    line.lose();
    // The server delivers to the dead connections too until its own keep-alive ends them, minutes later.
    const asked = () => other.instances.ask(one.instances.self, 'ping', '').catch(String);
    await expect.poll(asked, WITHIN).toBe('pong');
  });
});
