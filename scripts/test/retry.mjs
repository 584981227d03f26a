/**
 * @typedef {import('./lane-reporter.mjs').FileResult} FileResult
 * @typedef {import('./run-lanes.mjs').LaneResults} LaneResults
 * @typedef {{ first: FileResult, second: FileResult }} Flaky
 */

/** More failures than these are not chance: the run is red at once. */
const MOST_RETRIED = 5;

/**
 * Runs each failed file once more, so that a busy machine does not lose a change. A file that passes then is flaky, which is
 * a defect to fix: the run is green and names it.
 *
 * @param {LaneResults} ran
 * @param {(files: string[]) => Promise<LaneResults>} runAgain - Runs files one after another, each in a process of its own.
 * @returns {Promise<LaneResults & { flaky: Flaky[] }>}
 */
export async function retryFailed(ran, runAgain) {
  const failed = ran.results.filter(({ state }) => state === 'failed');
  if (failed.length === 0 || failed.length > MOST_RETRIED || ran.stray.length > 0) {
    return { ...ran, flaky: [] };
  }
  const again = await runAgain(failed.map(({ file }) => file));
  const secondOf = new Map(again.results.map((result) => [result.file, result]));
  const results = ran.results.map((result) => secondOf.get(result.file) ?? result);
  const flaky = failed.flatMap((first) => {
    const second = secondOf.get(first.file);
    return second?.state === 'passed' ? [{ first, second }] : [];
  });
  return { results, stray: [...again.stray, ...flaky.flatMap(describeUnproved)], flaky };
}

/**
 * Describes tests that failed, and that the second run left out: a file that passes without them proves nothing.
 *
 * @param {Flaky} ran
 * @returns {string[]} Lines.
 */
function describeUnproved({ first, second }) {
  const failed = first.tests.filter(({ state }) => state === 'failed');
  const passed = new Set(second.tests.filter(({ state }) => state === 'passed').map(({ name }) => name));
  return failed
    .filter(({ name }) => !passed.has(name))
    .map(({ name }) => `${first.file} > ${name} failed, and did not run when the file was run once more.`);
}

/**
 * Describes flaky files: the tests that failed in the first run, with their errors, which name the seed of a random suite, and
 * the second run.
 *
 * @param {readonly Flaky[]} flaky
 * @returns {string[]} Lines.
 */
export function describeFlaky(flaky) {
  if (flaky.length === 0) return ['', 'Flaky: none'];
  return [
    '',
    'Flaky, which is a defect to fix: failed, and passed when run once more alone.',
    ...flaky.flatMap(({ first, second }) => [
      `**flaky** ${first.file}`,
      ...describeFailures(first).map((line) => `  first run: ${line}`),
      `  second run: ${second.tests.filter(({ state }) => state === 'passed').length} tests passed in ${second.wallMs} ms`,
    ]),
  ];
}

/** @param {FileResult} result @returns {string[]} */
function describeFailures({ tests, errors }) {
  const ofTests = tests
    .filter(({ state }) => state === 'failed')
    .flatMap((test) => [`✗ ${test.name}`, ...test.errors.flatMap((error) => error.split('\n'))]);
  return [...ofTests, ...errors.flatMap((error) => error.split('\n'))];
}
