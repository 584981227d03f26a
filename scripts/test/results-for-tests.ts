import type { FileResult, TestResult } from './lane-reporter.mjs';

/** The result of a file with one test for each state. */
export function createResult(
  file: string,
  states: readonly TestResult['state'][] = ['passed'],
  more: Partial<FileResult> = {},
): FileResult {
  return {
    file,
    state: states.includes('failed') ? 'failed' : 'passed',
    tests: states.map((state, index) => ({
      name: `test ${index}`,
      state,
      ms: 1,
      errors: state === 'failed' ? ['AssertionError: 1 is not 2, seed 42'] : [],
    })),
    errors: [],
    wallMs: 10,
    processorMs: 5,
    starts: [],
    ...more,
  };
}
