import { describe, expect, it } from 'vitest';
import { formatCountShare } from './format-share.ts';

describe('formatCountShare', () => {
  it.each([
    [0, 0, null],
    [0, 5, '0%'],
    [5, 5, '100%'],
    [2, 3, '66.7%'],
    [99_999, 100_000, '99.9%'],
    [1, 100_000, '0.1%'],
  ])('says %d of %d as %s', (part, whole, text) => {
    expect(formatCountShare(part, whole)).toBe(text);
  });
});
