import { describe, expect, it } from 'vitest';
import {
  formatUtcInput,
  parseUtcInput,
  readTrafficRange,
  toRangeQuery,
  toRangeSearch,
} from './traffic-range.ts';

const NOW = Date.UTC(2026, 10, 30, 1, 2, 3);

describe('readTrafficRange', () => {
  it.each([
    [{}, { kind: 'preset', name: '24h', ms: 86_400_000 }],
    [{ range: '1h' }, { kind: 'preset', name: '1h', ms: 3_600_000 }],
    [{ range: 'constructor' }, { kind: 'preset', name: '24h', ms: 86_400_000 }],
    [
      { since: '5', until: '9' },
      { kind: 'own', since: 5, until: 9 },
    ],
    [
      { since: '9', until: '9' },
      { kind: 'own', since: 9, until: null },
    ],
    [
      { since: '9', until: '-1' },
      { kind: 'own', since: 9, until: null },
    ],
    [
      { since: '9', range: '7d' },
      { kind: 'own', since: 9, until: null },
    ],
    [{ since: '1e3' }, { kind: 'preset', name: '24h', ms: 86_400_000 }],
    [{ since: '9999999999999999' }, { kind: 'preset', name: '24h', ms: 86_400_000 }],
  ])('reads %j', (search, range) => {
    expect(readTrafficRange(search, '24h')).toEqual(range);
  });

  it('is written back to the address as it was read', () => {
    for (const search of [{ range: '7d' }, { since: '5' }, { since: '5', until: '9' }])
      expect(toRangeSearch(readTrafficRange(search, '24h'))).toEqual(search);
  });
});

describe('toRangeQuery', () => {
  it('asks from the beginning to now, or to the end that was chosen', () => {
    expect(toRangeQuery(readTrafficRange({ range: '1h' }, '24h'), NOW)).toEqual({ since: NOW - 3_600_000 });
    expect(toRangeQuery(readTrafficRange({ since: '5', until: '9' }, '24h'), NOW)).toEqual({
      since: 5,
      until: 9,
    });
  });
});

describe('parseUtcInput', () => {
  it('reads what formatUtcInput writes, whatever the time zone of the machine is', () => {
    expect(formatUtcInput(NOW)).toBe('2026-11-30T01:02');
    expect(parseUtcInput(formatUtcInput(NOW))).toBe(Date.UTC(2026, 10, 30, 1, 2));
  });

  it.each(['', '2026-13-01T00:00', '2026-01-01', 'now', '99999-01-01T00:00', '1960-01-01T00:00'])(
    'returns null for %j',
    (text) => expect(parseUtcInput(text)).toBeNull(),
  );
});
