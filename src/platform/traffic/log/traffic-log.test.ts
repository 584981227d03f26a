import { beforeEach, describe, expect, it } from 'vitest';
import { type LogDatabase, ConstraintViolated } from '../../../store/log/log-database.ts';
import { openTestLog, STORES } from '../../../testing/store/test-store.ts';
import { analyse, chooseBucket } from '../analytics.ts';
import { DAY_MS, HOUR_MS } from './log-tables.ts';
import type { LogFilter } from './log-filter.ts';
import { queryLog } from './log-query.ts';
import { ALL, entryWith, MONTH, NOW, openTestTraffic } from '../../../testing/platform/traffic.ts';
import type { TrafficLog } from './traffic-log.ts';
import { readUsage } from '../usage.ts';
import { unwrap } from '../../../testing/platform/unwrap.ts';
import { now } from '../../../testing/waits.ts';
import { openForEach } from '../../../testing/opened.ts';

describe.each(STORES)('TrafficLog on %s', (kind) => {
  let log: TrafficLog;
  const test = openForEach(() => openTestLog(kind), 'cleanUp');
  beforeEach(setUp);

  it('drops expired days with their counts', async () => {
    let now = NOW;
    log = await openTestTraffic(test.log, { days: 2, now: () => now });
    for (let day = 0; day < 4; day++) {
      log.record(entryWith({ at: now }));
      await log.flush();
      now += DAY_MS;
    }
    const today = Math.floor(now / DAY_MS);
    await log.tidy();
    expect(await log.days()).toEqual([today + 1, today, today - 1, today - 2]);
    expect(await readUsage(log, 'day', { ...MONTH, until: now })).toHaveLength(2);
    if (kind === 'postgresql') {
      const partitions = await test.log.query(
        "select count(*) from pg_inherits where inhparent = 'request_log'::regclass",
        [],
      );
      expect(Number(partitions[0]?.[0])).toBe(4);
    }
  });

  it('keeps the days of the database’s clock, whatever the clock of the instance says', async () => {
    log.record(entryWith());
    await log.flush();
    const ahead = NOW + 1_000 * DAY_MS;
    log = await openTestTraffic(test.log, { now: () => ahead, databaseNow: () => NOW });
    expect(await log.days()).toContain(Math.floor(NOW / DAY_MS));
    expect(await readUsage(log, 'day', { ...MONTH, until: NOW + DAY_MS })).toHaveLength(1);
    await log.close();
    expect(Math.abs((await test.log.now()) - now())).toBeLessThan(HOUR_MS);
  });

  it('has what was written when it is opened again', async () => {
    const entry = entryWith();
    log.record(entry);
    await log.close();
    log = await openTestTraffic(await test.reopen());
    expect(await find({})).toEqual([entry]);
  });

  it('writes a batch once, whether or not its first attempt was committed', async () => {
    const failing = failOnce(test.log);
    const defects: unknown[] = [];
    log = await openTestTraffic(failing.database, { onDefect: (error) => defects.push(error) });
    for (const when of ['before', 'after'] as const) {
      failing.next = when;
      log.record(entryWith({ credits: 10 }));
      await log.flush();
      expect(log.waiting).toBe(1);
      log.record(entryWith({ credits: 10 }));
      await log.flush();
      expect(log.waiting).toBe(0);
    }
    expect(defects).toHaveLength(2);
    expect(await find({})).toHaveLength(4);
    expect(await readUsage(log, 'key', MONTH)).toEqual([{ of: 'k1', requests: 4, errors: 0, credits: 40 }]);
  });

  it('continues after a row that the tables refuse, and counts its credits', async () => {
    const defects: unknown[] = [];
    log = await openTestTraffic(test.log, { onDefect: (error) => defects.push(error) });
    log.record(entryWith({ client: undefined as unknown as string }));
    await log.flush();
    expect(defects).toEqual([expect.any(ConstraintViolated)]);
    const later = entryWith();
    log.record(later);
    expect(await find({})).toEqual([later]);
    expect(log).toMatchObject({ waiting: 0, dropped: 1 });
    expect(await readUsage(log, 'endpoint', MONTH)).toMatchObject([{ requests: 2 }]);
  });

  it('drops rows when too many are waiting, reports it, and counts their credits', async () => {
    const failing = failOnce(test.log);
    log = await openTestTraffic(failing.database, { onDefect: () => undefined });
    failing.next = 'always';
    for (let index = 0; index < 20_010; index++) log.record(entryWith({ credits: 1 }));
    await log.flush();
    expect([log.waiting, log.dropped]).toEqual([20_000, 10]);
    failing.next = null;
    expect(await readUsage(log, 'key', MONTH)).toMatchObject([{ requests: 20_010, credits: 20_010 }]);
    expect(log.waiting).toBe(0);
  });

  it('logs a bounded number of refused requests per second, and counts all of them', async () => {
    const refused = { owner: null, decision: 'unauthorised', status: 401, credits: 0 } as const;
    for (let index = 0; index < 300; index++)
      log.record(entryWith({ ...refused, at: NOW + (index < 250 ? 0 : 1_000) }));
    log.record(entryWith({ owner: null }));
    expect(unwrap(await queryLog(log, ALL, { limit: 1_000 })).items).toHaveLength(151);
    expect(log.dropped).toBe(150);
    const question = {
      since: NOW - DAY_MS,
      until: NOW + HOUR_MS,
      per: 'day',
      organisationId: null,
      teamId: null,
    } as const;
    expect((await analyse(log, question)).total).toMatchObject({ requests: 301, clientErrors: 300 });
  });

  it('leaves room for the refused requests of an organisation, however many of others are refused', async () => {
    const unknown = { owner: null, decision: 'unauthorised', status: 401, credits: 0 } as const;
    for (let index = 0; index < 1_000; index++) log.record(entryWith(unknown));
    const before = log.dropped;
    for (let index = 0; index < 10; index++)
      log.record(entryWith({ decision: 'plan-limit', status: 429, credits: 0 }));
    expect(log.dropped).toBe(before);
  });

  it('drops the counts by the minute after three days, and keeps those by the hour', async () => {
    let now = NOW;
    log = await openTestTraffic(test.log, { now: () => now });
    log.record(entryWith());
    const question = { since: NOW - HOUR_MS, until: NOW + 1, organisationId: 'o1', teamId: null } as const;
    expect((await analyse(log, { ...question, per: 'minute' })).total.requests).toBe(1);
    now += 3 * DAY_MS + 60_000;
    await log.tidy();
    expect((await analyse(log, { ...question, per: 'minute' })).total.requests).toBe(0);
    expect((await analyse(log, { ...question, per: 'hour' })).total.requests).toBe(1);
    expect(chooseBucket(question, log.minutesSince)).toBe('hour');
  });

  async function setUp(): Promise<void> {
    log = await openTestTraffic(test.log);
  }

  const find = async (filter: LogFilter) => unwrap(await queryLog(log, { ...ALL, filter }, {})).items;
});

/** Fails the next batch before or after it is written, or every one. */
function failOnce(database: LogDatabase) {
  const failing = {
    next: null as 'before' | 'after' | 'always' | null,
    database: {
      ...database,
      write: async (statements: Parameters<LogDatabase['write']>[0]) => {
        const isBatch = statements[0]?.text.startsWith('insert into log_batches') === true;
        const when = isBatch ? failing.next : null;
        if (when !== 'always') failing.next = isBatch ? null : failing.next;
        if (when === 'before' || when === 'always') throw new Error('the connection was lost');
        await database.write(statements);
        if (when === 'after') throw new Error('the connection was lost');
      },
    },
  };
  return failing;
}
