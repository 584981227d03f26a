import fc from 'fast-check';
import { expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { OldestFirst } from './oldest-first.ts';

it('OldestFirst has the entries of a plain map, and its oldest entry is the first', () => {
  const key = fc.nat(6);
  const step = fc.oneof(
    fc.record({ kind: fc.constant('set' as const), key, value: fc.nat() }),
    fc.record({ kind: fc.constant('delete' as const), key }),
    fc.record({ kind: fc.constant('give up the oldest' as const) }),
    fc.record({ kind: fc.constant('look' as const) }),
  );
  assertProperty(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const [map, model] = [new OldestFirst<number, number>(), new Map<number, number>()];
      for (const taken of steps) {
        const [first] = model;
        if (taken.kind === 'set') {
          map.set(taken.key, taken.value);
          model.set(taken.key, taken.value);
        } else if (taken.kind === 'delete') {
          expect(map.delete(taken.key)).toBe(model.delete(taken.key));
        } else {
          expect(map.oldest()).toEqual(first ?? null);
          if (taken.kind === 'look' || first === undefined) continue;
          map.delete(first[0]);
          model.delete(first[0]);
        }
        expect(map.size).toBe(model.size);
        expect([...map.entries()]).toEqual([...model]);
        expect([...map.values()]).toEqual([...model.values()]);
      }
    }),
    { cases: 2_000, seed: SEED, against: 'a map' },
  );
});

it('OldestFirst distinguishes undefined values from missing entries', () => {
  const map = new OldestFirst<string, undefined>();
  expect(map.oldest()).toBeNull();
  map.set('a', undefined);
  expect(map.oldest()).toEqual(['a', undefined]);
});

const SEED = 20_261_121;
