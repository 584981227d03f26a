import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Row, RowQueue, type Rows } from './row-queue.ts';

const MOST = 3;
const read = ({ json }: Rows): Row[] => JSON.parse(Buffer.from(json).toString());

describe('the queue of rows', () => {
  it('gives back what it was given, in order, so many of one day at once', () => {
    const days = fc.integer({ min: 1, max: 2 });
    const row = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.maxSafeInteger()));
    fc.assert(
      fc.property(fc.array(fc.tuple(days, row)), (given) => {
        const queue = new RowQueue(MOST);
        for (const [day, one] of given) queue.add(day, one);
        expect(queue.size).toBe(given.length);
        const taken: [number, Row][] = [];
        for (let rows = queue.take(); rows !== null; rows = queue.take()) {
          const { day, count } = rows;
          expect(count).toBeLessThanOrEqual(MOST);
          const own = read(rows);
          expect(own).toHaveLength(count);
          taken.push(...own.map((one): [number, Row] => [day, one]));
          queue.release(rows);
        }
        expect(taken).toEqual(JSON.parse(JSON.stringify(given)));
        expect(queue.size).toBe(0);
      }),
      { seed: 20_260_131 },
    );
  });

  it('leaves rows that are taken as they are until they are released', () => {
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
