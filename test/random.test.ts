import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFailed, vi } from 'vitest';
import {
  assertProperty,
  countCases,
  reportDifferences,
  type SuiteReport,
  sampleCases,
  getSeeds,
  startCampaign,
  startSuite,
} from '../src/testing/random.ts';

beforeEach(setUp);
afterEach(() => vi.unstubAllEnvs());

describe('countCases', () => {
  it.each([
    [40, 40],
    [999, 999],
    [1_000, 300],
    [3_000, 300],
    [5_000, 500],
    [10_000, 1_000],
  ])('returns of %i cases %i by default, and all in a long run', (cases, short) => {
    expect(countCases({ cases, seed: 1 })).toBe(short);
    vi.stubEnv('SLUICE_TEST_LONG', '1');
    expect(countCases({ cases, seed: 1 })).toBe(cases);
  });

  it('returns the full count for a suite that failed once, whose failed case may be a late one', () => {
    expect(countCases({ cases: 10_000, short: 20, seed: 1, failedOnce: [7] })).toBe(10_000);
  });

  it('returns the short count that a suite names', () => {
    expect(countCases({ cases: 100, short: 20, seed: 1 })).toBe(20);
  });
});

describe('getSeeds', () => {
  it('returns the seed of the suite and those that failed once', () => {
    expect(getSeeds({ cases: 1, seed: 42, failedOnce: [7, 8] })).toEqual([42, 7, 8]);
  });

  it('changes the seed of the suite with the seed of the run, and keeps two suites apart', () => {
    const seeds = ['20261127', '20261128'].flatMap((ofRun) => {
      vi.stubEnv('SLUICE_TEST_SEED', ofRun);
      return [42, 43].map((seed) => getSeeds({ cases: 1, seed, failedOnce: [7] }));
    });
    expect(new Set(seeds.map(([seed]) => seed)).size).toBe(4);
    for (const [seed, failed] of seeds) {
      expect(seed).toBeGreaterThanOrEqual(0);
      expect(failed).toBe(7);
    }
  });

  it('throws for a seed of the run that is not a whole number', () => {
    vi.stubEnv('SLUICE_TEST_SEED', 'today');
    expect(() => getSeeds({ cases: 1, seed: 42 })).toThrow(
      'SLUICE_TEST_SEED must be a whole number, got "today"',
    );
  });
});

describe('assertProperty', () => {
  it('checks as many cases as the suite has, with each of its seeds', async () => {
    let count = 0;
    const suite = { cases: 20, seed: 42, failedOnce: [7] };
    assertProperty(
      fc.property(fc.nat(), () => {
        count++;
      }),
      suite,
    );
    expect(count).toBe(40);
    await assertProperty(
      fc.asyncProperty(fc.nat(), async () => {
        count++;
      }),
      suite,
    );
    expect(count).toBe(80);
  });

  it('throws with the counterexample and its seed, also for a seed that failed once', async () => {
    const [wrong] = sampleCases(fc.nat(), { cases: 1, seed: 7 });
    const suite = { cases: 1, seed: 42, failedOnce: [7] };
    const isRight = (each: number) => each !== wrong;
    expect(() => assertProperty(fc.property(fc.nat(), isRight), suite)).toThrow('seed: 7');
    await expect(
      assertProperty(
        fc.asyncProperty(fc.nat(), async (each) => isRight(each)),
        suite,
      ),
    ).rejects.toThrow('seed: 7');
  });

  it('tries the examples first', () => {
    const seen: number[] = [];
    assertProperty(
      fc.property(fc.nat(), (each) => {
        seen.push(each);
      }),
      { cases: 2, seed: 42, examples: [[123_456]] },
    );
    expect(seen[0]).toBe(123_456);
  });
});

describe('sampleCases', () => {
  it('returns the cases of every seed, the same ones in every run', () => {
    const sample = (seed: number) => sampleCases(fc.nat(), { cases: 10, seed });
    expect(sampleCases(fc.nat(), { cases: 10, seed: 42, failedOnce: [7] })).toEqual([
      ...sample(42),
      ...sample(7),
    ]);
  });
});

describe('a test that fails', () => {
  let message = '';

  it.fails('while a suite runs', () => {
    // Hooks run in reverse order, so this one sees what the suite's own has done.
    onTestFailed(({ task }) => {
      message = `${task.result?.errors?.[0]?.stack}`;
    });
    startSuite({ cases: 5, seed: 42, failedOnce: [7] });
    throw new Error('one is not two');
  });

  it('has printed its seeds and counts', () => {
    expect(message).toMatch(/one is not two\s+Random suite: 10 cases, seed 42 and 7\n\s+at /);
  });
});

describe('the report', () => {
  it('is not written unless a folder is named', () => {
    startSuite({ cases: 5, seed: 42 });
    expect(existsSync(join(folder, 'suites.jsonl'))).toBe(false);
  });

  // A report is written when its test has ended, with the environment that it has then.
  describe('of suites', () => {
    beforeAll(() => {
      process.env.SLUICE_TEST_RANDOM_REPORT = folder;
    });
    afterAll(() => {
      if (before === undefined) delete process.env.SLUICE_TEST_RANDOM_REPORT;
      else process.env.SLUICE_TEST_RANDOM_REPORT = before;
    });

    it('has one line each', () => {
      startSuite({ cases: 5, seed: 42, against: 'a model' });
      reportDifferences(2, 5, 'a model');
      reportDifferences(0, 30, 'another model');
      startCampaign({ rounds: 50, short: 4 });
    });

    const before = process.env.SLUICE_TEST_RANDOM_REPORT;
  });

  it('has counts, seeds and differences', () => {
    const common = {
      file: 'test/random.test.ts',
      test: 'the report > of suites > has one line each',
      passed: true,
    };
    expect(read()).toEqual([
      { ...common, cases: 5, seeds: [42], against: 'a model', differences: 2 },
      { ...common, cases: 30, seeds: [], against: 'another model', differences: 0 },
      { ...common, cases: 4, seeds: [], against: null, differences: null },
    ]);
    rmSync(folder, { recursive: true });
  });

  const folder = mkdtempSync(join(tmpdir(), 'sluice-random-'));
  const read = (): SuiteReport[] => {
    const lines = readFileSync(join(folder, 'suites.jsonl'), 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as SuiteReport);
  };
});

function setUp(): void {
  vi.stubEnv('SLUICE_TEST_LONG', '');
  vi.stubEnv('SLUICE_TEST_SEED', '');
  vi.stubEnv('SLUICE_TEST_RANDOM_REPORT', '');
}
