import { describe, expect, it } from 'vitest';
import { openTestLog, STORES } from '../../../testing/store/test-store.ts';
import { DAY_MS } from './log-tables.ts';
import { createEntryMatcher, type LogFilter } from './log-filter.ts';
import { queryLog } from './log-query.ts';
import type { RequestEntry } from './request-entry.ts';
import { ALL, entryWith, NOW, openTestTraffic, OTHER } from '../../../testing/platform/traffic.ts';
import type { Page } from '../../requests/paging.ts';
import { unwrap } from '../../../testing/platform/unwrap.ts';
import { refusedAs } from '../../../testing/platform/refused.ts';
import { openForEach } from '../../../testing/opened.ts';

describe.each(STORES)('queryLog on %s', (kind) => {
  const test = openForEach(() => openTestLog(kind), 'cleanUp');
  const log = openForEach(() => openTestTraffic(test.log));

  it('returns complete entries, the newest first', async () => {
    const entries = [
      entryWith({ at: NOW - 3 * DAY_MS }),
      entryWith({ at: NOW - 3, order: { requestId: 'one', router: 'metis', code: 0, signature: 'sig' } }),
      entryWith({ at: NOW - 2, order: { requestId: 'two', router: '', code: null, signature: '' } }),
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
    expect(unwrap(await queryLog(log, ALL, {})).items).toEqual([...entries].reverse());
  });

  it('selects by every filter', async () => {
    const wanted = entryWith({
      owner: OTHER,
      status: 429,
      method: 'POST',
      path: '/price/v3',
      decision: 'firewall-limit',
      firewall: { outcome: 'limit', rule: 'slow', matched: ['first', 'slow', 'a "b", c'] },
      client: '2001:db8::/64',
      country: null,
      endpoint: '',
      order: { requestId: 'one', router: 'metis', code: 0, signature: 'sig' },
    });
    const firewall = { outcome: 'log', rule: 'x', matched: ['a,"slow', 'slow"', '["first', 'a "b"'] };
    const entries = [entryWith(), wanted, entryWith({ status: 404, firewall })];
    for (const entry of entries) log.record(entry);
    const filters: LogFilter[] = [
      { organisationId: 'o2' },
      { teamId: 't2' },
      { keyId: 'k2' },
      { requestId: wanted.requestId },
      { status: '429' },
      { status: '4xx', method: 'POST' },
      { method: 'POST' },
      { path: '/price' },
      { group: 'price' },
      { decision: 'firewall-limit' },
      { rule: 'slow' },
      { matched: 'slow' },
      { matched: 'first' },
      { matched: 'a "b", c' },
      { outcome: 'limit' },
      { client: '2001:db8::/64' },
      { country: '' },
      { endpoint: '' },
      { order: 'one' },
    ];
    for (const filter of filters) {
      expect(await find(filter), JSON.stringify(filter)).toEqual([wanted]);
      expect(await match(entries, filter), JSON.stringify(filter)).toEqual([wanted]);
    }
    const counts: [LogFilter, number][] = [
      [{}, 3],
      [{ status: '4xx' }, 2],
      [{ group: 'pric' }, 0],
      [{ group: 'swap' }, 2],
      [{ teamId: "t2' or '1'='1" }, 0],
    ];
    for (const [filter, count] of counts) {
      expect(await find(filter)).toHaveLength(count);
      expect(await match(entries, filter)).toHaveLength(count);
    }
    expect(unwrap(await queryLog(log, { ...ALL, until: NOW }, {})).items).toEqual([]);
  });

  it('pages over days without losing or repeating a row, also if many have the same millisecond', async () => {
    const entries = Array.from({ length: 23 }, (_, index) => entryWith({ at: NOW - (index % 4) * DAY_MS }));
    for (const entry of entries) log.record(entry);
    const seen: RequestEntry[] = [];
    let next: string | null = null;
    do {
      const page: Page<RequestEntry> = unwrap(
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

  it('refuses an invalid cursor or status', async () => {
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

  const find = async (filter: LogFilter) => unwrap(await queryLog(log, { ...ALL, filter }, {})).items;
  /** A follower of the log must see what a query would find. */
  const match = async (entries: readonly RequestEntry[], filter: LogFilter) =>
    entries.filter(unwrap(await createEntryMatcher(filter)));
});
