import { describe, expect, it } from 'vitest';
import { openForEach } from '../../testing/opened.ts';
import { CREATED_AT, createTestEvent } from '../../testing/predictions/test-events.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import type { PredictionEvent, PredictionScore } from '../prediction.ts';
import { EventRecords } from './event-records.ts';

describe.each(STORES)('EventRecords on %s', (kind) => {
  const tested = openForEach(() => openTestStore(kind), 'cleanUp');

  it('reads back what was written, and then only what has changed', async () => {
    const records = openRecords();
    expect(await records.listChanged(0)).toEqual({ events: [], revision: 0 });
    const first = createTestEvent(1, { tags: ['a', 'b'], beginAt: 5, imageUrl: 'https://example.com/a.png' });
    const second = createTestEvent(2);
    for (const event of [first, second]) expect(await insert(records, event)).toBeNull();
    const all = await records.listChanged(0);
    expect(all.events).toEqual([first, second]);
    expect(await records.listChanged(all.revision)).toEqual({ events: [], revision: all.revision });
    await decide(records, 'POLY-1', ['POLY-1-b'], 'no');
    const changed = await records.listChanged(all.revision);
    expect(changed.events).toMatchObject([
      {
        eventId: 'POLY-1',
        markets: [
          { status: 'open', result: null, resolvedAt: null },
          { status: 'closed', result: 'no', resolvedAt: CREATED_AT + 5 },
        ],
      },
    ]);
  });

  it('keeps the events of networks apart', async () => {
    await insert(openRecords(), createTestEvent(1));
    const other = openRecords('m');
    expect(await other.listChanged(0)).toEqual({ events: [], revision: 0 });
    expect(await insert(other, createTestEvent(1))).toBeNull();
  });

  it('writes nothing of an event whose id, or the id of one of its markets, is taken', async () => {
    const records = openRecords();
    await insert(records, createTestEvent(1));
    expect(await insert(records, createTestEvent(1))).toEqual({ eventId: 'POLY-1' });
    const markets = [
      { marketId: 'new', title: 'New' },
      { marketId: 'POLY-1-b', title: 'Taken' },
    ];
    expect(await insert(records, createTestEvent(2, { markets }))).toEqual({ marketId: 'POLY-1-b' });
    expect((await records.listChanged(0)).events.map(({ eventId }) => eventId)).toEqual(['POLY-1']);
  });

  it('decides a market once', async () => {
    const records = openRecords();
    await insert(records, createTestEvent(1));
    await decide(records, 'POLY-1', ['POLY-1-a'], 'yes');
    const again = await decide(records, 'POLY-1', ['POLY-1-a', 'POLY-1-b'], 'cancelled');
    expect(again?.before.markets.map(({ status }) => status)).toEqual(['closed', 'open']);
    expect(again?.after.markets).toMatchObject([
      { status: 'closed', result: 'yes' },
      { status: 'cancelled', result: null },
    ]);
    expect(await decide(records, 'POLY-2', ['POLY-1-b'], 'no')).toBeNull();
  });

  it('keeps how a game stands, as a change of its event', async () => {
    const records = openRecords();
    await insert(records, createTestEvent(1));
    await insert(records, createTestEvent(2));
    const { revision } = await records.listChanged(0);
    const score = createTestScore({ score: '1-0' });
    const post = (posted: typeof score, eventId = 'POLY-1') =>
      tested.store.transaction((db) => records.postScore(db, eventId, () => posted));
    expect(await post(score, 'POLY-3')).toBeNull();
    const first = await post(score);
    expect([first?.before.score, first?.after.score]).toEqual([null, { ...score, version: 1 }]);
    const ended = createTestScore({ score: '2-0', state: 'ended', finishedAt: CREATED_AT + 9 });
    await post(ended);
    const { events } = await records.listChanged(revision);
    expect(events).toEqual([{ ...createTestEvent(1), score: { ...ended, version: 2 } }]);
  });

  it('lets one of several instances write at a time, so that no reader misses a change', async () => {
    const records = openRecords();
    const events = Array.from({ length: 12 }, (_, number) => createTestEvent(number));
    await Promise.all(events.map((event) => insert(records, event)));
    const revisions = [];
    for (let after = 0; after < 12; after++) {
      const { events: changed } = await records.listChanged(after);
      revisions.push(changed.length);
    }
    expect(revisions).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  function openRecords(network = 'n'): EventRecords {
    return new EventRecords(tested.store, network);
  }

  function insert(records: EventRecords, event: PredictionEvent) {
    return tested.store.transaction((db) => records.insert(db, event));
  }

  function decide(
    records: EventRecords,
    eventId: string,
    marketIds: readonly string[],
    decision: 'yes' | 'no' | 'cancelled',
  ) {
    const decisions = { marketIds, decision, at: CREATED_AT + 5 };
    return tested.store.transaction((db) => records.decide(db, eventId, decisions));
  }
});

function createTestScore(change: Partial<PredictionScore>): Omit<PredictionScore, 'version'> {
  return {
    gameId: 'game',
    leagueAbbreviation: 'NL',
    homeTeam: 'North',
    awayTeam: null,
    score: null,
    period: '1H',
    elapsed: '10:00',
    status: null,
    state: 'live',
    finishedAt: null,
    updatedAt: CREATED_AT + 8,
    ...change,
  };
}
