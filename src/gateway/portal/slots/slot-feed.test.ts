import { describe, expect, it, vi } from 'vitest';
import { ManualTimers } from '../../../testing/timers.ts';
import { type PortalSlot, type PortalSlots, type SlotBatch, SlotFeed } from './slot-feed.ts';

describe('SlotFeed', () => {
  it('begins with the kept slots, and follows with those that are confirmed', async () => {
    const { feed, confirm, timers } = createFeed(3);
    const end = new AbortController();
    const reader = feed.follow(end.signal);
    expect(await readSlots(reader)).toEqual([1, 2, 3]);
    const next = readSlots(reader);
    confirm(2);
    await vi.waitFor(() => expect(timers.waiting).toBe(1));
    timers.advance(200);
    expect(await next).toEqual([4, 5]);
    end.abort();
    expect((await reader.next()).done).toBe(true);
    expect(feed.readers).toBe(0);
  });

  it('reads the network once for all readers, and not at all without any', async () => {
    const { feed, reads, timers } = createFeed(1);
    const readers = Array.from({ length: 20 }, () => feed.follow(new AbortController().signal));
    await Promise.all(readers.map(readSlots));
    expect(reads()).toBe(1);
    for (const reader of readers) await reader.return(undefined);
    expect(feed.readers).toBe(0);
    timers.advance(1_000);
    await Promise.resolve();
    expect(reads()).toBeLessThanOrEqual(2);
    expect(timers.waiting).toBe(0);
  });

  it('reads once when its last reader leaves during a read and another one comes', async () => {
    const { feed, confirm, reads, timers } = createFeed(1);
    const first = feed.follow(new AbortController().signal);
    await readSlots(first);
    await vi.waitFor(() => expect(timers.waiting).toBe(1));
    confirm(1);
    timers.advance(200);
    await first.return(undefined);
    const second = feed.follow(new AbortController().signal);
    expect(await readSlots(second)).toEqual([1, 2]);
    await vi.waitFor(() => expect(timers.waiting).toBe(1));
    const before = reads();
    confirm(1);
    timers.advance(200);
    expect(await readSlots(second)).toEqual([3]);
    expect(reads()).toBe(before + 1);
    await second.return(undefined);
  });

  it('lets a slow reader miss slots', async () => {
    const { feed, confirm, timers } = createFeed(1);
    const reader = feed.follow(new AbortController().signal);
    expect(await readSlots(reader)).toEqual([1]);
    confirm(500);
    await vi.waitFor(() => expect(timers.waiting).toBe(1));
    timers.advance(200);
    const slots = await readSlots(reader);
    expect(slots).toHaveLength(150);
    expect(slots.at(-1)).toBe(501);
    await reader.return(undefined);
  });

  it('says that the network does not answer at first, and asks again for those who wait', async () => {
    const { feed, fail, timers } = createFeed(1);
    fail(true);
    const reader = feed.follow(new AbortController().signal);
    await expect(reader.next()).rejects.toThrow('silent');
    fail(false);
    const second = feed.follow(new AbortController().signal);
    expect(await readSlots(second)).toEqual([1]);
    await second.return(undefined);
    expect(timers.waiting).toBeLessThanOrEqual(1);
  });
});

function createFeed(first: number) {
  let newest = first;
  let reads = 0;
  let isSilent = false;
  const timers = new ManualTimers();
  const slots: PortalSlots = {
    getHead: () => ({
      processed: newest,
      confirmed: newest,
      finalized: 0,
      height: newest,
      epoch: 0,
      time: 0,
    }),
    readAfter: async (after, limit) => {
      reads++;
      if (isSilent) throw new Error('silent');
      const all = Array.from({ length: newest }, (_, index) => createSlot(index + 1));
      return all.filter(({ slot }) => slot > after).slice(-limit);
    },
  };
  return {
    timers,
    feed: new SlotFeed(slots, timers),
    reads: () => reads,
    confirm: (count: number) => {
      newest += count;
    },
    fail: (value: boolean) => {
      isSilent = value;
    },
  };
}

function createSlot(slot: number): PortalSlot {
  return { slot, time: slot, blockhash: null, transactions: 0, failed: 0, last: [] };
}

async function readSlots(reader: ReturnType<SlotFeed['follow']>): Promise<readonly number[]> {
  const { value } = await reader.next();
  return value === undefined ? [] : (value as SlotBatch).slots.map(({ slot }) => slot);
}
