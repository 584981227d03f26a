import { describe, expect, it } from 'vitest';
import { MAX_JSON_DEPTH, parseBoundedJson } from './bounded-json.ts';

describe('parseBoundedJson', () => {
  it('returns the same values as JSON.parse', () => {
    for (const text of ['1', '"a"', ' null ', '[]', '{"a":[{"b":"\\"[[["},[]]}', '"\\\\"', '["\\\\\\"{"]']) {
      expect(parseBoundedJson(text)).toEqual(JSON.parse(text));
    }
  });

  it('accepts the maximum depth, and throws one level deeper before parsing', () => {
    expect(parseBoundedJson(nested(MAX_JSON_DEPTH))).toEqual(JSON.parse(nested(MAX_JSON_DEPTH)));
    const message = /^JSON may be nested 64 levels deep, got more at character \d+$/;
    for (const text of [
      nested(MAX_JSON_DEPTH + 1),
      nested(200_000),
      nested(200_000, '{"a":', '}'),
      '['.repeat(500_000),
    ]) {
      expect(() => parseBoundedJson(text)).toThrow(message);
      expect(() => parseBoundedJson(text)).toThrow(SyntaxError);
    }
  });

  it('ignores brackets in strings, and does not count siblings as depth', () => {
    const brackets = '['.repeat(1_000);
    expect(parseBoundedJson(`{"a":"${brackets}","b\\"${brackets}":"\\\\"}`)).toHaveProperty('a', brackets);
    expect(parseBoundedJson(`[${'[],'.repeat(1_000)}{}]`)).toHaveLength(1_001);
    expect(() => parseBoundedJson(`["\\\\",${nested(MAX_JSON_DEPTH)}]`)).toThrow(SyntaxError);
  });

  it.each(['', '[', '"', '"\\', '{"a"', '[1,]', ']'])('throws SyntaxError for %j', (text) => {
    expect(() => parseBoundedJson(text)).toThrow(SyntaxError);
  });
});

const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth);
