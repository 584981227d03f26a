import { describe, expect, it } from 'vitest';
import { plainOf, plainText } from './plain-data.ts';

describe('plainOf', () => {
  it('makes an equal value of what plainText wrote', () => {
    const value = { a: [1n, new Uint8Array([1, 2]), null, { b: 'x' }] };
    expect(plainOf(plainText(value))).toEqual(value);
  });

  it('throws SyntaxError at a message that is nested deeply, as at one that is not JSON', () => {
    expect(() => plainOf('['.repeat(50_000) + ']'.repeat(50_000))).toThrow(SyntaxError);
    expect(() => plainOf('[')).toThrow(SyntaxError);
  });
});
