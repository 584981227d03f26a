import { describe, expect, it } from 'vitest';
import { formatMicroseconds, formatPercentage } from './traffic-text.ts';

describe('formatMicroseconds', () => {
  it.each([
    [740, '740 µs'],
    [1_240, '1.2 ms'],
    [803_400, '803 ms'],
    [3_400_000, '3.40 s'],
    [3_600_000_000, '3\u202f600 s'],
  ])('writes %d as %s', (microseconds, text) => expect(formatMicroseconds(microseconds)).toBe(text));
});

describe('formatPercentage', () => {
  it.each([
    [null, 'none'],
    [0, '0.0%'],
    [0.0284, '2.84%'],
    [0.95, '95.0%'],
    [1, '100.0%'],
  ])('of %s', (share, text) => expect(formatPercentage(share)).toBe(text));
});
