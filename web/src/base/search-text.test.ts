import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../src/testing/random.ts';
import { formatSearch, parseSearch } from './search-text.ts';

describe('parseSearch', () => {
  it('keeps amounts as texts', () => {
    expect(parseSearch('?amount=18446744073709551615&x=true')).toEqual({
      amount: '18446744073709551615',
      x: 'true',
    });
  });

  it('reads what formatSearch has written, whatever the names are', () => {
    // A surrogate that stands alone has no form in an address.
    const text = fc.string({ unit: 'grapheme' });
    assertProperty(
      fc.property(fc.dictionary(text, text), (search) => {
        expect({ ...parseSearch(formatSearch(search)) }).toEqual({ ...search });
      }),
      { cases: 100, seed: 4412 },
    );
  });
});

describe('formatSearch', () => {
  it('leaves out what is undefined', () => {
    expect(formatSearch({ a: undefined })).toBe('');
    expect(formatSearch({ a: undefined, b: 'c d' })).toBe('?b=c+d');
  });
});
