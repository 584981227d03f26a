import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { parseJson, RawJson, toJson } from './json.ts';

describe('parseJson', () => {
  it('preserves integers that a double cannot represent', () => {
    expect(
      parseJson('{"lamports":18446744073709551615,"list":[-9007199254740993,1,{"n":9007199254740992}]}'),
    ).toEqual({
      lamports: 18446744073709551615n,
      list: [-9007199254740993n, 1, { n: 9007199254740992n }],
    });
  });

  it('does not change other long sequences of digits', () => {
    const text =
      '["18446744073709551615", "a\\"18446744073709551615", 0.12345678901234567, 1.5e300, 1234567890123456]';
    expect(parseJson(text)).toEqual(JSON.parse(text));
    expect(parseJson('{"18446744073709551615":18446744073709551615}')).toEqual({
      '18446744073709551615': 18446744073709551615n,
    });
  });

  it('accepts text that imitates the quoted form', () => {
    expect(parseJson('["18446744073709551615",18446744073709551615]')).toEqual([
      '18446744073709551615',
      18446744073709551615n,
    ]);
  });

  it('throws where JSON.parse throws', () => {
    for (const text of ['', '{', '[1,]', '01', '18446744073709551615 2', '"\u0000"', 'nul']) {
      expect(() => parseJson(text)).toThrow(SyntaxError);
    }
  });

  it('does not let a member named __proto__ change a prototype', () => {
    const parsed = parseJson('{"__proto__":{"polluted":18446744073709551615}}') as Record<string, unknown>;
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(Object.hasOwn({}, 'polluted')).toBe(false);
  });
});

describe('toJson', () => {
  it('returns the same text as JSON.stringify', () => {
    assertProperty(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(toJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { cases: 100, seed: SEED, against: 'JSON.stringify' },
    );
  });

  it('round-trips integers of any size', () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.string(),
        fc.maxSafeInteger(),
        fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n }),
        fc.bigInt({ max: -(2n ** 53n), min: -(2n ** 63n) }),
        fc.constantFrom(null, true, false),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    assertProperty(
      fc.property(value, (each) => {
        expect(parseJson(toJson(each))).toEqual(each);
      }),
      { cases: 100, seed: SEED },
    );
  });

  it('leaves out undefined members, and writes null for numbers that JSON cannot represent', () => {
    expect(
      toJson({ a: undefined, b: [Number.NaN, Number.POSITIVE_INFINITY, undefined], c: new RawJson('[1]') }),
    ).toBe('{"b":[null,null,null],"c":[1]}');
  });
});

it('parseJson restores integers of up to 40 digits, and throws for deeply nested text', () => {
  expect(parseJson(`[${'9'.repeat(40)}]`)).toEqual([10n ** 40n - 1n]);
  expect(parseJson(`[${'9'.repeat(41)}]`)).toEqual([1e41]);
  expect(() => parseJson('['.repeat(9_000) + ']'.repeat(9_000))).toThrow(SyntaxError);
});

const SEED = 20_250_301;
