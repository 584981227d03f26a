import { describe, expect, it } from 'vitest';
import { countTests, sum } from './checks.mjs';

describe('countTests', () => {
  it('counts the tests', () => {
    const report = {
      numPassedTests: 3,
      numFailedTests: 1,
      testResults: [file('failed', ['passed', 'failed'])],
    };
    expect(countTests(1, report)).toEqual({ passed: 3, failed: 1 });
    expect(countTests(0, { numPassedTests: 3, numFailedTests: 0, testResults: [] })).toEqual({
      passed: 3,
      failed: 0,
    });
  });

  it('counts a file that could not be loaded as a failure', () => {
    const report = {
      numPassedTests: 3,
      numFailedTests: 0,
      testResults: [file('passed', ['passed']), file('failed', [])],
    };
    expect(countTests(1, report)).toEqual({ passed: 3, failed: 1 });
  });

  it('never reports success for a failed run', () => {
    expect(countTests(1, undefined)).toEqual({ passed: 0, failed: 1 });
    expect(countTests(1, { numPassedTests: 5, numFailedTests: 0, testResults: [] })).toEqual({
      passed: 5,
      failed: 1,
    });
    expect(countTests(0, undefined)).toEqual({ passed: 0, failed: 1 });
  });
});

it('sums', () => {
  expect(
    sum([
      { passed: 1, failed: 0 },
      { passed: 2, failed: 3 },
    ]),
  ).toEqual({ passed: 3, failed: 3 });
});

const file = (status: string, tests: readonly string[]) => ({
  status,
  assertionResults: tests.map((test) => ({ status: test })),
});
