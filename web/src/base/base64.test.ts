import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../src/testing/random.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';

describe('encodeBase64', () => {
  it('agrees with that of Node', () => {
    assertProperty(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const text = encodeBase64(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64'));
        expect(decodeBase64(text)).toEqual(bytes);
      }),
      { cases: 100, seed: 4416 },
    );
  });
});

describe('decodeBase64', () => {
  it.each(['*', 'a', 'é', 'AA=A'])('refuses %j', (text) => {
    expect(decodeBase64(text)).toBeNull();
  });
});
