import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../testing/random.ts';
import { computeEditDistance, findNearestName } from './nearest.ts';

describe('computeEditDistance', () => {
  it.each([
    ['', '', 0],
    ['abc', '', 3],
    ['rest-prot', 'rest-port', 1],
    ['kitten', 'sitting', 3],
    ['seed', 'sed', 1],
  ])('from %j to %j is %d', (left, right, distance) => {
    expect(computeEditDistance(left, right)).toBe(distance);
  });

  it('is symmetric, zero only for equal texts, and at most the longer length', () => {
    const text = fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'b', 'c') });
    assertProperty(
      fc.property(text, text, (left, right) => {
        const distance = computeEditDistance(left, right);
        expect(distance).toBe(computeEditDistance(right, left));
        expect(distance === 0).toBe(left === right);
        expect(distance).toBeLessThanOrEqual(Math.max(left.length, right.length));
      }),
      { cases: 100, seed: 3 },
    );
  });
});

describe('nearest', () => {
  it('returns the most similar name', () => {
    expect(findNearestName('rest-prot', names)).toBe('rest-port');
    expect(findNearestName('SEED', names)).toBe('seed');
  });
  it('returns null when no name is similar', () => {
    expect(findNearestName('colour', names)).toBeNull();
    expect(findNearestName('x'.repeat(10_000), names)).toBeNull();
  });

  const names = ['rest-port', 'rpc-port', 'seed'];
});
