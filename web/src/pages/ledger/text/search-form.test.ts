import { describe, expect, it } from 'vitest';
import { classifySearch } from './search-form.ts';

describe('classifySearch', () => {
  it.each([
    ['629bddf3-0038-43a6-8956-f5433d6b1191', 'order'],
    [' 5v2Vd71VoJ1wZhz1PkhTY48mrJwS6wF4LfvDbYPnJ3bc ', 'taker'],
    ['4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM5jNkmVbQz5mPZQ5Qm6Tz4mN5yyk8TmcqDHEt2CF2yFYnE', 'signature'],
    ['demo-maker', 'maker'],
    ['a', 'maker'],
    ['', null],
    ['<img src=x>', null],
    ['a b', null],
    ['-x', null],
    ['x'.repeat(65), 'signature'],
    ['0'.repeat(65), null],
  ])('says of %j that it is %s', (text, kind) => {
    expect(classifySearch(text)).toBe(kind);
  });
});
