import { describe, expect, it } from 'vitest';
import { getLowestLimit, parseLimit } from './limit-form.ts';

describe('parseLimit', () => {
  it.each([
    ['120', 120],
    [' 1000000 ', 1_000_000],
    ['1000001', null],
    ['0', null],
    ['', null],
    ['1.5', null],
    ['-1', null],
    ['1e3', null],
    ['12345678901234567890', null],
  ])('of %s is %s', (text, limit) => {
    expect(parseLimit(text, 1)).toBe(limit);
  });

  it('takes 0 where a key may be required', () => {
    expect(parseLimit('0', getLowestLimit('keyless', 'main'))).toBe(0);
    expect(parseLimit('0', getLowestLimit('keyless', 'execute'))).toBeNull();
    expect(parseLimit('0', getLowestLimit('free', 'main'))).toBeNull();
  });
});
