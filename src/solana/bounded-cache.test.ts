import { describe, expect, it } from 'vitest';
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

  it('keeps what is read and forgets what is not', () => {
    const cache = new BoundedCache<string, number>(4);
    cache.set('kept', 1);
    cache.set('forgotten', 2);
    for (let i = 0; i < 100; i++) {
      cache.set(`other ${i}`, i);
      expect(cache.get('kept')).toBe(1);
    }
    expect(cache.get('forgotten')).toBeUndefined();
  });

  it('answers with the value written last', () => {
    const cache = new BoundedCache<string, number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    cache.set('c', 3);
    cache.set('a', 4);
    cache.set('d', 5);
    expect(cache.get('a')).toBe(4);
  });

  it('refuses a capacity below one', () => {
    expect(() => new BoundedCache(0)).toThrow(RangeError);
  });
});
