import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../src/testing/random.ts';
import { formatExactJson, parseExactJson, toExactJson } from './exact-json.ts';

describe('parseExactJson', () => {
  it('keeps integers beyond 2^53, the notation of numbers and the order of members', () => {
    for (const text of [
      '{"b":18446744073709551615,"2":1,"1":-0,"a":1.50e+2}',
      '[[],{},"",null,true,false]',
    ]) {
      const reading = parseExactJson(text);
      expect(reading.ok && formatExactJson(reading.value)).toBe(text);
    }
  });

  it('reads what JSON.parse reads, in any notation, and refuses what it refuses', () => {
    assertProperty(
      fc.property(fc.jsonValue(), fc.nat(4), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const reading = parseExactJson(text);
        expect(reading.ok && formatExactJson(reading.value, indent)).toBe(text);
        expect(reading.ok && formatExactJson(toExactJson(value), indent)).toBe(text);
      }),
      { cases: 100, seed: 4410 },
    );
    assertProperty(
      fc.property(fc.string({ unit: fc.constantFrom(...'[]{}:,"\\1-.e tnu\n'), maxLength: 12 }), (text) => {
        expect(parseExactJson(text).ok, text).toBe(isJson(text));
      }),
      { cases: 100, seed: 4411 },
    );
  });

  it('says what is wrong, and in which line', () => {
    expect(parseExactJson('{\n"a": 1,\n}')).toEqual({
      ok: false,
      error: { message: 'the name of a member must stand in double quotes', line: 3 },
    });
    expect(parseExactJson('')).toMatchObject({ ok: false, error: { line: 1 } });
  });

  it('refuses a text that is nested too deeply, instead of exhausting the stack', () => {
    expect(parseExactJson('['.repeat(100_000))).toMatchObject({ ok: false });
  });

  it('has a member with the name of a prototype as any other', () => {
    const reading = parseExactJson('{"__proto__":{"a":1}}');
    expect(reading.ok && formatExactJson(reading.value)).toBe('{"__proto__":{"a":1}}');
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
