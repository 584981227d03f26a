import { describe, expect, it } from 'vitest';
import { ShapeError, shape } from './json-shape.ts';

describe('shape', () => {
  const read = shape.object({
    id: shape.text,
    name: shape.nullable(shape.text),
    atoms: shape.optional(shape.whole, 0n),
    levels: shape.optional(shape.list(shape.number), []),
    counts: shape.optional(shape.record(shape.number), new Map()),
  });

  it('reads the members that it names, exactly, and leaves others out', () => {
    const answer = {
      id: 'acme',
      name: null,
      atoms: '18446744073709551616',
      levels: [1],
      counts: { a: 2 },
      b: 3,
    };
    expect(read(answer)).toEqual({
      id: 'acme',
      name: null,
      atoms: 18_446_744_073_709_551_616n,
      levels: [1],
      counts: new Map([['a', 2]]),
    });
    expect(read({ id: '' })).toEqual({ id: '', name: null, atoms: 0n, levels: [], counts: new Map() });
  });

  it.each([
    null,
    'acme',
    [],
    {},
    { id: 1 },
    { id: 'a', name: 1 },
    { id: 'a', atoms: '1.5' },
    { id: 'a', atoms: 1 },
    { id: 'a', atoms: '1'.repeat(100) },
    { id: 'a', levels: {} },
    { id: 'a', levels: ['1'] },
    { id: 'a', levels: [Number.NaN] },
    { id: 'a', levels: Array(20_000).fill(1) },
    { id: 'a', counts: [] },
    JSON.parse('{"__proto__":{"id":"a"}}'),
  ])('refuses %j', (answer) => {
    expect(() => read(answer)).toThrow(ShapeError);
  });
});
