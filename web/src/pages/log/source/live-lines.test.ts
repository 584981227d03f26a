import { describe, expect, it } from 'vitest';
import { EventFeed } from '../../../openapi/streams/event-feed.ts';
import { readLiveEntry, readLiveLines } from './live-lines.ts';

describe('readLiveLines', () => {
  it('joins the lines that have arrived together', () => {
    expect(
      readLiveLines([
        JSON.stringify({ entries: [1, 2], missed: 3, ended: null }),
        '',
        JSON.stringify({ entries: [], missed: 4, ended: 'the instance stops' }),
      ]),
    ).toEqual({ entries: [1, 2], missed: 7, unreadable: 0, ended: 'the instance stops' });
  });

  it('counts lines that are no lines of a log, and goes on', () => {
    const hostile = ['null', '[]', '{"entries":5}', '{', '"x"', '{"entries":[],"missed":"9"}'];
    expect(readLiveLines([...hostile, '{"entries":[1],"missed":-5,"ended":null}'])).toEqual({
      entries: [1],
      missed: 0,
      unreadable: hostile.length,
      ended: null,
    });
  });

  it('takes more entries at once than a call has room for arguments', () => {
    const line = JSON.stringify({ entries: Array.from({ length: 9_999 }, () => 0), missed: 0, ended: null });
    expect(readLiveLines(Array.from({ length: 30 }, () => line)).entries).toHaveLength(299_970);
  });

  it('reads a stream that is cut within a character, wherever that is', async () => {
    const path = '/‮é😀\u2028';
    const bytes = new TextEncoder().encode(
      `${JSON.stringify({ entries: [{ path }], missed: 0, ended: null })}\n`,
    );
    for (let cut = 1; cut < bytes.length; cut++) {
      const decoder = new TextDecoder();
      const feed = new EventFeed(false);
      const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)];
      const events = pieces.flatMap((piece) => feed.read(decoder.decode(piece, { stream: true })));
      expect(readLiveLines(events.map(({ data }) => data)).entries).toEqual([{ path }]);
    }
  });

  it('does not read an entry of another form', () => {
    for (const entry of [null, 5, [], {}, { at: 'now' }]) expect(readLiveEntry(entry)).toBeNull();
  });
});
