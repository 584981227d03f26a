import { describe, expect, it } from 'vitest';
import { parsePlain, serializePlain } from './plain-data.ts';

describe('parsePlain', () => {
  it('returns a value equal to the one passed to serializePlain', () => {
    const value = { a: [1n, new Uint8Array([1, 2]), null, { b: 'x' }] };
    expect(parsePlain(serializePlain(value))).toEqual(value);
  });

  it('throws SyntaxError for deeply nested text and for text that is not JSON', () => {
    expect(() => parsePlain('['.repeat(50_000) + ']'.repeat(50_000))).toThrow(SyntaxError);
    expect(() => parsePlain('[')).toThrow(SyntaxError);
  });
});
