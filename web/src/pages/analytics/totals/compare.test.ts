import { describe, expect, it } from 'vitest';
import { describeChange, describeComparison, formatChange } from './compare.ts';

const HOUR_MS = 3_600_000;
const SINCE = Date.UTC(2026, 10, 28);
const RANGE = { since: SINCE, until: SINCE + 24 * HOUR_MS };

describe('describeComparison', () => {
  it('names the range before', () => {
    const { isWhole, text } = compareFrom(SINCE, 5);
    expect(isWhole).toBe(true);
    expect(text).toBe(
      'Compared with the range of the same length before: 2026-11-28 00:00:00 UTC to 2026-11-29 00:00:00 UTC.',
    );
  });

  it('says that there were no requests', () => {
    expect(compareFrom(SINCE - HOUR_MS, 0).text).toContain('there were no requests');
  });

  it.each([
    [null, 'No request is counted yet'],
    [RANGE.until, 'There is nothing to compare with'],
    [SINCE + HOUR_MS, 'is known in part only: requests are counted since 2026-11-28 01:00:00 UTC'],
  ])('does not compare with what was not counted: since %s', (countedSince, said) => {
    const { isWhole, text } = compareFrom(countedSince, 5);
    expect(isWhole).toBe(false);
    expect(text).toContain(said);
  });
});

describe('describeChange', () => {
  it.each([
    [0.25, true, '+25%, before: 8'],
    [-0.034, true, '−3.4%, before: 8'],
    [0, true, 'the same, before: 8'],
    [null, true, 'before: 8'],
    [0.25, false, undefined],
  ])('of %s, whole: %s', (change, isWhole, said) => {
    expect(describeChange(change, '8', { isWhole })).toBe(said);
  });
});

describe('formatChange', () => {
  it.each([
    [12.345, '+1\u202f235%'],
    [0.0999, '+10%'],
    [-1, '−100%'],
    [1e300, '+1\u202f000\u202f000\u202f000\u202f000\u202f000%'],
  ])('of %d', (change, text) => expect(formatChange(change)).toBe(text));
});

function compareFrom(countedSince: number | null, requests: number) {
  const latency = { p50: null, p90: null, p95: null, p99: null };
  return describeComparison({
    previousRange: RANGE,
    countedSince,
    previous: { requests, clientErrors: 0, serverErrors: 0, credits: 0, errorShare: null, latency },
  });
}
