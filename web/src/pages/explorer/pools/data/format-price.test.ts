import { describe, expect, it } from 'vitest';
import { formatDistance, formatDollarNumber, formatNumber, formatPercent } from './format-price.ts';

describe('formatNumber', () => {
  it.each([
    [200.000000000008, '200'],
    [0.0000001025, '0.0000001025'],
    [9_756_097.560975, '9\u202f756\u202f098'],
    [0, '0'],
    [1e300, '1.000000e+300'],
    [Number.NaN, '–'],
    [Number.POSITIVE_INFINITY, '–'],
  ])('formats %s as %s', (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });
});

describe('formatDistance', () => {
  it.each([
    [199.5, 200, '0.25% below the price'],
    [215, 200, '7.5% above the price'],
    [200.00000001, 200, 'at the price'],
  ])('says how far %s is from %s', (price, reference, text) => {
    expect(formatDistance(price, reference)).toBe(text);
  });
});

describe('the other formats of pools', () => {
  it('have units, and a dash for what is no number', () => {
    expect([formatPercent(0.0025), formatPercent(Number.NaN)]).toEqual(['0.25%', '–']);
    expect(formatDollarNumber(20_733_053.7)).toBe('$20\u202f733\u202f053.70');
    expect(formatDollarNumber(1e-30)).toBe('$0.00');
  });
});
