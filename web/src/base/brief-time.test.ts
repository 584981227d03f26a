import { describe, expect, it } from 'vitest';
import { formatBriefDuration } from './brief-time.ts';

describe('formatBriefDuration', () => {
  it.each([
    [-5, '0 ms'],
    [12.4, '12 ms'],
    [1_999, '1.9 s'],
    [59_999, '59 s'],
    [61_000, '1 min 1 s'],
    [120_000, '2 min'],
    [3_661_000, '1 h 1 min'],
    [90_000_000, '1 d 1 h'],
  ])('says %d ms as %s', (ms, text) => {
    expect(formatBriefDuration(ms)).toBe(text);
  });
});
