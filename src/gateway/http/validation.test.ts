import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { joinedListText } from '../../products/parameters/parameter-schema.ts';
import { compileValidator } from './validation.ts';

describe('a query parameter that is a list', () => {
  it.each([
    [{ names: 'a,b' }, ['a', 'b']],
    [{ names: ['a', 'b'] }, ['a', 'b']],
    [{ 'names[0]': 'a', 'names[1]': 'b' }, ['a', 'b']],
    [{ 'names[]': 'a' }, ['a']],
    [{ 'names[]': ['a', 'b'] }, ['a', 'b']],
    [{ names: 'a, b', 'names[]': ['c', 'd,e'], other: 'f' }, ['a', 'b', 'c', 'd', 'e']],
    [{ 'names[]': 'a', names: ',' }, ['a']],
  ])('is read from %j', (query, names) => {
    const result = validate(query);
    expect(result).toEqual({ value: { ...('other' in query ? { other: query.other } : {}), names } });
  });

  it('is absent when it is empty', () => {
    expect(validate({ names: '' })).toEqual({ value: {} });
    expect(validate({ 'names[]': ['', ' , '] })).toEqual({ value: {} });
  });

  it('leaves parameters with brackets that are not lists unchanged', () => {
    expect(validate({ 'other[]': 'a' })).toEqual({ value: { 'other[]': 'a' } });
  });

  const validate = compileValidator({
    schema: Type.Object({
      names: Type.Optional(Type.Array(Type.String())),
      other: Type.Optional(Type.String()),
    }),
    httpPart: 'querystring',
    method: 'GET',
    url: '/',
  });
});

describe('a query parameter that is a list in one text', () => {
  it.each([
    [{ names: ' a , b ,' }, ' a , b ,'],
    [{ names: ['a', ' b '] }, 'a,b'],
    [{ 'names[]': 'a', other: 'f' }, 'a'],
    [{ 'names[0]': 'a', 'names[1]': 'b,c', names: 'd' }, 'a,b,c,d'],
    [{ names: '' }, ''],
  ])('is read from %j', (query, names) => {
    expect(validate(query)).toEqual({
      value: { ...('other' in query ? { other: query.other } : {}), names },
    });
  });

  const validate = compileValidator({
    schema: Type.Object({ names: joinedListText('Names.'), other: Type.Optional(Type.String()) }),
    httpPart: 'querystring',
    method: 'GET',
    url: '/',
  });
});

describe('an optional field of a body with null', () => {
  it.each([
    [{ needed: 1, text: null, choice: null, list: null }, { needed: 1 }],
    [
      { needed: 1, inner: { a: null, b: 'b' }, list: [{ a: null, b: 'b' }] },
      { needed: 1, inner: { b: 'b' }, list: [{ b: 'b' }] },
    ],
    [
      { needed: 1, cleared: null, any: null, inner: null, unknown: null },
      { needed: 1, cleared: null, any: null, inner: null, unknown: null },
    ],
  ])('is absent, unless null has a meaning: %j', (body, value) => {
    expect(validate(body)).toEqual({ value });
  });

  it.each([
    [{ needed: null }, 'body field needed must be a whole number, got null'],
    [{ needed: 1, inner: { b: null } }, /^body field inner/],
    [{ needed: 1, list: [null] }, /^body field list\[0\]/],
    [null, /^the body must be an object, got null/],
    [[{ needed: null }], /^the body must be an object/],
  ])('is refused where a value is required: %j', (body, message) => {
    expect(validate(body)).toMatchObject({ error: { message: expect.stringMatching(message) } });
  });

  const Inner = Type.Object({ a: Type.Optional(Type.String()), b: Type.String() });
  const validate = compileValidator({
    schema: Type.Object({
      needed: Type.Integer(),
      text: Type.Optional(Type.String({ maxLength: 3 })),
      choice: Type.Optional(Type.Enum(['x', 'y'])),
      cleared: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      any: Type.Optional(Type.Unknown()),
      inner: Type.Optional(Type.Union([Inner, Type.Null()])),
      list: Type.Optional(Type.Array(Inner)),
    }),
    httpPart: 'body',
    method: 'POST',
    url: '/',
  });
});

describe('a text with the character U+0000', () => {
  it.each([
    ['params', { name: 'a\0b' }, 'path parameter name must not hold the character U+0000'],
    ['querystring', { name: '\0' }, 'query parameter name must not hold the character U+0000'],
    ['querystring', { other: ['a', '\0'] }, 'query parameter other must not hold the character U+0000'],
    ['body', { more: { deep: [1, { er: 'x\0' }] } }, 'body field more must not hold the character U+0000'],
  ])('is refused in %s %j', (httpPart, given, message) => {
    expect(refusal(httpPart, given)).toBe(message);
  });

  it('is the only value that is refused beyond the schema, however deep or wide the body is', () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 20_000; level++) deep = [deep];
    const wide = Array.from({ length: 300_000 }, () => null);
    for (const body of [{}, { name: 'a\u0001b' }, { deep, wide, none: null, number: 1 }]) {
      expect(refusal('body', body)).toBeNull();
    }
  });
});

const validatorOf = (httpPart: string) =>
  compileValidator({
    schema: Type.Object({ name: Type.Optional(Type.String()) }),
    httpPart,
    method: 'POST',
    url: '/',
  });

/** The sentence of the refusal of a part of a request; null when the part is valid. */
function refusal(httpPart: string, given: unknown): string | null {
  const result = validatorOf(httpPart)(given);
  return typeof result === 'object' && 'error' in result && result.error instanceof Error
    ? result.error.message
    : null;
}

describe('a field of a body that takes several types', () => {
  it.each([
    [{ amount: 1.5 }, 'body field amount must be a text or a whole number, got 1.5'],
    [{ amount: true }, 'body field amount must be a text or a whole number, got true'],
    [{ amount: '1234' }, 'body field amount must have at most 3 characters, got "1234"'],
    [{ amount: '1', name: 5 }, 'body field name must be a text, got 5'],
  ])('is refused in %j with all of them', (body, message) => {
    expect(validate(body)).toMatchObject({ error: { message } });
  });

  const validate = compileValidator({
    schema: Type.Object({
      amount: Type.Union([Type.String({ maxLength: 3 }), Type.Integer()]),
      name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
    httpPart: 'body',
    method: 'POST',
    url: '/',
  });
});
