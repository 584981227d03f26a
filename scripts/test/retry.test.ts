import { describe, expect, it } from 'vitest';
import type { FileResult } from './lane-reporter.mjs';
import { createResult } from './results-for-tests.ts';
import { describeFlaky, retryFailed } from './retry.mjs';

describe('retryFailed', () => {
  it('runs nothing again when nothing failed', async () => {
    const { asked, runAgain } = runsAgain();
    expect(await retryFailed({ results: [OTHER], stray: [] }, runAgain)).toEqual({
      results: [OTHER],
      stray: [],
      flaky: [],
    });
    expect(asked).toEqual([]);
  });

  it('takes the second result of a file that passes then, and calls the file flaky', async () => {
    const { asked, runAgain } = runsAgain(PASSED);
    expect(await retryFailed({ results: [FAILED, OTHER], stray: [] }, runAgain)).toEqual({
      results: [PASSED, OTHER],
      stray: [],
      flaky: [{ first: FAILED, second: PASSED }],
    });
    expect(asked).toEqual([['a.test.ts']]);
  });

  it('leaves a file failed that fails twice', async () => {
    const { runAgain } = runsAgain(FAILED);
    const { results, flaky } = await retryFailed({ results: [FAILED], stray: [] }, runAgain);
    expect(results).toEqual([FAILED]);
    expect(flaky).toEqual([]);
  });

  it('leaves a file failed that the second run does not report', async () => {
    const { runAgain } = runsAgain();
    const { results, flaky } = await retryFailed({ results: [FAILED], stray: [] }, runAgain);
    expect(results).toEqual([FAILED]);
    expect(flaky).toEqual([]);
  });

  it('fails a test that the second run left out', async () => {
    const { runAgain } = runsAgain(createResult('a.test.ts', ['passed', 'skipped']));
    const { stray } = await retryFailed({ results: [FAILED], stray: [] }, runAgain);
    expect(stray).toEqual(['a.test.ts > test 1 failed, and did not run when the file was run once more.']);
  });

  it('runs nothing again when more than five files failed, or an error belongs to no file', async () => {
    const { asked, runAgain } = runsAgain();
    const six = Array.from({ length: 6 }, (_, index) => createResult(`${index}.test.ts`, ['failed']));
    expect((await retryFailed({ results: six, stray: [] }, runAgain)).results).toEqual(six);
    expect((await retryFailed({ results: [FAILED], stray: ['lost'] }, runAgain)).results).toEqual([FAILED]);
    expect(asked).toEqual([]);
  });
});

describe('describeFlaky', () => {
  it('names the file, the failed test with its error and seed, and the second run', () => {
    expect(describeFlaky([{ first: FAILED, second: PASSED }]).slice(2)).toEqual([
      '**flaky** a.test.ts',
      '  first run: ✗ test 1',
      '  first run: AssertionError: 1 is not 2, seed 42',
      '  second run: 2 tests passed in 10 ms',
    ]);
  });

  it('says that there are none', () => {
    expect(describeFlaky([])).toContain('Flaky: none');
  });
});

const FAILED = createResult('a.test.ts', ['passed', 'failed']);
const PASSED = createResult('a.test.ts', ['passed', 'passed']);
const OTHER = createResult('b.test.ts');

/** Runs files again with these results, and keeps what was asked for. */
function runsAgain(...results: FileResult[]) {
  const asked: string[][] = [];
  const runAgain = async (files: string[]) => {
    asked.push(files);
    return { results, stray: [] };
  };
  return { asked, runAgain };
}
