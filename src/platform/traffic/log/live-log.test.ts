import { describe, expect, it } from 'vitest';
import { entryWith } from '../../../testing/platform/traffic.ts';
import { LiveLog, MAX_TAKEN } from './live-log.ts';

describe('LiveLog', () => {
  it('passes to each follower what matches, in order', async () => {
    const live = new LiveLog();
    const all = followed(live);
    const errors = live.follow({ matches: ({ status }) => status >= 400, party: null });
    const waits = errors?.somethingWaits();
    const entries = [entryWith(), entryWith({ status: 404 }), entryWith()];
    for (const entry of entries) live.publish(entry);
    await waits;
    expect(all.take()).toEqual({ entries, missed: 0 });
    expect(errors?.take()).toEqual({ entries: [entries[1]], missed: 0 });
    expect(errors?.take()).toEqual({ entries: [], missed: 0 });
  });

  it('keeps a bounded number of entries for a follower that takes none, and counts the others', () => {
    const live = new LiveLog();
    const follower = followed(live);
    const entries = Array.from({ length: 1_500 }, () => entryWith());
    for (const entry of entries) live.publish(entry);
    const taken = follower.take();
    expect(taken).toEqual({ entries: entries.slice(0, MAX_TAKEN), missed: 0 });
    // What comes before the gap is told may not be shown before it.
    live.publish(entryWith());
    const rest = Array.from({ length: 4 }, () => follower.take());
    expect(rest.flatMap((one) => one.entries)).toEqual(entries.slice(MAX_TAKEN, 1_000));
    expect(rest.map(({ missed }) => missed)).toEqual([0, 0, 0, 501]);
    const later = entryWith();
    live.publish(later);
    expect(follower.take()).toEqual({ entries: [later], missed: 0 });
  });

  it('gives an organisation a share of the places, and keeps some for the operator', () => {
    const live = new LiveLog();
    const open = (party: string | null) => live.follow({ matches: ALL, party });
    const places = ['a', 'b', 'c', 'd'].map((party) => Array.from({ length: 5 }, () => open(party) !== null));
    const share = [true, true, true, true, false];
    expect(places).toEqual([share, share, share, [false, false, false, false, false]]);
    const operator = [1, 2, 3, 4].map(() => open(null));
    expect(operator.every((follower) => follower !== null)).toBe(true);
    expect(open(null)).toBeNull();
    operator[0]?.end();
    operator[0]?.end();
    expect(open(null)).not.toBeNull();
    expect(open(null)).toBeNull();
  });

  it('ends all followers, which then keep nothing', async () => {
    const live = new LiveLog();
    const follower = followed(live);
    live.publish(entryWith());
    live.close();
    await follower.somethingWaits();
    expect(follower.hasEnded).toBe(true);
    live.publish(entryWith());
    expect(follower.take()).toEqual({ entries: [], missed: 0 });
  });
});

const ALL = () => true;

function followed(live: LiveLog, party: string | null = null) {
  const follower = live.follow({ matches: ALL, party });
  if (follower === null) throw new Error('there was no place');
  return follower;
}
