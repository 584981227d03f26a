import { bundleWhenStale } from '../bundle.mjs';
import { runStaticChecks, sum } from '../checks.mjs';
import { buildPortalWhenStale } from '../portal.mjs';
import { isFast, SMOKE, toLanes } from './lanes.mjs';
import { describeFlaky, retryFailed } from './retry.mjs';
import { runLanes } from './run-lanes.mjs';
import { countResults, describeCosts, describeFailed, describeRun } from './summary.mjs';
import { listTestFiles, sortLargestFirst } from './test-files.mjs';

/**
 * `all` is what a change has to pass. `fast` has what needs no process, no network of its own and no browser. `smoke` has
 * what shows that everything runs on another version of Node.
 *
 * @typedef {'all' | 'fast' | 'smoke'} Selection
 */

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
  if (selection !== 'fast') await buildOnce(root);
  const checks = selection === 'smoke' ? { passed: 0, failed: 0 } : await runStaticChecks(root);
  const ran = await runLanes(root, toLanes(sortLargestFirst(root, selectFiles(root, selection))));
  const runAlone = (/** @type {string[]} */ files) => runLanes(root, [{ files, isolate: true, workers: 1 }]);
  const { results, stray, flaky } = await retryFailed(ran, runAlone);
  const misplaced = await findMisplaced(results, runAlone);
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

/**
 * Builds what instances run, so that the first ones, which start side by side, need not build it each.
 *
 * @param {string} root
 */
async function buildOnce(root) {
  await bundleWhenStale(root);
  await buildPortalWhenStale(root, (line) => process.stdout.write(`${line}\n`));
}

/** @param {string} root @param {Selection} selection @returns {string[]} */
function selectFiles(root, selection) {
  const files = listTestFiles(root);
  if (selection === 'fast') return files.filter(isFast);
  if (selection === 'smoke') return files.filter((file) => SMOKE.includes(file));
  return files;
}

/**
 * Describes files that start what the fast tests must not. Each is run once more, alone, since a file that shares its worker
 * may be blamed for what the file before it began.
 *
 * @param {readonly import('./lane-reporter.mjs').FileResult[]} results
 * @param {(files: string[]) => Promise<import('./run-lanes.mjs').LaneResults>} runAlone
 * @returns {Promise<string[]>} Lines.
 */
export async function findMisplaced(results, runAlone) {
  const suspects = results.filter(({ file, starts }) => isFast(file) && starts.length > 0);
  if (suspects.length === 0) return [];
  const alone = await runAlone(suspects.map(({ file }) => file));
  return alone.results
    .filter(({ starts }) => starts.length > 0)
    .map(
      ({ file, starts }) =>
        `${file} starts a ${starts.join(' and a ')}: add it in scripts/test/starting-files.mjs`,
    );
}
