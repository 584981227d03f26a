import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyHasher } from './api-key.ts';

describe('keyHasher', () => {
  it('is HMAC-SHA-256, whatever the lengths of secret and key', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    fc.assert(
      fc.property(text, fc.array(text, { minLength: 1, maxLength: 4 }), (secret, keys) => {
        const hashKey = keyHasher(secret);
        for (const key of keys) {
          expect(hashKey(key)).toBe(createHmac('sha256', secret).update(key).digest('hex'));
        }
      }),
      { seed: 41, numRuns: 40 },
    );
  });

  it('is the one of RFC 4231, test case 2', () => {
    expect(keyHasher('Jefe')('what do ya want for nothing?')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });
});
