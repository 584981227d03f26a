import { readFileSync } from 'node:fs';
import { runStaticChecks, sum } from '../checks.mjs';
import { isFast, SMOKE, toLanes } from './lanes.mjs';
import { describeFlaky, retryFailed } from './retry.mjs';
import { runLanes } from './run-lanes.mjs';
import { countResults, describeCosts, describeFailed } from './summary.mjs';
import { listTestFiles, sortLargestFirst } from './test-files.mjs';

/**
 * `all` is what a change has to pass. `fast` has what needs no process, no network of its own and no browser. `smoke` has
 * what shows that everything runs on another version of Node.
 *
 * @typedef {'all' | 'fast' | 'smoke'} Selection
 */

/** Clock ticks of `/proc`, which Linux fixes at 100 a second for programs. */
const MS_PER_TICK = 10;

/**
 * Runs lint and types (not for a smoke run) and the selected test files, and prints where the time went. The last line is
 * `N passed, N failed`, in which lint and types count as one each.
 *
 * @param {string} root - The folder of the checkout.
 * @param {Selection} selection
 * @returns {Promise<number>} The exit code.
 */
export async function runSuite(root, selection) {
  const began = performance.now();
  const checks = selection === 'smoke' ? { passed: 0, failed: 0 } : await runStaticChecks(root);
  const ran = await runLanes(root, toLanes(sortLargestFirst(root, selectFiles(root, selection))));
  const { results, stray, flaky } = await retryFailed(ran, (files) =>
    runLanes(root, [{ name: 'retry', files, isolate: true, workers: 1 }]),
  );
  const misplaced = describeMisplaced(results);
  const total = sum([checks, countResults(results, [...stray, ...misplaced])]);
  const lines = [
    ...describeCosts(results),
    ...describeRun(performance.now() - began),
    ...describeFlaky(flaky),
    ...describeFailed(results, [...stray, ...misplaced]),
    '',
    `${total.passed} passed, ${total.failed} failed`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return total.failed === 0 ? 0 : 1;
}

/** @param {string} root @param {Selection} selection @returns {string[]} */
function selectFiles(root, selection) {
  const files = listTestFiles(root);
  if (selection === 'fast') return files.filter(isFast);
  if (selection === 'smoke') return files.filter((file) => SMOKE.includes(file));
  return files;
}

/**
 * Describes files that start what the fast tests must not.
 *
 * @param {readonly import('./lane-reporter.mjs').FileResult[]} results
 * @returns {string[]} Lines.
 */
function describeMisplaced(results) {
  return results
    .filter(({ file, starts }) => isFast(file) && starts.length > 0)
    .map(
      ({ file, starts }) =>
        `${file} starts a ${starts.join(' and a ')}: add it in scripts/test/starting-files.mjs`,
    );
}

/** @param {number} wallMs @returns {string[]} Lines. */
function describeRun(wallMs) {
  const processorMs = readProcessorMs();
  const processor = processorMs === null ? '' : `, ${Math.round(processorMs / 1_000)} s of processor time`;
  return ['', `The run took ${Math.round(wallMs / 1_000)} s${processor}, on Node ${process.versions.node}.`];
}

/** Returns the processor time of this process and all that it started, or null where the system does not say. */
function readProcessorMs() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
    const ticks = fields.slice(11, 15).reduce((all, field) => all + Number(field), 0);
    return ticks * MS_PER_TICK;
  } catch {
    return null;
  }
}
