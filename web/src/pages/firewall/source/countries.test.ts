import { describe, expect, it } from 'vitest';
import { COUNTRIES, findCountryCode, findCountryName } from './countries.ts';

describe('findCountryCode', () => {
  it.each([
    ['Switzerland', 'CH'],
    [' switzerland ', 'CH'],
    ['Switzerland (CH)', 'CH'],
    ['ch', 'CH'],
    ['Swiss', null],
    ['European Union', null],
    ['XA', null],
    ['', null],
  ])('finds %j as %s', (typed, code) => {
    expect(findCountryCode(typed)).toBe(code);
  });

  it('finds each country by its name', () => {
    expect(COUNTRIES.filter(({ name, code }) => findCountryCode(name) !== code)).toEqual([]);
  });
});

describe('findCountryName', () => {
  it('knows no region that is no country', () => {
    expect(['EU', 'UN', 'ZZ', 'XB', 'ch', 'C'].map(findCountryName)).toEqual(Array(6).fill(null));
  });
});
