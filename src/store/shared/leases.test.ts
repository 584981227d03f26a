import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Leases } from '../../common/ports/leases.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { createSharedLeases } from './leases.ts';
import { createScript, type Valkey } from './valkey.ts';
import { openLine, openTestValkey, TEST_VALKEY_URL } from '../../testing/store/test-valkey.ts';

describe.runIf(TEST_VALKEY_URL !== null)('createSharedLeases', () => {
  let valkey: Valkey;
  let one: Leases;
  let other: Leases;
  /** Leases of the first instance that expire quickly. */
  let brief: Leases;
  beforeEach(setUp);
  afterEach(() => valkey.close());

  it('take: gives the lease to the last caller, and returns the holder before it', async () => {
    expect(await one.holder('a')).toBeNull();
    expect(await one.take('a')).toBeNull();
    expect(await one.take('a')).toBeNull();
    expect(await other.holder('a')).toBe('one');
    expect(await other.take('a')).toBe('one');
    expect(await one.holder('a')).toBe('other');
    expect(await one.take('a')).toBe('other');
  });

  it('claim: succeeds only while no other instance holds the lease', async () => {
    expect(await one.claim('a')).toBeNull();
    expect(await one.claim('a')).toBeNull();
    expect(await other.claim('a')).toBe('one');
    const claims = await Promise.all([one, other, one, other].map((leases) => leases.claim('b')));
    expect(new Set(claims).size).toBe(2);
    expect(claims).toContain(await one.holder('b'));
  });

  it('release: works for the holder only', async () => {
    await one.take('a');
    await other.release('a');
    expect(await one.holder('a')).toBe('one');
    await one.release('a');
    expect(await one.holder('a')).toBeNull();
    await one.release('a');
  });

  it('lets a lease expire that is not renewed', async () => {
    await brief.take('a');
    await expect.poll(() => other.claim('a')).toBeNull();
    expect(await brief.claim('a')).toBe('other');
    await brief.release('a');
    expect(await one.holder('a')).toBe('other');
  });

  /** Creates a lease as a server does whose clock is two hours ahead. */
  async function giveAhead(name: string, holder: string): Promise<void> {
    const ahead = createScript(`local now = redis.call('TIME')[1] * 1000
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f %s', now + 7200000, ARGV[2]))`);
    await valkey.run(ahead, `leases:${OPTIONS.kind}`, [name, holder]);
  }

  it('frees the lease of a vanished holder within one duration even if the server’s clock is put back', async () => {
    await giveAhead('a', 'gone');
    expect(await brief.claim('a')).toBe('gone');
    await expect.poll(() => brief.claim('a')).toBeNull();
    await giveAhead('b', 'gone');
    expect((await brief.keep([])).get('b')).toBe('gone');
    await expect.poll(() => brief.holder('b')).toBeNull();
  });

  it('leaves a lease with its holder when the server’s clock is put back', async () => {
    await giveAhead('a', 'one');
    expect(await other.claim('a')).toBe('one');
    expect(await other.claim('a')).toBe('one');
    expect((await one.keep(['a'])).get('a')).toBe('one');
    expect(await other.holder('a')).toBe('one');
  });

  it('keep: extends several leases, and returns who holds which', async () => {
    await brief.take('a');
    await other.take('b');
    expect(await one.keep(['a', 'b', 'c'])).toEqual(
      new Map([
        ['a', 'one'],
        ['b', 'other'],
        ['c', 'one'],
      ]),
    );
    // The other instance's leases outlive the brief ones, and an instance without leases asks as well.
    await brief.take('d');
    await expect.poll(async () => [...(await other.keep([])).keys()].sort()).toEqual(['a', 'b', 'c']);
  });

  it('rejects with the given sentence while Valkey is gone', async () => {
    const line = await openLine();
    const { valkey: gone } = await openTestValkey(line.url);
    line.cut();
    const refused = createSharedLeases(gone, { ...OPTIONS, self: 'one' }).take('a');
    await expect(refused).rejects.toThrow(new Unavailable('not now'));
    gone.close();
  });

  async function setUp(): Promise<void> {
    ({ valkey } = await openTestValkey());
    one = createSharedLeases(valkey, { ...OPTIONS, self: 'one' });
    other = createSharedLeases(valkey, { ...OPTIONS, self: 'other' });
    brief = createSharedLeases(valkey, { ...OPTIONS, self: 'one', leaseMs: 40 });
  }
});

const OPTIONS = { kind: 'thing', whenLost: 'not now', leaseMs: 60_000 };
