import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import { compilePattern } from './pattern.ts';

describe('compilePattern', () => {
  it.each([
    ['5..', ['500', '5ab'], ['50', '5000', '']],
    ['.*(execute|submit).*', ['/swap/v2/execute', 'submit'], ['/order', 'exec']],
    ['timeout|connection', ['timeout', 'connection'], ['timeouts', '']],
    ['a{2,3}b?', ['aa', 'aaab'], ['a', 'aaaa']],
    ['(?:ab)+?', ['ab', 'abab'], ['a', '']],
    ['[^a-c_]\\d\\.', ['x1.', 'é9.'], ['a1.', '_1.', 'x1x']],
    ['^a$', ['a'], ['ba', 'ab']],
    ['(a*)*', ['', 'aaa'], ['b']],
    ['', [''], ['a']],
    ['[]a-]', [']', 'a', '-'], ['b']],
    ['a|', ['a', ''], ['b']],
    ['.', ['\n', '😀'], ['', 'ab']],
    ['a{,2}', ['a{,2}'], ['a', 'aa']],
  ])('%s matches whole texts', (pattern, matching, others) => {
    const matches = compilePattern(pattern);
    expect(matching.filter((text) => !matches(text))).toEqual([]);
    expect(others.filter(matches)).toEqual([]);
  });

  it('takes no more than linear time for a pattern that others follow for hours', () => {
    expect(compilePattern('(a+)+(a|a)*(a*)*b')('a'.repeat(5_000))).toBe(false);
  });

  it.each([
    '(',
    ')',
    'a)',
    '[a',
    'a**',
    'a{2}{3}',
    'a+{2,}',
    '{2}',
    '(a|{1,2})',
    '*',
    '+a',
    '(?=a)',
    '(?i)a',
    '\\1',
    '\\p{L}',
    '[b-a]',
    'a{3,2}',
    'a{999}',
    '[[:alpha:]]',
    '\\',
    '((a{100}){100}){100}',
    '('.repeat(40),
    'a'.repeat(1_001),
  ])('refuses %s', (pattern) => {
    expect(() => compilePattern(pattern)).toThrow(/pattern/);
  });

  it('matches what regular expressions of JavaScript match', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '(?:ab|c)', '(a|)');
    const piece = fc
      .tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{2}', '{0,2}', '{1,}'))
      .map((parts) => parts.join(''));
    const pattern = fc
      .array(
        fc.array(piece, { maxLength: 4 }).map((parts) => parts.join('')),
        { minLength: 1, maxLength: 3 },
      )
      .map((parts) => parts.join('|'));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-'), maxLength: 8 });
    assertProperty(
      fc.property(pattern, fc.array(text, { maxLength: 10 }), (written, texts) => {
        const reference = new RegExp(`^(?:${written})$`, 's');
        const matches = compilePattern(written);
        expect(texts.map(matches)).toEqual(texts.map((one) => reference.test(one)));
      }),
      { cases: 5_000, seed: 4_601, against: 'RegExp' },
    );
  });
});
