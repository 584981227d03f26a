import { describe, expect, it } from 'vitest';
import { openForEach } from '../../testing/opened.ts';
import { CREATED_AT, createTestChanges, describeTestEvent } from '../../testing/predictions/test-events.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { ManualTimers } from '../../testing/timers.ts';
import type { MakeChange } from '../../store/audited-change.ts';
import { EventRecords } from '../store/event-records.ts';
import { EventDirectory } from './event-directory.ts';
import type { NewPredictionEvent } from './event-terms.ts';
import { createPredictionAdmin, type MarketOperations, type MarketOutcome } from './prediction-admin.ts';

const NO_LOG = { onFailure: throwIt, onAnswer: () => undefined };

describe('createPredictionAdmin', () => {
  const tested = openForEach(() => openTestStore('sqlite'), 'cleanUp');

  it('creates an event that is offered at once, with what the caller has left out', async () => {
    const { admin, directory, change, entries } = await open();
    const asked = { title: 'Who wins: A or B?', category: 'sports', closeAt: CREATED_AT + 60 };
    const created = await admin.createEvent(change, { ...asked, markets: [{ title: 'A' }] });
    expect(created).toMatchObject({
      ok: true,
      value: {
        eventId: 'POLY-1',
        slug: 'who-wins-a-or-b',
        createdAt: CREATED_AT,
        imageUrl: null,
        markets: [
          {
            marketId: 'POLY-2',
            eventId: 'POLY-1',
            marketIdHash: expect.stringMatching(/^[0-9a-f]{32}$/),
            openAt: CREATED_AT,
            closeAt: CREATED_AT + 60,
            status: 'open',
            feeBps: 700,
            house: { startCents: 50, levelContracts: 100_000_000n },
          },
        ],
      },
    });
    const market = directory.findMarket('POLY-2');
    expect(market).not.toBeNull();
    expect(directory.findMarketByHash(market?.marketIdHash ?? '')).toBe(market);
    expect(entries).toMatchObject([{ action: 'prediction_event.created', subject: 'POLY-1', before: null }]);
  });

  it.each<[string, Partial<NewPredictionEvent>, string]>([
    ['a blank title', { title: '  ' }, 'title must have 1 to 200 characters'],
    ['a title with an escape', { title: 'a\u001b[2J' }, 'title must not contain control characters'],
    ['an unknown category', { category: 'weather' }, 'category must be one of crypto, sports'],
    ['a reserved id', { eventId: 'BISON-1-UP' }, 'eventId must not begin with BISON-'],
    ['an id with a slash', { eventId: 'a/b' }, 'eventId must be 1 to 64 letters'],
    ['a script as an image', { imageUrl: 'javascript:alert(1)' }, 'imageUrl must be a URL of http or https'],
    ['a close in the past', { closeAt: CREATED_AT }, 'closeAt must be in the future'],
    ['half a second', { beginAt: 0.5 }, 'beginAt must be a time in whole Unix seconds'],
    ['no market', { markets: [] }, 'markets must be 1 to 50'],
    [
      'the same id twice',
      { markets: [m({ marketId: 'x' }), m({ marketId: 'x' })] },
      'two markets have the marketId x',
    ],
    [
      'a market that outlives its event',
      { markets: [m({ closeAt: CREATED_AT + 1e7 })] },
      "the event's closeAt",
    ],
    ['a market that opens late', { markets: [m({ openAt: CREATED_AT + 9e5 })] }, 'after openAt'],
    ['a fee of a half', { markets: [m({ feeBps: 5_000 })] }, 'feeBps must be a whole number from 0 to 2500'],
    [
      'a house at 1.00',
      { markets: [m({ house: { startCents: 100, levelContracts: 0n } })] },
      'startCents must be',
    ],
    [
      'parts of steps',
      { markets: [m({ house: { startCents: 50, levelContracts: 1n } })] },
      'in steps of 0.01',
    ],
  ])('refuses an event with %s', async (_, change, message) => {
    const { admin, change: make, entries } = await open();
    expect(await admin.createEvent(make, describeTestEvent(1, change))).toEqual({
      ok: false,
      error: { code: 'invalid-value', message: expect.stringContaining(message) },
    });
    expect(entries).toEqual([]);
  });

  it('refuses what exists, also if another instance has created it a moment earlier', async () => {
    const one = await open();
    const other = await open();
    await one.admin.createEvent(one.change, describeTestEvent(1));
    const taken = {
      ok: false,
      error: { code: 'already-exists', message: 'event POLY-1 exists already' },
    };
    for (const { admin, change } of [one, other]) {
      expect(await admin.createEvent(change, describeTestEvent(1))).toEqual(taken);
    }
    const markets = [m({ marketId: 'POLY-1-a' })];
    expect(await one.admin.createEvent(one.change, describeTestEvent(2, { markets }))).toMatchObject({
      ok: false,
      error: { code: 'already-exists', message: 'market POLY-1-a exists already' },
    });
  });

  it('creates nothing that the vault does not cover', async () => {
    const { admin, change, directory } = await open({
      open: { ok: false, reason: 'the vault holds too little' },
    });
    expect(await admin.createEvent(change, describeTestEvent(1))).toEqual({
      ok: false,
      error: { code: 'limit-reached', message: 'the vault holds too little' },
    });
    expect(directory.listEvents()).toEqual([]);
  });

  it('posts a score, which keeps what is not said again, and ends with the game', async () => {
    const { admin, change, directory, entries } = await open();
    await admin.createEvent(change, describeTestEvent(1));
    const first = { homeTeam: 'North', awayTeam: 'South', score: '0-0' };
    expect(await admin.postScore(change, 'POLY-1', first)).toMatchObject({ ok: true });
    await admin.postScore(change, 'POLY-1', { score: '1-0', awayTeam: null, state: 'ended' });
    expect(directory.findEvent('POLY-1')?.score).toMatchObject({
      gameId: 'POLY-1',
      homeTeam: 'North',
      awayTeam: null,
      score: '1-0',
      state: 'ended',
      finishedAt: CREATED_AT,
      version: 2,
    });
    expect(entries.slice(1)).toMatchObject([
      { action: 'prediction_event.scored', subject: 'POLY-1', before: null, after: { score: '0-0' } },
      { action: 'prediction_event.scored', before: { score: '0-0' }, after: { score: '1-0' } },
    ]);
    await admin.postScore(change, 'POLY-1', { state: 'live' });
    expect(directory.findEvent('POLY-1')?.score).toMatchObject({ state: 'live', finishedAt: null });
    expect(await admin.postScore(change, 'POLY-2', first)).toMatchObject({
      ok: false,
      error: { code: 'not-found' },
    });
  });

  it('decides a market once, and tells the keeper after the decision is written', async () => {
    const { admin, change, directory, told, entries } = await open();
    await admin.createEvent(change, describeTestEvent(1));
    expect(await admin.resolveMarket(change, 'POLY-1-a', 'yes')).toMatchObject({ ok: true });
    expect(directory.findMarket('POLY-1-a')).toMatchObject({
      status: 'closed',
      result: 'yes',
      resolvedAt: CREATED_AT,
    });
    expect(told).toEqual(['open', 'begin', 'resolve POLY-1-a yes']);
    for (const again of [
      admin.resolveMarket(change, 'POLY-1-a', 'no'),
      admin.cancelMarket(change, 'POLY-1-a'),
    ]) {
      expect(await again).toEqual({
        ok: false,
        error: { code: 'not-permitted', message: 'market POLY-1-a is resolved as yes already' },
      });
    }
    expect(await admin.resolveMarket(change, 'none', 'no')).toMatchObject({ error: { code: 'not-found' } });
    expect(entries.at(-1)).toMatchObject({ action: 'prediction_market.resolved', subject: 'POLY-1-a' });
  });

  it('cancels what is still open of an event', async () => {
    const { admin, change, directory, told } = await open();
    await admin.createEvent(change, describeTestEvent(1));
    await admin.resolveMarket(change, 'POLY-1-a', 'no');
    expect(await admin.cancelEvent(change, 'POLY-1')).toMatchObject({ ok: true });
    expect(directory.findEvent('POLY-1')?.markets.map(({ status }) => status)).toEqual([
      'closed',
      'cancelled',
    ]);
    expect(told.at(-1)).toBe('cancel POLY-1-b');
    expect(await admin.cancelEvent(change, 'POLY-1')).toMatchObject({ error: { code: 'not-permitted' } });
    expect(await admin.cancelEvent(change, 'none')).toMatchObject({ error: { code: 'not-found' } });
  });

  it('keeps a decision that the keeper could not carry out yet', async () => {
    const { admin, change, directory, delays } = await open({
      resolve: { ok: false, reason: 'a fill is on its way' },
    });
    await admin.createEvent(change, describeTestEvent(1));
    expect(await admin.resolveMarket(change, 'POLY-1-a', 'yes')).toMatchObject({ ok: true });
    expect(directory.findMarket('POLY-1-a')?.status).toBe('closed');
    expect(delays).toEqual([['POLY-1-a', 'a fill is on its way']]);
  });

  it('opens no directory that has not read the events, and keeps what it has read', async () => {
    let isAway = true;
    const records = new EventRecords(tested.store, 'n');
    const timers = new ManualTimers();
    const options = {
      records: {
        listChanged: (after: number) =>
          isAway ? Promise.reject(new Error('the database is away')) : records.listChanged(after),
      },
      timers,
      outage: { onFailure: () => undefined, onAnswer: () => undefined },
    };
    await expect(EventDirectory.open(options)).rejects.toThrow('the database is away');
    isAway = false;
    const directory = await EventDirectory.open(options);
    isAway = true;
    timers.advance(1_000);
    await expect.poll(() => directory.unhealthy()).toContain('the database is away');
    isAway = false;
    timers.advance(1_000);
    await expect.poll(() => directory.unhealthy()).toBeNull();
    await directory.close();
    expect(timers.waiting).toBe(0);
  });

  it('is seen by another instance within a second', async () => {
    const one = await open();
    const other = await open();
    const changed: string[] = [];
    const stop = other.directory.onChange((eventId) => changed.push(eventId));
    await one.admin.createEvent(one.change, describeTestEvent(1));
    other.timers.advance(1_000);
    await expect.poll(() => other.directory.findMarket('POLY-1-a')?.status).toBe('open');
    await one.admin.cancelMarket(one.change, 'POLY-1-a');
    other.timers.advance(1_000);
    await expect.poll(() => other.directory.findMarket('POLY-1-a')?.status).toBe('cancelled');
    expect(changed).toEqual(['POLY-1', 'POLY-1']);
    stop();
    for (const { directory, timers } of [one, other]) {
      await directory.close();
      expect(timers.waiting).toBe(0);
    }
  });

  async function open(outcomes: { readonly open?: MarketOutcome; readonly resolve?: MarketOutcome } = {}) {
    const records = new EventRecords(tested.store, 'n');
    const timers = new ManualTimers();
    const directory = await EventDirectory.open({ records, timers, outage: NO_LOG });
    const told: string[] = [];
    const delays: unknown[] = [];
    const ok: MarketOutcome = { ok: true };
    const answer = (text: string, outcome: MarketOutcome = ok) => {
      told.push(text);
      return Promise.resolve(outcome);
    };
    const operations: MarketOperations = {
      open: () => answer('open', outcomes.open),
      begin: async (markets) => {
        // The keeper finds them among the events.
        if (markets.every(({ marketId }) => directory.findMarket(marketId) !== null)) await answer('begin');
      },
      resolve: (marketId, result) => answer(`resolve ${marketId} ${result}`, outcomes.resolve),
      cancel: (marketId) => answer(`cancel ${marketId}`),
    };
    let drawn = 0;
    const admin = createPredictionAdmin({
      records,
      directory,
      network: 'n',
      now: () => BigInt(CREATED_AT),
      operations,
      onDelay: (marketId, reason) => delays.push([marketId, reason]),
      drawNumber: () => ++drawn,
    });
    const entries: object[] = [];
    const make = createTestChanges(tested.store);
    const change: MakeChange = (work) =>
      make(async (db) => {
        const done = await work(db);
        entries.push(done);
        return done;
      });
    return { admin, directory, timers, told, delays, change, entries };
  }
});

function m(change: Partial<NewPredictionEvent['markets'][number]>) {
  return { title: 'Market', ...change };
}

function throwIt(error: unknown): never {
  throw error;
}
