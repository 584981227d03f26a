import { describe, expect, it } from 'vitest';
import { openTestLog, STORES } from '../../testing/store/test-store.ts';
import { DAY_MS, HOUR_MS } from './log/log-tables.ts';
import { entryWith, MONTH, NOW, openTestTraffic, OTHER, OWNER } from '../../testing/platform/traffic.ts';
import { readCreditsByOrganisation, readMonthCredits, getMonth, listMonths, readUsage } from './usage.ts';
import { openForEach } from '../../testing/opened.ts';

describe.each(STORES)('usage on %s', (kind) => {
  const test = openForEach(() => openTestLog(kind), 'cleanUp');
  const log = openForEach(() => openTestTraffic(test.log));

  it('adds up the usage of several instances exactly', async () => {
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
    expect(await readUsage(log, 'key', MONTH)).toEqual([
      { of: 'k1', requests: 30, errors: 3, credits: 3_000 },
      { of: 'k9', requests: 1, errors: 0, credits: 5 },
    ]);
    expect(await readUsage(log, 'endpoint', { ...MONTH, teamId: 't1' })).toMatchObject([
      { of: '/swap/v2/build', credits: 3_000 },
      { of: '/price/v3', credits: 5 },
    ]);
    const days = await readUsage(log, 'day', MONTH);
    expect(days.reduce((sum, { credits }) => sum + credits, 0)).toBe(3_005);
    expect(await readMonthCredits(log, 'o1', 'pro', getMonth(NOW))).toMatchObject({
      used: 3_005,
      overage: 0,
    });
    const creditsOf = await readCreditsByOrganisation(
      log,
      ['o1', OTHER.organisationId, 'none'],
      getMonth(NOW),
    );
    expect(['o1', OTHER.organisationId, 'none'].map(creditsOf)).toEqual([3_005, 7, 0]);
    expect(await readMonthCredits(log, 'none', 'pro', getMonth(NOW))).toMatchObject({ used: 0 });
  });

  it('states the overage of a plan', async () => {
    log.record(entryWith({ credits: 25_000_042 }));
    log.record(entryWith({ credits: 1, at: NOW - 40 * DAY_MS }));
    expect(await readMonthCredits(log, 'o1', 'developer', getMonth(NOW))).toEqual({
      plan: 'developer',
      since: Date.UTC(2026, 8),
      until: Date.UTC(2026, 9),
      used: 25_000_042,
      included: 25_000_000,
      overage: 42,
    });
    const free = await readMonthCredits(log, 'o1', 'free', getMonth(NOW));
    expect(free).toMatchObject({ included: null, overage: 0 });
  });

  it('counts requests around the end of a month in the month of their answer', async () => {
    const end = Date.UTC(2028, 2);
    for (const [index, at] of [end - 1, end, end + 1, Date.UTC(2028, 1) - 1].entries()) {
      log.record(entryWith({ credits: 10 ** index, at }));
    }
    const months = listMonths({ since: end - 40 * DAY_MS, until: end + 2 });
    expect(months.map(({ since }) => new Date(since).toISOString().slice(0, 10))).toEqual([
      '2028-03-01',
      '2028-02-01',
      '2028-01-01',
    ]);
    const used = [];
    for (const month of months) used.push((await readMonthCredits(log, 'o1', 'pro', month)).used);
    expect(used).toEqual([110, 1, 1_000]);
    expect(listMonths({ since: 0, until: end })).toHaveLength(12);
    expect(listMonths({ since: end, until: end + 1 })).toEqual([getMonth(end)]);
    expect(listMonths({ since: end - 1, until: end })).toEqual([getMonth(end - 1)]);
  });
});
