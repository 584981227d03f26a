import { describe, expect, it } from 'vitest';
import { formatLogQuery, readLogFilters, readLogRange } from './log-search.ts';

describe('readLogFilters', () => {
  it('takes what the endpoint knows, and nothing else of the address', () => {
    const search = { status: '5xx', view: 'live', request: 'x', range: '1h', rule: ' a b ', path: '' };
    expect(readLogFilters(search, true)).toEqual({ status: '5xx', rule: 'a b' });
  });

  it('takes the team out of a key that is named with it', () => {
    expect(readLogFilters({ key: 'web/app/1' }, false)).toEqual({ team: 'web', key: 'app/1' });
    expect(readLogFilters({ key: 'a/b', team: 'web' }, false)).toEqual({ team: 'web', key: 'a/b' });
    expect(readLogFilters({ key: 'none' }, true)).toEqual({ key: 'none' });
    expect(readLogFilters({ key: '/x' }, true)).toEqual({ key: '/x' });
  });

  it('leaves out another organisation on the page of one', () => {
    expect(readLogFilters({ organisation: 'other', team: 'web' }, false)).toEqual({ team: 'web' });
    expect(readLogFilters({ organisation: 'other' }, true)).toEqual({ organisation: 'other' });
  });
});

describe('readLogRange', () => {
  it('is all that the log keeps for a request that is named by its id', () => {
    expect(readLogRange({}, { requestId: 'x' })).toEqual({ kind: 'own', since: 0, until: null });
    expect(readLogRange({ range: '1h' }, { requestId: 'x' })).toMatchObject({ name: '1h' });
    expect(readLogRange({}, {})).toMatchObject({ name: '24h' });
  });
});

describe('formatLogQuery', () => {
  it('escapes what a filter has', () => {
    expect(formatLogQuery({ rule: 'a&b=c', path: '/é#?' }, { limit: 5, cursor: undefined })).toBe(
      'rule=a%26b%3Dc&path=%2F%C3%A9%23%3F&limit=5',
    );
  });
});
