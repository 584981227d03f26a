import { beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import { ConstraintViolated, type Statement } from '../../store/log/log-database.ts';
import { STORES } from '../../testing/store/test-store.ts';
import type { LandingReport, OpenLanding } from './landing-report.ts';
import { type LandingListQuery, LandingReports } from './landing-reports.ts';
import { openTestReports } from '../../testing/transactions/landing-reports.ts';
import { openForEach } from '../../testing/opened.ts';

describe.each(STORES)('LandingReports on %s', (kind) => {
  let defects: unknown[];
  const timers = openForEach(() => new ManualTimers());
  const test = openForEach(() => openTestReports(kind, timers), 'cleanUp');
  const reports = openForEach(() => test.open(), 'close');
  beforeEach(setUp);

  it('keeps what becomes of a transaction, and shows each organisation its own report', async () => {
    const [one, keyless] = [landing('one'), { ...landing('one', null), requestId: 'keyless' }];
    for (const report of [one, keyless]) reports.note(report, OPEN);
    expect(await reports.find('one', 'acme')).toEqual([one]);
    expect(await reports.find('one', 'other')).toEqual([]);
    const ended = {
      forwardedAt: 10,
      seenAt: 20,
      confirmedAt: 30,
      endedAt: 30,
      outcome: 'confirmed',
      slot: 7n,
    };
    for (const report of [one, keyless]) reports.note({ ...report, ...ended, sends: 3 }, null);
    expect(await reports.find('one')).toEqual(
      [keyless, one].map((report) => ({ ...report, ...ended, sends: 3 })),
    );
    expect(await outcomesOf('one', null)).toEqual([[null, 'confirmed']]);
    expect(await outcomesOf('keyless')).toEqual([[null, 'confirmed']]);
    expect(await reports.unfinished()).toEqual([]);
  });

  it('gives a later process what it needs to continue, and calls nothing under way that was given up', async () => {
    reports.note(landing('one'), OPEN);
    await reports.close();
    const later = test.open({ database: await test.reopen() });
    expect(await later.unfinished()).toMatchObject([
      {
        report: { signature: 'one', organisationId: 'acme', requestId: 'request of acme about one' },
        open: { wire: Buffer.from([1, 2, 3]), isDurable: true, lastHeight: 900n },
      },
    ]);
    expect(await later.find('one')).toMatchObject([{ outcome: null }]);
    timers.advance(600_001);
    expect(await later.find('one')).toMatchObject([{ outcome: 'unknown' }]);
    expect(await later.unfinished()).toEqual([]);
    await later.close();
  });

  it('joins what two instances see: the first time of each step, and the end', async () => {
    const other = test.open();
    const here = { ...landing('one'), forwardedAt: 10, sends: 4 };
    reports.note(here, OPEN);
    await reports.find('one');
    const times = { forwardedAt: 11, seenAt: 20, endedAt: 30, confirmedAt: 30 };
    other.note({ ...landing('one'), ...times, outcome: 'confirmed', sends: 2 }, null);
    await other.find('one');
    reports.note(here, OPEN);
    expect(await reports.find('one')).toMatchObject([
      { forwardedAt: 10, seenAt: 20, endedAt: 30, outcome: 'confirmed', sends: 4 },
    ]);
    expect(await reports.unfinished()).toEqual([]);
    await other.close();
  });

  it('says that a transaction landed, also if another instance does not see it', async () => {
    const confirmed = { ...landing('one'), confirmedAt: 30, endedAt: 30, outcome: 'confirmed', slot: 7n };
    reports.note(confirmed, null);
    await reports.find('one');
    const blind = test.open();
    blind.note({ ...landing('one'), endedAt: 90, outcome: 'expired', error: 'none of it' }, null);
    expect(await blind.find('one')).toEqual([confirmed]);
    await blind.close();
    const gone = { ...landing('two'), endedAt: 20, outcome: 'expired' };
    reports.note(gone, null);
    await reports.find('two');
    const sees = { ...landing('two'), confirmedAt: 30, endedAt: 30, outcome: 'confirmed', slot: 8n };
    reports.note(sees, null);
    expect(await reports.find('two')).toEqual([sees]);
  });

  it('tells of a transaction that is submitted again how it stands now, and lets a later process continue it', async () => {
    const refused = {
      ...landing('one'),
      endedAt: timers.now(),
      outcome: 'rejected',
      error: 'no such blockhash',
    };
    reports.note(refused, null);
    await reports.find('one');
    timers.advance(5);
    const again = { ...landing('one'), sends: 1 };
    reports.note(again, OPEN);
    expect(await reports.find('one')).toEqual([again]);
    expect(await reports.unfinished()).toMatchObject([{ open: { lastHeight: OPEN.lastHeight } }]);
    const confirmed = { ...again, confirmedAt: 30, endedAt: timers.now(), outcome: 'confirmed', slot: 7n };
    reports.note(confirmed, null);
    expect(await reports.find('one')).toEqual([confirmed]);
  });

  it('lists landings newest first, a page at a time, by outcome and owner, and counts them', async () => {
    const since = timers.now();
    const given = [
      { ...landing('old'), acceptedAt: since - 700_000 },
      ...['a', 'b', 'c', 'd'].map((name, index) => ({ ...landing(name), acceptedAt: since + index })),
      { ...landing('c', null), acceptedAt: since + 2 },
      { ...landing('e'), acceptedAt: since + 4, endedAt: since + 9, outcome: 'expired', error: 'too late' },
    ];
    for (const report of given) reports.note(report, OPEN);
    const range = { since: since - 1_000_000, until: since + 100, after: null, limit: 100 };
    const namesOf = (found: readonly LandingReport[]) => found.map(({ signature }) => signature).join('');
    const all = await reports.list(range);
    expect(namesOf(all)).toBe('edccbaold');
    expect(all.map(({ outcome }) => outcome)).toEqual(['expired', null, null, null, null, null, 'unknown']);
    const paged: LandingReport[] = [];
    for (let after: LandingListQuery['after'] = null; ; ) {
      const [one] = await reports.list({ ...range, after, limit: 1 });
      if (one === undefined) break;
      paged.push(one);
      after = { at: one.acceptedAt, signature: one.signature, owner: one.organisationId ?? '' };
    }
    expect(paged).toEqual(all);
    expect(namesOf(await reports.list({ ...range, outcome: 'under-way' }))).toBe('dccba');
    expect(namesOf(await reports.list({ ...range, outcome: 'unknown' }))).toBe('old');
    expect(namesOf(await reports.list({ ...range, outcome: 'expired' }))).toBe('e');
    expect(namesOf(await reports.list({ ...range, owner: null }))).toBe('c');
    expect(namesOf(await reports.list({ ...range, since: since + 1, until: since + 3 }))).toBe('ccb');
    expect(Object.fromEntries(await reports.countSince(since))).toEqual({ 'under-way': 5, expired: 1 });
    expect((await reports.countSince(since - 1_000_000)).get('unknown')).toBe(1);
  });

  it('says nothing about another network', async () => {
    reports.note(landing('one'), OPEN);
    await reports.find('one');
    const elsewhere = test.open({ network: 'another' });
    expect(await elsewhere.find('one')).toEqual([]);
    expect(await elsewhere.unfinished()).toEqual([]);
    await elsewhere.close();
  });

  it('keeps a week, and of each organisation a number, however many another one submits', async () => {
    reports.note(landing('old'), OPEN);
    timers.advance(7 * DAY_MS + 1);
    for (let index = 0; index < 5; index++) {
      reports.note(landing(`busy ${index}`, 'busy'), OPEN);
      timers.advance(1);
    }
    reports.note(landing('calm', 'calm'), OPEN);
    await reports.find('any');
    await reports.prune(3);
    expect(await outcomesOf('old')).toEqual([]);
    const kept = await Promise.all([0, 1, 2, 3, 4].map((index) => outcomesOf(`busy ${index}`)));
    expect(kept.map((found) => found.length)).toEqual([0, 0, 1, 1, 1]);
    expect(await outcomesOf('calm')).toEqual([['calm', null]]);
  });

  it('writes reports later if the database does not take them, and then the newest state', async () => {
    let isDown = true;
    const { database } = test;
    const failing = test.open({
      database: {
        ...database,
        write: (statements) =>
          isDown ? Promise.reject(new Error('the database is away')) : database.write(statements),
      },
      onDefect: (error) => defects.push(error),
    });
    const one = landing('one');
    failing.note(one, OPEN);
    expect(await failing.find('one')).toEqual([]);
    expect(defects.map(String)).toEqual(['Error: the database is away']);
    failing.note({ ...one, outcome: 'expired', endedAt: timers.now() }, null);
    isDown = false;
    expect(await failing.find('one')).toMatchObject([{ outcome: 'expired' }]);
    await failing.close();
  });

  it('loses a report that the tables never take, and keeps those around it', async () => {
    const { database } = test;
    const picky = test.open({
      database: {
        ...database,
        write: async (statements) => {
          if (JSON.stringify(statements.map(textOf)).includes('poison'))
            throw new ConstraintViolated('not this one');
          await database.write(statements);
        },
      },
      onDefect: (error) => defects.push(error),
    });
    const names = ['a', 'b', 'poison', 'c', 'd'];
    for (const name of names) picky.note(landing(name), OPEN);
    const found = await Promise.all(names.map((name) => picky.find(name)));
    expect(found.map(({ length }) => length)).toEqual([1, 1, 0, 1, 1]);
    expect(defects).toEqual([expect.any(ConstraintViolated)]);
    expect(picky.lost).toBe(1);
    await picky.close();
  });

  it('keeps reports beside one with a slot that no network can have', async () => {
    const lenient = test.open({ onDefect: (error) => defects.push(error) });
    const lied = { ...landing('lied'), outcome: 'confirmed', endedAt: 5, slot: (1n << 64n) - 1n };
    for (const report of [landing('before'), lied, landing('after')]) lenient.note(report, null);
    expect(await lenient.find('before')).toHaveLength(1);
    expect(await lenient.find('after')).toHaveLength(1);
    await lenient.close();
  });

  function setUp(): void {
    defects = [];
  }

  function landing(name: string, organisationId: string | null = 'acme'): LandingReport {
    const requestId = `request of ${organisationId} about ${name}`;
    const times = { acceptedAt: timers.now(), forwardedAt: null, seenAt: null, confirmedAt: null };
    const rest = { endedAt: null, outcome: null, slot: null, error: null, sends: 0, firstSeenBy: null };
    return { signature: name, organisationId, requestId, ...times, ...rest };
  }

  const outcomesOf = async (name: string, owner?: string | null) =>
    (await reports.find(name, owner)).map(({ organisationId, outcome }) => [organisationId, outcome]);
});

describe('LandingReports, while the database does not answer', () => {
  it('lose those first that have waited longest', async () => {
    const most = 20_000;
    let isDown = true;
    const written: string[] = [];
    const reports = new LandingReports({
      database: {
        kind: 'sqlite',
        query: async () => [],
        write: async (statements) => {
          if (isDown) throw new Error('the database is away');
          written.push(...statements.map(textOf));
        },
      },
      network: 'network',
      timers: new ManualTimers(),
      onDefect: () => undefined,
    });
    const note = (name: string) =>
      reports.note({ ...NOTHING_YET, signature: name, organisationId: null, requestId: name }, null);
    note('the first');
    await reports.find('any');
    for (let index = 0; index < most; index++) note(`later ${index}`);
    expect(reports.lost).toBe(1);
    isDown = false;
    await reports.close();
    const all = written.join();
    expect(['the first', 'later 0"', `later ${most - 1}"`].map((name) => all.includes(name))).toEqual([
      false,
      true,
      true,
    ]);
  });
});

const DAY_MS = 86_400_000;
const OPEN: OpenLanding = { wire: Uint8Array.of(1, 2, 3), isDurable: true, lastHeight: 900n };

/** A report that was accepted, of which nothing else is known. */
const NOTHING_YET = {
  acceptedAt: 0,
  forwardedAt: null,
  seenAt: null,
  confirmedAt: null,
  endedAt: null,
  outcome: null,
  slot: null,
  error: null,
  sends: 0,
  firstSeenBy: null,
};

/** The rows that a statement writes, as text. */
function textOf({ rows, parameters }: Statement): string {
  return rows === undefined ? parameters.join() : Buffer.from(rows).toString();
}
