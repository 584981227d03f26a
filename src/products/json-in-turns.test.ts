import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../testing/random.ts';
import { TurnedWork, UNITS_PER_TURN, createUnaccountedWork } from '../common/work/work.ts';
import { writeJsonInTurns } from './json-in-turns.ts';

describe('writeJsonInTurns', () => {
  it('writes what JSON.stringify writes', async () => {
    await assertProperty(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 4 }),
        fc.array(fc.jsonValue(), { maxLength: 90 }),
        async (one, many) => {
          const value = { one, many, left: undefined, list: [undefined, one], same: [one, one] };
          const repeated = typeof one === 'object' && one !== null ? [one] : [];
          const text = String(await writeJsonInTurns(value, createUnaccountedWork(), repeated));
          expect(text).toBe(JSON.stringify(value));
        },
      ),
      { cases: 300, seed: 31 },
    );
  });

  it('gives way after 64 items, and after 256 kB', async () => {
    const turns: number[] = [];
    const work = new TurnedWork(async (units) => {
      turns.push(units);
    });
    await writeJsonInTurns(
      Array.from({ length: 10 * UNITS_PER_TURN }, (_, id) => ({ id })),
      work,
    );
    expect(turns).toHaveLength(9);
    turns.length = 0;
    await writeJsonInTurns(
      Array.from({ length: 8 }, () => 'x'.repeat(250_000)),
      work,
    );
    expect(turns.length).toBeGreaterThanOrEqual(7);
  });
});
