import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { toKeyExcerpt, createInProcessKeyHasher, createKeyHasher, createApiKey } from './api-key.ts';

describe('createKeyHasher', () => {
  it('computes HMAC-SHA-256, whatever the lengths of secret and key', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    assertProperty(
      fc.property(text, fc.array(text, { minLength: 1, maxLength: 4 }), (secret, keys) => {
        const hashKey = createKeyHasher(secret);
        for (const key of keys) {
          expect(hashKey(key)).toBe(createHmac('sha256', secret).update(key).digest('hex'));
        }
      }),
      { cases: 40, short: 15, seed: 41 },
    );
  });

  it('computes test case 2 of RFC 4231', () => {
    expect(createKeyHasher('Jefe')('what do ya want for nothing?')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });
});

describe('createInProcessKeyHasher', () => {
  it('gives different keys different hashes, and other hashes each time it is created', () => {
    const [hashKey, other] = [createInProcessKeyHasher(), createInProcessKeyHasher()];
    expect(hashKey('one')).toBe(hashKey('one'));
    expect(hashKey('one')).not.toBe(hashKey('two'));
    expect(hashKey('one')).not.toBe(other('one'));
  });
});

describe('toKeyExcerpt', () => {
  it('shows the prefix and four characters of each end', () => {
    const key = createApiKey('jup_');
    expect(toKeyExcerpt(key, 'jup_')).toBe(`${key.slice(0, 8)}...${key.slice(-4)}`);
    expect(toKeyExcerpt(key, 'other_')).toBe(`${key.slice(0, 4)}...${key.slice(-4)}`);
  });

  it('returns null for a key that is too short', () => {
    expect(toKeyExcerpt(`jup_${'a'.repeat(31)}`, 'jup_')).toBeNull();
    expect(toKeyExcerpt(`jup_${'a'.repeat(32)}`, 'jup_')).toBe('jup_aaaa...aaaa');
  });
});
