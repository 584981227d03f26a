import { describe, expect, it } from 'vitest';
import { findKeyProblems, type KeyTermsForm, toExpiresAt } from './key-terms.ts';

const NOW = Date.parse('2027-01-30T12:00:00Z');
const FORM: KeyTermsForm = { name: 'ci', products: null, expiry: 'never', date: '' };

describe('findKeyProblems', () => {
  it.each([
    [{}, [null, null, null]],
    [{ name: 'Bauserver ü 2' }, [null, null, null]],
    [{ name: ' ci' }, ['name', null, null]],
    [{ name: '\u202Eci' }, ['name', null, null]],
    [{ name: 'a'.repeat(65) }, ['name', null, null]],
    [{ products: [] }, [null, 'products', null]],
    [{ expiry: 'date', date: '2027-01-30' }, [null, null, null]],
    [{ expiry: 'date', date: '2027-01-29' }, [null, null, 'date']],
    [{ expiry: 'date', date: '2027-02-30' }, [null, null, 'date']],
    [{ expiry: 'date', date: '' }, [null, null, 'date']],
  ] as const)('of %j says %j', (changes, wrong) => {
    const { name, products, date } = findKeyProblems({ ...FORM, ...changes }, NOW);
    const found = { name, products, date };
    expect(
      Object.values(found).map((text, index) => (text === null ? null : Object.keys(found)[index])),
    ).toEqual(wrong);
  });
});

describe('toExpiresAt', () => {
  it.each([
    ['kept', undefined],
    ['never', null],
    ['30', NOW + 30 * 86_400_000],
    ['date', Date.parse('2027-02-01T00:00:00Z')],
  ] as const)('of %s is %s', (expiry, time) => {
    expect(toExpiresAt({ ...FORM, expiry, date: '2027-01-31' }, NOW)).toBe(time);
  });
});
