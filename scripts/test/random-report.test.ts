import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { describeReports, readReports, type SuiteReport } from './random-report.mjs';

describe('describeReports', () => {
  it('draws one table of counts, seeds and differences', () => {
    const lines = describeReports([
      aReport({}),
      aReport({ test: 'pays', cases: 500, seeds: [42, 7], against: 'the program', differences: 0 }),
      aReport({ test: 'pays', cases: 500, seeds: [42, 7], against: 'the program', differences: 0 }),
      aReport({ file: 'b.test.ts', passed: false, against: 'kit' }),
      aReport({ file: 'b.test.ts', test: '', cases: 50, seeds: [] }),
    ]);
    expect(lines).toEqual([
      '',
      ' cases  seed  differences         suite',
      '10,000  42                        a.test.ts > adds',
      ' 1,000  42 7  0 from the program  a.test.ts > pays',
      '10,000  42    ? from kit          FAILED b.test.ts > adds',
      '    50                            b.test.ts',
      '',
      '4 random suites had 21,050 cases. 2 of them compared 11,000 cases, and found 0 differences.',
    ]);
  });
});

describe('readReports', () => {
  afterAll(() => rmSync(folder, { recursive: true }));

  it('returns the reports of a file together, in the order of their lines', () => {
    const [first, second, third] = [
      aReport({ file: 'b.test.ts' }),
      aReport({ file: 'a.test.ts', test: 'one' }),
      aReport({ file: 'a.test.ts', test: 'another' }),
    ];
    const file = join(folder, 'suites.jsonl');
    writeFileSync(file, [first, second, third].map((each) => `${JSON.stringify(each)}\n`).join(''));
    expect(readReports(file)).toEqual([second, third, first]);
  });

  it('returns none if no suite has reported', () => {
    expect(readReports(join(folder, 'missing.jsonl'))).toEqual([]);
  });

  const folder = mkdtempSync(join(tmpdir(), 'sluice-reports-'));
});

const aReport = (more: Partial<SuiteReport>): SuiteReport => ({
  file: 'a.test.ts',
  test: 'adds',
  passed: true,
  cases: 10_000,
  seeds: [42],
  against: null,
  differences: null,
  ...more,
});
