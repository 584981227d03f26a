import { describe, expect, it } from 'vitest';
import { formatDistance } from './format-distance.ts';

describe('formatDistance', () => {
  it.each([
    [0, 90_000, '1 min ago'],
    [90_000, 0, 'in 1 min'],
    [0, 1_500, 'now'],
    [0, 3 * 86_400_000 + 5, '3 d ago'],
    [5_000, 0, 'now'],
    [25_000, 0, 'in 25 s'],
    [Number.NaN, 0, 'at an unknown time'],
  ])('says of %s at %s: %s', (at, now, text) => {
    expect(formatDistance(at, now)).toBe(text);
  });
});
