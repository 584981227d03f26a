import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LogDatabase, NeverTaken } from '../../store/log/log-database.ts';
import { openTestLog, STORES, type TestLog } from '../../store/store-for-tests.ts';
import { analyse } from './analytics.ts';
import { DAY_MS, HOUR_MS } from './log-tables.ts';
import { type LogFilter, type LogQuestion, queryLog } from './log-query.ts';
import { bucketOf, middleOf } from './latency-buckets.ts';
import type { RequestEntry } from './request-entry.ts';
import { entryWith, NOW, openTestTraffic, OWNER } from './traffic-for-tests.ts';
import type { TrafficLog } from './traffic-log.ts';
import { creditsOfMonth, monthOf, monthsIn, usageBy } from './usage.ts';
import type { Page } from '../paging.ts';
import { granted } from '../granted-for-tests.ts';
import { refusedAs } from '../refused-for-tests.ts';

const SEED = 20_261_121;
const ALL: LogQuestion = { filter: {}, since: NOW - 200 * DAY_MS, until: NOW + DAY_MS };
const OTHER = { organisationId: 'o2', teamId: 't2', keyId: 'k2' };
const MONTH = { organisationId: OWNER.organisationId, since: NOW - 30 * DAY_MS, until: NOW + HOUR_MS };

describe.each(STORES)('the request log on %s', (kind) => {
  let test: TestLog;
  let log: TrafficLog;
  beforeEach(async () => {
    test = await openTestLog(kind);
    log = await openTestTraffic(test.log);
  });
  afterEach(() => test.cleanUp());

  const find = async (filter: LogFilter) => granted(await queryLog(log, { ...ALL, filter }, {})).items;

  it('gives back what was recorded, whole, the newest first', async () => {
    const entries = [
      entryWith({ at: NOW - 3 * DAY_MS }),
      entryWith({
        at: NOW - 1,
        owner: null,
        status: 401,
        decision: 'unauthorised',
        endpoint: '',
        credits: 0,
      }),
      entryWith({
        at: NOW,
        path: '/swap/\'";--%00\\u0000 é',
        decision: 'firewall-deny',
        status: 403,
        firewall: { outcome: 'deny', rule: 'no "swaps"', matched: ['no "swaps"', 'watch, all'] },
      }),
    ];
    for (const entry of entries) log.record(entry);
    expect(granted(await queryLog(log, ALL, {})).items).toEqual([...entries].reverse());
  });

  it('finds by every filter', async () => {
    const wanted = entryWith({
      owner: OTHER,
      status: 429,
      method: 'POST',
      path: '/price/v3',
      decision: 'firewall-limit',
      firewall: { outcome: 'limit', rule: 'slow', matched: ['slow'] },
    });
    for (const entry of [entryWith(), wanted, entryWith({ status: 404 })]) log.record(entry);
    const filters: LogFilter[] = [
      { organisationId: 'o2' },
      { teamId: 't2' },
      { keyId: 'k2' },
      { requestId: wanted.requestId },
      { status: '429' },
      { status: '4xx', method: 'POST' },
      { method: 'POST' },
      { path: '/price' },
      { decision: 'firewall-limit' },
      { rule: 'slow' },
    ];
    for (const filter of filters) expect(await find(filter), JSON.stringify(filter)).toEqual([wanted]);
    expect(await find({ status: '4xx' })).toHaveLength(2);
    expect(await find({ teamId: "t2' or '1'='1" })).toEqual([]);
    expect(granted(await queryLog(log, { ...ALL, until: NOW }, {})).items).toEqual([]);
  });

  it('turns pages over days without losing or repeating a line, many of one millisecond among them', async () => {
    const entries = Array.from({ length: 23 }, (_, index) => entryWith({ at: NOW - (index % 4) * DAY_MS }));
    for (const entry of entries) log.record(entry);
    const seen: RequestEntry[] = [];
    let next: string | null = null;
    do {
      const page: Page<RequestEntry> = granted(
        await queryLog(log, ALL, {
          limit: 5,
          ...(next === null ? {} : { cursor: next }),
        }),
      );
      expect(page.items.length).toBe(page.next === null ? 3 : 5);
      seen.push(...page.items);
      next = page.next;
    } while (next !== null);
    expect(seen.map(({ at }) => at)).toEqual([...seen].map(({ at }) => at).sort((one, other) => other - one));
    expect(new Set(seen.map(({ requestId }) => requestId)).size).toBe(23);
  });

  it('refuses what is no cursor and no status', async () => {
    expect(await queryLog(log, ALL, { cursor: 'x' })).toEqual(
      refusedAs('invalid-value', 'cursor must be the next of a page before'),
    );
    const forged = Buffer.from(JSON.stringify([1.5, 'x'])).toString('base64url');
    expect(await queryLog(log, ALL, { cursor: forged })).toEqual(
      refusedAs('invalid-value', 'cursor must be'),
    );
    expect(await queryLog(log, { ...ALL, filter: { status: '600' } }, {})).toEqual(
      refusedAs('invalid-value', 'status must be such as 404 or 4xx, got "600"'),
    );
  });

  it('keeps days, and drops those that are over with what was counted of them', async () => {
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
    expect(await usageBy(log, 'day', { ...MONTH, until: now })).toHaveLength(2);
    if (kind === 'postgresql') {
      const partitions = await test.log.query(
        "select count(*) from pg_inherits where inhparent = 'request_log'::regclass",
        [],
      );
      expect(Number(partitions[0]?.[0])).toBe(4);
    }
  });

  it('still has what was written after it was opened anew', async () => {
    const entry = entryWith();
    log.record(entry);
    await log.close();
    log = await openTestTraffic(await test.reopen());
    expect(await find({})).toEqual([entry]);
  });

  it('adds up usage of several instances, exactly', async () => {
    const second = await openTestTraffic(test.log);
    for (let index = 0; index < 30; index++) {
      const instance = index % 2 === 0 ? log : second;
      instance.record(
        entryWith({ credits: 100, at: NOW - (index % 3) * HOUR_MS, status: index < 3 ? 404 : 200 }),
      );
      if (index % 7 === 0) await instance.flush();
    }
    await Promise.all([log.flush(), second.flush()]);
    log.record(entryWith({ owner: OTHER, credits: 7 }));
    log.record(entryWith({ owner: { ...OWNER, keyId: 'k9' }, endpoint: '/price/v3', credits: 5 }));
    expect(await usageBy(log, 'key', MONTH)).toEqual([
      { of: 'k1', requests: 30, errors: 3, credits: 3_000 },
      { of: 'k9', requests: 1, errors: 0, credits: 5 },
    ]);
    expect(await usageBy(log, 'endpoint', { ...MONTH, teamId: 't1' })).toMatchObject([
      { of: '/swap/v2/build', credits: 3_000 },
      { of: '/price/v3', credits: 5 },
    ]);
    const days = await usageBy(log, 'day', MONTH);
    expect(days.reduce((sum, { credits }) => sum + credits, 0)).toBe(3_005);
    expect(await creditsOfMonth(log, 'o1', 'pro', monthOf(NOW))).toMatchObject({ used: 3_005, overage: 0 });
    expect(await creditsOfMonth(log, 'none', 'pro', monthOf(NOW))).toMatchObject({ used: 0 });
  });

  it('says what is used beyond the plan', async () => {
    log.record(entryWith({ credits: 25_000_042 }));
    log.record(entryWith({ credits: 1, at: NOW - 40 * DAY_MS }));
    expect(await creditsOfMonth(log, 'o1', 'developer', monthOf(NOW))).toEqual({
      plan: 'developer',
      since: Date.UTC(2026, 8),
      until: Date.UTC(2026, 9),
      used: 25_000_042,
      included: 25_000_000,
      overage: 42,
    });
    const free = await creditsOfMonth(log, 'o1', 'free', monthOf(NOW));
    expect(free).toMatchObject({ included: null, overage: 0 });
  });

  it('counts what was answered around the end of a month to the month in which it was', async () => {
    const end = Date.UTC(2028, 2);
    for (const [index, at] of [end - 1, end, end + 1, Date.UTC(2028, 1) - 1].entries()) {
      log.record(entryWith({ credits: 10 ** index, at }));
    }
    const months = monthsIn({ since: end - 40 * DAY_MS, until: end + 2 });
    expect(months.map(({ since }) => new Date(since).toISOString().slice(0, 10))).toEqual([
      '2028-03-01',
      '2028-02-01',
      '2028-01-01',
    ]);
    const used = [];
    for (const month of months) used.push((await creditsOfMonth(log, 'o1', 'pro', month)).used);
    expect(used).toEqual([110, 1, 1_000]);
    expect(monthsIn({ since: 0, until: end })).toHaveLength(12);
    expect(monthsIn({ since: end, until: end + 1 })).toEqual([monthOf(end)]);
    expect(monthsIn({ since: end - 1, until: end })).toEqual([monthOf(end - 1)]);
  });

  it('writes a batch once, whatever became of the first attempt', async () => {
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
    expect(await usageBy(log, 'key', MONTH)).toEqual([{ of: 'k1', requests: 4, errors: 0, credits: 40 }]);
  });

  it('goes on behind a line that the tables do not take, and counts what it cost', async () => {
    const defects: unknown[] = [];
    log = await openTestTraffic(test.log, { onDefect: (error) => defects.push(error) });
    log.record(entryWith({ client: undefined as unknown as string }));
    await log.flush();
    expect(defects).toEqual([expect.any(NeverTaken)]);
    const later = entryWith();
    log.record(later);
    expect(await find({})).toEqual([later]);
    expect(log).toMatchObject({ waiting: 0, dropped: 1 });
    expect(await usageBy(log, 'endpoint', MONTH)).toMatchObject([{ requests: 2 }]);
  });

  it('drops lines when too many wait, says so, and counts what they cost', async () => {
    const failing = failOnce(test.log);
    log = await openTestTraffic(failing.database, { onDefect: () => undefined });
    failing.next = 'always';
    for (let index = 0; index < 20_010; index++) log.record(entryWith({ credits: 1 }));
    await log.flush();
    expect([log.waiting, log.dropped]).toEqual([20_000, 10]);
    failing.next = null;
    expect(await usageBy(log, 'key', MONTH)).toMatchObject([{ requests: 20_010, credits: 20_010 }]);
    expect(log.waiting).toBe(0);
  });

  it('keeps so many lines of refused requests in a second, and counts the others', async () => {
    const refused = { owner: null, decision: 'unauthorised', status: 401, credits: 0 } as const;
    for (let index = 0; index < 300; index++)
      log.record(entryWith({ ...refused, at: NOW + (index < 250 ? 0 : 1_000) }));
    log.record(entryWith({ owner: null }));
    expect(granted(await queryLog(log, ALL, { limit: 1_000 })).items).toHaveLength(251);
    expect(log.dropped).toBe(50);
    const question = {
      since: NOW - DAY_MS,
      until: NOW + HOUR_MS,
      per: 'day',
      organisationId: null,
      teamId: null,
    } as const;
    expect((await analyse(log, question)).total).toMatchObject({ requests: 301, clientErrors: 300 });
  });

  it('analyses what any requests add up to', async () => {
    const entry = fc
      .record({
        at: fc.integer({ min: 0, max: 5 }).map((hours) => NOW - hours * HOUR_MS),
        owner: fc.constantFrom(OWNER, OTHER, { ...OWNER, keyId: 'k9' }, null),
        endpoint: fc.constantFrom('/swap/v2/build', '/price/v3', ''),
        status: fc.constantFrom(200, 404, 429, 500),
        decision: fc.constantFrom('admitted' as const, 'plan-limit' as const),
        handlerUs: fc.nat({ max: 100_000 }),
        credits: fc.nat({ max: 100 }),
      })
      .map(entryWith);
    const entries =
      fc.sample(fc.array(entry, { minLength: 200, maxLength: 300 }), { seed: SEED, numRuns: 1 })[0] ?? [];
    for (const one of entries) log.record(one);
    const question = { since: NOW - DAY_MS, until: NOW + HOUR_MS, per: 'hour', teamId: null } as const;
    const whole = await analyse(log, { ...question, organisationId: null });
    expect(whole.total).toMatchObject(summed(entries));
    for (const { at, ...row } of whole.series) {
      expect(row).toMatchObject(
        summed(entries.filter((one) => Math.floor(one.at / HOUR_MS) * HOUR_MS === at)),
      );
    }
    expect(whole.series).toHaveLength(6);
    for (const { endpoint, ...row } of whole.endpoints) {
      expect(row).toMatchObject(summed(entries.filter((one) => one.endpoint === endpoint)));
    }
    const own = entries.filter(({ owner }) => owner?.organisationId === 'o1');
    const ofOrganisation = await analyse(log, { ...question, organisationId: 'o1', per: 'day' });
    expect(ofOrganisation.total).toMatchObject(summed(own));
    for (const { keyId, ...row } of ofOrganisation.keys) {
      const { latency: _, ...sums } = summed(own.filter(({ owner }) => owner?.keyId === keyId));
      expect(row).toEqual(sums);
    }
  });

  it('tells how often rules matched, and what came of it', async () => {
    const firewall = (outcome: string, rule: string, matched: string[]) => ({
      firewall: { outcome, rule, matched },
    });
    log.record(entryWith(firewall('deny', 'no', ['no', 'watch'])));
    log.record(entryWith(firewall('deny', 'no', ['no'])));
    log.record(entryWith(firewall('log', 'watch', ['watch'])));
    log.record(entryWith());
    const question = {
      since: NOW - DAY_MS,
      until: NOW + 1,
      per: 'day',
      organisationId: 'o1',
      teamId: 't1',
    } as const;
    const { firewall: rules, firewallSeries } = await analyse(log, question);
    expect(rules).toEqual([
      { teamId: 't1', rule: 'no', outcome: 'deny', requests: 2 },
      { teamId: 't1', rule: 'no', outcome: 'matched', requests: 2 },
      { teamId: 't1', rule: 'watch', outcome: 'matched', requests: 2 },
      { teamId: 't1', rule: 'watch', outcome: 'log', requests: 1 },
    ]);
    const at = Math.floor(NOW / DAY_MS) * DAY_MS;
    expect(firewallSeries).toEqual([
      { at, outcome: 'deny', requests: 2 },
      { at, outcome: 'log', requests: 1 },
    ]);
  });
});

/** By counting, without buckets: the median is the middle of the bucket in which the true one lies. */
function summed(entries: readonly RequestEntry[]) {
  const times = entries
    .filter(({ decision }) => decision === 'admitted')
    .map(({ gatewayUs, handlerUs, sendUs }) => gatewayUs + handlerUs + sendUs)
    .sort((one, other) => one - other);
  const median = times[Math.max(Math.ceil(times.length / 2), 1) - 1];
  return {
    requests: entries.length,
    clientErrors: entries.filter(({ status }) => status >= 400 && status < 500).length,
    serverErrors: entries.filter(({ status }) => status >= 500).length,
    credits: entries.reduce((sum, { credits }) => sum + credits, 0),
    latency: expect.objectContaining({ p50: median === undefined ? null : middleOf(bucketOf(median)) }),
  };
}

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
