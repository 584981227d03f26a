import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleCases } from '../../testing/random.ts';
import { openTestLog, STORES } from '../../testing/store/test-store.ts';
import { analyse, chooseBucket } from './analytics.ts';
import { DAY_MS, HOUR_MS } from './log/log-tables.ts';
import { toLatencyBucket, getBucketMiddle } from './log/latency-buckets.ts';
import type { RequestEntry } from './log/request-entry.ts';
import { entryWith, NOW, openTestTraffic, OTHER, OWNER } from '../../testing/platform/traffic.ts';
import { openForEach } from '../../testing/opened.ts';

describe.each(STORES)('analyse on %s', (kind) => {
  const test = openForEach(() => openTestLog(kind), 'cleanUp');
  const log = openForEach(() => openTestTraffic(test.log));

  it('agrees with a sum over any requests', async () => {
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
      sampleCases(fc.array(entry, { minLength: 200, maxLength: 300 }), {
        cases: 1,
        seed: SEED,
        against: 'a sum over all requests',
      })[0] ?? [];
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
    for (const { organisationId, teamId: _team, keyId, ...row } of ofOrganisation.keys) {
      expect(organisationId).toBe('o1');
      const { latency: _, ...sums } = summed(own.filter(({ owner }) => owner?.keyId === keyId));
      expect(row).toEqual(sums);
    }
  });

  it('compares a range with the previous one, and counts statuses and countries', async () => {
    const hour = Math.floor(NOW / HOUR_MS) * HOUR_MS;
    for (const [at, status, country] of [
      [hour - 2 * HOUR_MS, 200, 'CH'],
      [hour - HOUR_MS - 1, 500, 'CH'],
      [hour - HOUR_MS, 404, 'DE'],
      [hour - 1, 200, null],
      [hour - 2, 429, null],
      [hour - 3, 200, 'DE'],
      [hour, 200, 'US'],
    ] as const) {
      log.record(entryWith({ at, status, country }));
    }
    const question = { since: hour - HOUR_MS, until: hour, organisationId: 'o1', teamId: null } as const;
    for (const per of ['minute', 'quarter-hour', 'hour'] as const) {
      const { total, previous, statuses, countries, series, ...rest } = await analyse(log, {
        ...question,
        per,
      });
      expect(rest.range).toEqual({ since: hour - HOUR_MS, until: hour });
      expect(rest.previousRange).toEqual({ since: hour - 2 * HOUR_MS, until: hour - HOUR_MS });
      expect(rest.countedSince).toBe(hour - 2 * HOUR_MS);
      expect(rest.previousSeries[0]).toMatchObject({ at: hour - 2 * HOUR_MS });
      expect(rest.previousSeries.reduce((sum, { requests }) => sum + requests, 0)).toBe(2);
      expect(total).toMatchObject({ requests: 4, clientErrors: 2, serverErrors: 0, errorShare: 0.5 });
      expect(previous).toMatchObject({ requests: 2, clientErrors: 0, serverErrors: 1, errorShare: 0.5 });
      expect(statuses).toEqual([
        { status: 200, requests: 2 },
        { status: 404, requests: 1 },
        { status: 429, requests: 1 },
      ]);
      expect(countries).toEqual(
        expect.arrayContaining([
          { country: null, requests: 2 },
          { country: 'DE', requests: 2 },
        ]),
      );
      expect(countries).toHaveLength(2);
      expect(series.map(({ at, requests }) => [at - hour, requests])).toEqual(
        per === 'hour'
          ? [[-HOUR_MS, 4]]
          : [
              [-HOUR_MS, 1],
              [per === 'minute' ? -60_000 : -900_000, 3],
            ],
      );
    }
    const empty = await analyse(log, { ...question, organisationId: 'none', per: 'minute' });
    expect(empty.total).toMatchObject({ requests: 0, errorShare: null, latency: { p50: null } });
  });

  it('counts how often rules matched, and their outcomes', async () => {
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
      { organisationId: 'o1', teamId: 't1', rule: 'no', outcome: 'deny', requests: 2 },
      { organisationId: 'o1', teamId: 't1', rule: 'no', outcome: 'matched', requests: 2 },
      { organisationId: 'o1', teamId: 't1', rule: 'watch', outcome: 'matched', requests: 2 },
      { organisationId: 'o1', teamId: 't1', rule: 'watch', outcome: 'log', requests: 1 },
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
    latency: expect.objectContaining({
      p50: median === undefined ? null : getBucketMiddle(toLatencyBucket(median)),
    }),
  };
}

describe('chooseBucket', () => {
  it.each([
    [HOUR_MS, 'minute'],
    [HOUR_MS + 59_999, 'minute'],
    [HOUR_MS + 60_000, 'quarter-hour'],
    [DAY_MS + 59_999, 'quarter-hour'],
    [DAY_MS + 60_000, '6-hours'],
    [7 * DAY_MS + 59_999, '6-hours'],
    [7 * DAY_MS + 60_000, '12-hours'],
    [30 * DAY_MS + 59_999, '12-hours'],
    [30 * DAY_MS + 60_000, 'day'],
  ])('of a range of %d ms is %s', (length, bucket) => {
    expect(chooseBucket({ since: NOW - length, until: NOW }, NOW - 3 * DAY_MS)).toBe(bucket);
  });
});

const SEED = 20_261_121;
