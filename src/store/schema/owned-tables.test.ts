import { describe, expect, it } from 'vitest';
import { joinMigrations } from './owned-tables.ts';

describe('joinMigrations', () => {
  it('returns the migrations of all owners in the order of their numbers', () => {
    expect(joinMigrations([one, other])).toEqual([['a'], ['b'], ['c']]);
    expect(joinMigrations([other, one])).toEqual([['a'], ['b'], ['c']]);
  });

  it('refuses a number that two owners have', () => {
    const third = { owner: 'third', migrations: { 2: ['x'] } };
    expect(() => joinMigrations([one, other, third])).toThrow('other and third both have a migration 2');
  });

  it('refuses a number that nobody has', () => {
    expect(() => joinMigrations([one])).toThrow('nobody has migration 2, although there are 2');
    const zeroth = { owner: 'zeroth', migrations: { 0: ['x'] } };
    expect(() => joinMigrations([one, other, zeroth])).toThrow('nobody has migration 4');
  });
});

const one = { owner: 'one', migrations: { 1: ['a'], 3: ['c'] } };
const other = { owner: 'other', migrations: { 2: ['b'] } };
