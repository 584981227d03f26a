import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { compileValidator } from './validation.ts';

const validatorOf = (httpPart: string) =>
  compileValidator({
    schema: Type.Object({ name: Type.Optional(Type.String()) }),
    httpPart,
    method: 'POST',
    url: '/',
  });

/** What a request of one part is told; null: it is let through. */
function refusal(httpPart: string, given: unknown): string | null {
  const result = validatorOf(httpPart)(given);
  return typeof result === 'object' && 'error' in result && result.error instanceof Error
    ? result.error.message
    : null;
}

describe('a text with the character U+0000, which not every database holds', () => {
  it.each([
    ['params', { name: 'a\0b' }, 'path parameter name must not hold the character U+0000'],
    ['querystring', { name: '\0' }, 'query parameter name must not hold the character U+0000'],
    ['querystring', { other: ['a', '\0'] }, 'query parameter other must not hold the character U+0000'],
    ['body', { more: { deep: [1, { er: 'x\0' }] } }, 'body field more must not hold the character U+0000'],
  ])('is refused in %s %j', (httpPart, given, message) => {
    expect(refusal(httpPart, given)).toBe(message);
  });

  it('is all that is refused of what the schema lets through, however deep or wide it is', () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 20_000; level++) deep = [deep];
    const wide = Array.from({ length: 300_000 }, () => null);
    for (const body of [{}, { name: 'a\u0001b' }, { deep, wide, none: null, number: 1 }]) {
      expect(refusal('body', body)).toBeNull();
    }
  });
});
