import { describe, expect, it } from 'vitest';
import { fillDays } from './fill-days.ts';

describe('fillDays', () => {
  it('adds the days without requests', () => {
    const row = { of: '2027-02-28', team: null, requests: 3, credits: 2, errors: 1 };
    const days = fillDays([row], Date.parse('2027-02-27T23:00:00Z'), Date.parse('2027-03-01T01:00:00Z'));
    expect(days.map(({ of, requests }) => [of, requests])).toEqual([
      ['2027-02-27', 0],
      ['2027-02-28', 3],
      ['2027-03-01', 0],
    ]);
  });

  it('draws no more than a year and a month', () => {
    expect(fillDays([], 0, Date.parse('2027-03-01T00:00:00Z')).length).toBe(401);
  });
});
