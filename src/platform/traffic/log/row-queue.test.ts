import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import { type LogRow, RowQueue, type Rows } from './row-queue.ts';

describe('RowQueue', () => {
  it('returns rows in order, at most the given number at a time, all of one day', () => {
    const days = fc.integer({ min: 1, max: 2 });
    const row = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.maxSafeInteger()));
    assertProperty(
      fc.property(fc.array(fc.tuple(days, row)), (given) => {
        const queue = new RowQueue(MOST);
        for (const [day, one] of given) queue.add(day, one);
        expect(queue.size).toBe(given.length);
        const taken: [number, LogRow][] = [];
        for (let rows = queue.take(); rows !== null; rows = queue.take()) {
          const { day, count } = rows;
          expect(count).toBeLessThanOrEqual(MOST);
          const own = read(rows);
          expect(own).toHaveLength(count);
          taken.push(...own.map((one): [number, LogRow] => [day, one]));
          queue.release(rows);
        }
        expect(taken).toEqual(JSON.parse(JSON.stringify(given)));
        expect(queue.size).toBe(0);
      }),
      { cases: 100, seed: 20_260_131 },
    );
  });

  it('returns rows that share any cells with the row before', () => {
    const cell = fc.constantFrom<string | number>(0, 1, 12_345, '', 'a', 'b', 'ü', '"', '\ud800');
    const rows = fc.array(
      fc.oneof(fc.array(cell, { maxLength: 3 }), fc.tuple(cell, cell, cell, cell, cell, cell)),
      { maxLength: 20 },
    );
    assertProperty(
      fc.property(rows, (given) => {
        const queue = new RowQueue(given.length);
        for (const row of given) queue.add(1, row);
        const taken = queue.take();
        expect(taken === null ? [] : read(taken)).toEqual(given);
      }),
      { cases: 500, seed: 20_260_132 },
    );
  });

  it('writes null for values without a JSON form, as JSON.stringify does', () => {
    const queue = new RowQueue(MOST);
    for (let times = 0; times < 2; times++) {
      queue.add(1, [1, undefined as unknown as string, Number.NaN, Number.POSITIVE_INFINITY, 'x']);
    }
    const taken = queue.take();
    const written = [1, null, null, null, 'x'];
    expect(taken === null ? [] : read(taken)).toEqual([written, written]);
  });

  it('leaves taken rows unchanged until they are released', () => {
    const queue = new RowQueue(MOST);
    queue.add(1, ['x'.repeat(100_000)]);
    const first = queue.take();
    for (let index = 0; index < MOST; index++) queue.add(1, [index]);
    if (first === null) throw new Error('nothing was taken');
    expect(read(first)).toEqual([['x'.repeat(100_000)]]);
    queue.release(first);
    queue.add(2, ['later']);
    expect([queue.take(), queue.take()].map((rows) => rows && read(rows))).toEqual([
      [[0], [1], [2]],
      [['later']],
    ]);
  });
});

const MOST = 3;
const read = ({ json }: Rows): LogRow[] => JSON.parse(Buffer.from(json).toString());
