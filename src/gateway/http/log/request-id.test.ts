import { describe, expect, it } from 'vitest';
import { createRequestId } from './request-id.ts';

describe('createRequestId', () => {
  it('returns unique random UUIDs, with every digit at every free position', () => {
    const ids = Array.from({ length: 5_000 }, createRequestId);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(ids).size).toBe(ids.length);
    const digitsAt = (place: number) => new Set(ids.map((id) => id[place])).size;
    const numbers = Array.from({ length: 36 }, (_, place) => digitsAt(place));
    const free = Array<number>(4).fill(16);
    expect(numbers).toEqual([
      ...free,
      ...free,
      1,
      ...free,
      1,
      1,
      16,
      16,
      16,
      1,
      4,
      16,
      16,
      16,
      1,
      ...free,
      ...free,
      ...free,
    ]);
  });
});
