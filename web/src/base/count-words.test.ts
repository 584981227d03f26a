import { describe, expect, it } from 'vitest';
import { formatCounted, joinWords } from './count-words.ts';

describe('formatCounted', () => {
  it('takes the noun of one, of several and of a plural that is not regular', () => {
    expect(formatCounted(1, 'key')).toBe('1 key');
    expect(formatCounted(0, 'key')).toBe('0 keys');
    expect(formatCounted(1_200, 'entry', 'entries')).toBe('1\u202f200 entries');
  });
});

describe('joinWords', () => {
  it.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b'], 'a or b'],
    [['a', 'b', 'c'], 'a, b or c'],
  ])('joins %j', (words, text) => {
    expect(joinWords(words, 'or')).toBe(text);
  });
});
