import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../src/testing/random.ts';
import { lockStep } from './cases.ts';
import { Life } from './life.ts';
import { KINDS, LockWorld } from './world.ts';

describe.each(KINDS)('random lives of escrows of %s', (kind) => {
  it('account for every atom and lamport, whoever claims, cancels and closes them and whatever others send', () => {
    // A network for each life would be more programs in memory than a process may map.
    const world = new LockWorld(kind);
    const ends = new Set<string>();
    assertProperty(
      fc.property(fc.array(lockStep, { minLength: 25, maxLength: 50 }), (steps) => {
        const life = new Life(world, kind === 'a token with a transfer fee', ends);
        for (const each of steps) life.take(each);
      }),
      { cases: 500, short: 12, seed: 20_261_201 },
    );
    expect([...ends].sort()).toEqual(['cancel', 'claim', 'close', 'create', 'metadata', 'update']);
  });
});
