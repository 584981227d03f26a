import { describe, expect, it } from 'vitest';
import { parseTokenMetadata } from './token-metadata.ts';

describe('parseTokenMetadata', () => {
  it('writes the known fields again, without those that are null', () => {
    const all = {
      name: 'Token',
      symbol: 'TKN',
      description: 'é "quoted"',
      image: 'https://a.example/images/x',
      website: '',
      twitter: '@token',
      telegram: 'https://t.me/token',
    };
    expect(read(JSON.stringify(all, null, 2))).toEqual(all);
    expect(read('{"name":"a","symbol":"b","twitter":null,"name":"c"}')).toEqual({ name: 'c', symbol: 'b' });
  });

  it('writes nothing that could begin a tag', () => {
    const parsed = parseTokenMetadata(Buffer.from('{"name":"<script>alert(1)</script>","symbol":"b"}'));
    expect(parsed.ok && Buffer.from(parsed.bytes).toString()).toBe(
      '{"name":"\\u003cscript\\u003ealert(1)\\u003c/script\\u003e","symbol":"b"}',
    );
    expect(read('{"name":"<b>","symbol":"b"}')).toEqual({ name: '<b>', symbol: 'b' });
  });

  it.each([
    ['not json', '{name', /must be a JSON object in UTF-8/],
    ['a list', '[]', /must be a JSON object/],
    ['null', 'null', /must be a JSON object/],
    ['deep nesting', `{"name":${'['.repeat(100)}${']'.repeat(100)}}`, /must be a JSON object/],
    ['no name', '{"symbol":"b"}', /name must be given/],
    ['a blank symbol', '{"name":"a","symbol":" "}', /symbol must be given/],
    ['another field', '{"name":"a","symbol":"b","animation_url":"x"}', /"animation_url" is no field/],
    ['a field of the language', '{"name":"a","symbol":"b","__proto__":{"x":1}}', /"__proto__" is no field/],
    ['an inherited name', '{"name":"a","symbol":"b","constructor":"x"}', /"constructor" is no field/],
    ['a number', '{"name":1,"symbol":"b"}', /name must be a text, got 1/],
    ['a long name', `{"name":"${'a'.repeat(101)}","symbol":"b"}`, /at most 100 characters, got 101/],
    ['a script as image', '{"name":"a","symbol":"b","image":"javascript:alert(1)"}', /image must be an http/],
    ['a page as image', '{"name":"a","symbol":"b","image":"data:text/html,x"}', /image must be an http/],
    [
      'a script as website',
      '{"name":"a","symbol":"b","website":" JavaScript:alert(1)"}',
      /website must be an http/,
    ],
    [
      'a script as website, with a line break as browsers ignore it',
      '{"name":"a","symbol":"b","website":"java\\nscript:alert(1)"}',
      /website must be an http/,
    ],
    [
      'a script as twitter, after a control character',
      '{"name":"a","symbol":"b","twitter":"\\u0001javascript:alert(1)"}',
      /twitter must be an http/,
    ],
    [
      'an address that is none',
      '{"name":"a","symbol":"b","telegram":"https://["}',
      /telegram must be an http/,
    ],
  ])('refuses %s', (_what, text, message) => {
    const parsed = parseTokenMetadata(Buffer.from(text));
    expect(parsed.ok ? '' : parsed.message).toMatch(message);
  });

  it('refuses bytes that are no UTF-8', () => {
    expect(parseTokenMetadata(Buffer.from([0x7b, 0xff, 0x7d])).ok).toBe(false);
  });
});

function read(text: string): unknown {
  const parsed = parseTokenMetadata(Buffer.from(text));
  return parsed.ok ? JSON.parse(Buffer.from(parsed.bytes).toString()) : parsed;
}
