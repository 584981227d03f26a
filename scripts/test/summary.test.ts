import { describe, expect, it } from 'vitest';
import { createResult } from './results-for-tests.ts';
import { countResults, describeCosts, getRoom } from './summary.mjs';

describe('countResults', () => {
  it('counts tests, and not those that were skipped', () => {
    const results = [
      createResult('a.test.ts', ['passed', 'skipped']),
      createResult('b.test.ts', ['passed', 'failed']),
    ];
    expect(countResults(results, [])).toEqual({ passed: 2, failed: 1 });
  });

  it('counts a file that failed without a failed test, and an error without a file', () => {
    const crashed = createResult('a.test.ts', [], { state: 'failed' });
    expect(countResults([crashed, createResult('b.test.ts')], ['lost'])).toEqual({ passed: 1, failed: 2 });
  });

  it('never reports success for a run without a file', () => {
    expect(countResults([], [])).toEqual({ passed: 0, failed: 1 });
  });
});

describe('getRoom', () => {
  it.each([
    ['src/chain/rpc/a.test.ts', 'src/chain'],
    ['src/products/swap/v1/a.test.ts', 'src/products/swap'],
    ['programs/vaults/tests/a.test.ts', 'programs'],
    ['test/e2e/a.test.ts', 'test/e2e'],
    ['test/landing/a.test.ts', 'test'],
    ['scripts/a.test.ts', 'scripts'],
  ])('adds the time of %s to %s', (file, room) => {
    expect(getRoom(file)).toBe(room);
  });
});

describe('describeCosts', () => {
  it('lists the slowest files, and sums the processor time of a folder', () => {
    const lines = describeCosts([
      createResult('src/chain/a.test.ts', ['passed'], { wallMs: 1_000, processorMs: 500 }),
      createResult('src/chain/b.test.ts', ['passed'], { wallMs: 2_000, processorMs: 700 }),
    ]);
    expect(lines.filter((line) => line.includes('.test.ts'))).toEqual([
      '    2.0 s     0.7 s  src/chain/b.test.ts',
      '    1.0 s     0.5 s  src/chain/a.test.ts',
    ]);
    expect(lines.at(-1)).toBe('    1.2 s  src/chain (2 files)');
  });
});
