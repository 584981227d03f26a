import { describe, expect, it } from 'vitest';
import { createResult } from './results-for-tests.ts';
import { completeResults, findNotBegun, STOPPED } from './run-lanes.mjs';

describe('completeResults', () => {
  it('returns what the lane wrote', () => {
    const results = [createResult('a.test.ts'), createResult('b.test.ts', ['failed'])];
    expect(completeResults(lines(...results), ['a.test.ts', 'b.test.ts'], 1)).toEqual({ results, stray: [] });
  });

  it('fails a file of the lane that has no line, since its worker crashed', () => {
    const { results } = completeResults(lines(createResult('a.test.ts')), ['a.test.ts', 'b.test.ts'], 1);
    expect(results.map(({ file, state }) => [file, state])).toEqual([
      ['a.test.ts', 'passed'],
      ['b.test.ts', 'failed'],
    ]);
  });

  it('fails the file in which an error arose outside any test', () => {
    const written = lines(createResult('a.test.ts'), { unhandled: 'Error: late', file: 'a.test.ts' });
    const { results, stray } = completeResults(written, ['a.test.ts'], 1);
    expect(results).toEqual([
      createResult('a.test.ts', ['passed'], { state: 'failed', errors: ['Error: late'] }),
    ]);
    expect(stray).toEqual([]);
  });

  it('keeps an error that belongs to no file', () => {
    const written = lines(createResult('a.test.ts'), { unhandled: 'Error: late', file: null });
    expect(completeResults(written, ['a.test.ts'], 1).stray).toEqual(['Error: late']);
  });

  it('never reports success for a lane that ended with a failure', () => {
    expect(completeResults(lines(createResult('a.test.ts')), ['a.test.ts'], 1).stray).toHaveLength(1);
    expect(completeResults(lines(createResult('a.test.ts')), ['a.test.ts'], 0).stray).toEqual([]);
  });

  it('reports that the run was stopped, so that nothing is run again', () => {
    const { results, stray } = completeResults(
      lines(createResult('a.test.ts')),
      ['a.test.ts', 'b.test.ts'],
      130,
    );
    expect(results.map(({ state }) => state)).toEqual(['passed', 'failed']);
    expect(stray).toEqual([STOPPED]);
  });
});

describe('findNotBegun', () => {
  it('has no file that ended or had begun, and ignores a torn line', () => {
    const written = [...lines(createResult('a.test.ts'), { begun: 'b.test.ts' }), '{"begun":"c.te'];
    const files = ['a.test.ts', 'b.test.ts', 'c.test.ts'];
    expect(findNotBegun(written, files)).toEqual(['c.test.ts']);
    const { results } = completeResults(written, files, 1);
    expect(results.map(({ state }) => state)).toEqual(['passed', 'failed', 'failed']);
  });
});

const lines = (...entries: unknown[]) => entries.map((entry) => JSON.stringify(entry));
