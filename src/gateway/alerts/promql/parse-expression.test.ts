import { describe, expect, it } from 'vitest';
import { parseExpression } from './parse-expression.ts';
import { RuleError } from './rule-error.ts';

describe('parseExpression', () => {
  it('parses by the precedence of PromQL, from the left', () => {
    expect(parseExpression('a - b - 1 > 2 * c + 1')).toMatchObject({
      operator: '>',
      left: { operator: '-', left: { operator: '-', left: { metric: 'a' } }, right: { value: 1 } },
      right: { operator: '+', left: { operator: '*' }, right: { value: 1 } },
    });
  });

  it('reads selectors with each kind of matcher, and both places of by', () => {
    const before = parseExpression(
      'sum by (a, b) (rate(jobs_total{x="1", y!="2", z=~"3|4", w!~\'5.*\',}[1h30m]))',
    );
    const after = parseExpression('sum(rate(jobs_total{x="1"}[90m])) by (a, b) # a comment');
    for (const one of [before, after])
      expect(one).toMatchObject({
        operation: 'sum',
        by: ['a', 'b'],
        of: { function: 'rate', rangeMs: 5_400_000, of: { metric: 'jobs_total' } },
      });
    const { of } = before as unknown as {
      of: { of: { matchers: { matches: (value: string) => boolean }[] } };
    };
    expect(of.of.matchers.map(({ matches }) => ['1', '2', '3', '55'].map(matches))).toEqual([
      [true, false, false, false],
      [true, false, true, true],
      [false, false, true, false],
      [true, true, true, false],
    ]);
  });

  it('reads numbers and texts as they are written', () => {
    expect(parseExpression('1e3')).toEqual({ kind: 'number', value: 1_000 });
    expect(parseExpression('-.5')).toEqual({ kind: 'number', value: -0.5 });
    const quoted = parseExpression(String.raw`a{b="x\"\\\n"}`) as unknown as {
      matchers: { matches: (value: string) => boolean }[];
    };
    expect(quoted.matchers[0]?.matches('x"\\\n')).toBe(true);
  });

  it.each([
    ['', 'the end'],
    ['a +', 'the end'],
    ['(a', '")" is expected'],
    ['a b', '"b"'],
    ['a[5m]', '"["'],
    ['rate(a)', 'needs a range'],
    ['rate(a[5])', 'is not a range'],
    ['rate(a[0s])', 'is not a range'],
    ['rate(sum(a)[5m])', 'needs a range'],
    ['avg(a)', 'the function avg is not supported'],
    ['absent(a)', 'the function absent is not supported'],
    ['a and b', '"and"'],
    ['a == bool 1', '"1"'],
    ['a / on (x) b', 'the function on is not supported'],
    ['a offset 5m', '"offset"'],
    ['a ^ 2', '"^ 2"'],
    ['1 > 2', 'compares two numbers'],
    ['sum(1)', 'needs series'],
    ['histogram_quantile(a, b)', 'must be a number'],
    ['a{b=1}', 'quotation marks'],
    ['a{b>"1"}', 'does not compare labels'],
    ['a{b="\\x"}', 'is not supported'],
    ['a{b=~"("}', 'is not understood'],
    ['{a="b"}', '"{"'],
    ['a{__name__="a"}', 'the label __name__ is not supported'],
    ['sum by (__name__) (a)', 'the label __name__ is not supported'],
    ['a > Inf', 'the number Inf is not supported'],
    ['a == nan', 'the number nan is not supported'],
    ['1 2', '"2"'],
    ['5m', '"5m"'],
  ])('refuses %s with a sentence', (text, sentence) => {
    expect(() => parseExpression(text)).toThrow(RuleError);
    expect(() => parseExpression(text)).toThrow(sentence);
  });

  it('refuses what is too deep, too long or not closed', () => {
    expect(() => parseExpression(`${'('.repeat(60)}a${')'.repeat(60)}`)).toThrow('nested deeper');
    expect(() => parseExpression('a + '.repeat(2_000))).toThrow('longer than');
    expect(() => parseExpression(`"${'\\'.repeat(999)}`)).toThrow('is not understood');
  });
});
