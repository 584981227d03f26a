import { readFileSync } from 'node:fs';

/**
 * What a random suite reports, as `src/testing/random.ts` writes it.
 *
 * @typedef {{ file: string, test: string, passed: boolean, cases: number, seeds: number[], against: string | null,
 *   differences: number | null }} SuiteReport
 */

/**
 * Reads what the suites of a run have reported.
 *
 * @param {string} file - A file of JSON lines; there is none if no suite ran.
 * @returns {SuiteReport[]} Sorted by file, and by the order in which they ended.
 */
export function readReports(file) {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
  }
  const reports = text
    .split('\n')
    .filter(Boolean)
    .map((line) => /** @type {SuiteReport} */ (JSON.parse(line)));
  return reports.toSorted((one, other) => (one.file < other.file ? -1 : one.file > other.file ? 1 : 0));
}

/**
 * Draws the table of all suites: counts, seeds, and differences of those that compare something.
 *
 * @param {readonly SuiteReport[]} reports
 * @returns {string[]} Lines.
 */
export function describeReports(reports) {
  const rows = mergeEqual(reports).map(({ file, test, passed, cases, seeds, against, differences }) => [
    cases.toLocaleString('en-US'),
    seeds.join(' '),
    against === null ? '' : `${differences ?? '?'} from ${against}`,
    `${passed ? '' : 'FAILED '}${test === '' ? file : `${file} > ${test}`}`,
  ]);
  const compared = reports.filter(({ against }) => against !== null);
  const sumOf = (/** @type {readonly SuiteReport[]} */ all, /** @type {'cases' | 'differences'} */ field) =>
    all.reduce((sum, report) => sum + (report[field] ?? 0), 0).toLocaleString('en-US');
  return [
    '',
    ...alignColumns([['cases', 'seed', 'differences', 'suite'], ...rows]),
    '',
    `${rows.length} random suites had ${sumOf(reports, 'cases')} cases. ${mergeEqual(compared).length} of them compared ` +
      `${sumOf(compared, 'cases')} cases, and found ${sumOf(compared, 'differences')} differences.`,
  ];
}

/**
 * Adds up the suites of a test that run with the same seed, such as one for each operation.
 *
 * @param {readonly SuiteReport[]} reports
 * @returns {SuiteReport[]}
 */
function mergeEqual(reports) {
  /** @type {Map<string, SuiteReport>} */
  const merged = new Map();
  for (const report of reports) {
    const { file, test, seeds, against, cases, differences } = report;
    const key = JSON.stringify([file, test, seeds, against]);
    const earlier = merged.get(key);
    if (earlier === undefined) merged.set(key, { ...report });
    else {
      earlier.cases += cases;
      earlier.differences =
        earlier.differences === null || differences === null ? null : earlier.differences + differences;
    }
  }
  return [...merged.values()];
}

/** @param {readonly string[][]} rows @returns {string[]} Numbers of the first column end below each other. */
function alignColumns(rows) {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
