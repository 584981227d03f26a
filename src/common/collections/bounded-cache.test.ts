import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { BoundedCache } from './bounded-cache.ts';

describe('BoundedCache', () => {
  it('never holds more than twice its capacity', () => {
    const cache = new BoundedCache<number, number>(10);
    for (let i = 0; i < 1000; i++) {
      cache.set(i, i);
      expect(cache.size).toBeLessThanOrEqual(20);
      expect(cache.get(i)).toBe(i);
    }
  });

  it('keeps entries that are read and drops others', () => {
    const cache = new BoundedCache<string, number>(4);
    cache.set('kept', 1);
    cache.set('forgotten', 2);
    for (let i = 0; i < 100; i++) {
      cache.set(`other ${i}`, i);
      expect(cache.get('kept')).toBe(1);
    }
    expect(cache.get('forgotten')).toBeUndefined();
  });

  it('returns the value that was set last', () => {
    const cache = new BoundedCache<string, number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    cache.set('c', 3);
    cache.set('a', 4);
    cache.set('d', 5);
    expect(cache.get('a')).toBe(4);
  });

  it('has the last value of each key, and all recently used keys', () => {
    const key = fc.nat(12);
    const step = fc.oneof(
      fc.record({ kind: fc.constant('get' as const), key }),
      fc.record({ kind: fc.constant('set' as const), key, value: fc.option(fc.nat(), { nil: undefined }) }),
    );
    const steps = fc.array(step, { size: 'max', maxLength: 100 });
    assertProperty(
      fc.property(fc.integer({ min: 1, max: 6 }), steps, (capacity, taken) => {
        const cache = new BoundedCache<number, number | undefined>(capacity);
        const values = new Map<number, number | undefined>();
        /** In order of use, the most recent last. */
        const used = new Set<number>();
        for (const each of taken) {
          const found = cache.find(each.key);
          const isAmongLast = [...used].slice(-capacity).includes(each.key);
          if (isAmongLast) expect(found).not.toBeUndefined();
          if (found !== undefined) expect(found).toEqual({ key: each.key, value: values.get(each.key) });
          if (each.kind === 'set') {
            cache.set(each.key, each.value);
            values.set(each.key, each.value);
          }
          if (found !== undefined || each.kind === 'set') {
            used.delete(each.key);
            used.add(each.key);
          }
          expect(cache.size).toBeLessThanOrEqual(2 * capacity);
        }
      }),
      { cases: 500, seed: 20_261_121 },
    );
  });

  it('returns the key that was set, not the one passed to find', () => {
    const cache = new BoundedCache<string, number>(1);
    const key = 'kept';
    const entry = cache.set(key, 1);
    expect(cache.find('kept')).toBe(entry);
    cache.set('other', 2);
    expect(cache.find('kept')).toBe(entry);
  });

  it('throws for a capacity below one', () => {
    for (const capacity of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => new BoundedCache(capacity)).toThrow(`at least one entry, got a capacity of ${capacity}`);
    }
  });
});
