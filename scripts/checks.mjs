import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './child.mjs';
import { examplesOfSources } from './docstring-examples.mjs';
import { checkPortalTypes, checkTypes } from './types.mjs';

/**
 * @typedef {{ passed: number, failed: number }} Counts
 */

/**
 * Runs lint and the type check.
 *
 * @param {string} root - The folder of the checkout.
 * @returns {Promise<Counts>} Each counts as one.
 */
export async function runStaticChecks(root) {
  const biome = join(root, 'node_modules', '.bin', 'biome');
  const lint = countCheck('lint', await run(biome, ['check', '--error-on-warnings', '.'], { cwd: root }));
  const types = countCheck('types', { code: await runTypes(root) });
  return sum([lint, types]);
}

/**
 * Runs the tests that the arguments select. The last line is `N passed, N failed`.
 *
 * @param {string} root - The folder of the checkout.
 * @param {string[]} args - Arguments for Vitest.
 * @returns {Promise<number>} The exit code.
 */
export async function runSelectedTests(root, args) {
  const total = await runVitest(root, join(root, 'node_modules', '.bin', 'vitest'), args);
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
  return total.failed === 0 ? 0 : 1;
}

/**
 * Checks the types of the project, of the examples in its docstrings and of the portal, and prints the errors.
 *
 * @param {string} root - The folder of the checkout.
 * @returns {Promise<number>} The exit code.
 */
export async function runTypes(root) {
  const messages = [...(await checkTypes(root, examplesOfSources(root))), ...(await checkPortalTypes(root))];
  for (const message of messages) process.stdout.write(`${message}\n`);
  return messages.length === 0 ? 0 : 1;
}

/**
 * Prints how a check ended, and counts it as one test.
 *
 * @param {string} name @param {{ code: number }} ended @returns {Counts}
 */
function countCheck(name, { code }) {
  process.stdout.write(`${name}: ${code === 0 ? 'passed' : 'FAILED'}\n`);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** @param {string} root @param {string} vitest @param {string[]} args @returns {Promise<Counts>} */
async function runVitest(root, vitest, args) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  const report = join(folder, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const { code } = await run(vitest, ['run', ...reporters, ...args], { cwd: root });
    return countTests(code, readReport(report));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} file @returns {unknown} undefined when Vitest wrote none */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Counts the tests of a report. A file that could not be loaded, an error outside any test, and a run without a report
 * each count as a failure, so that the last line never reports success for a failed run.
 *
 * @param {number} code - Vitest's exit code.
 * @param {unknown} report - Vitest's JSON report.
 * @returns {Counts}
 */
export function countTests(code, report) {
  const {
    numPassedTests: passed = 0,
    numFailedTests = 0,
    testResults = [],
  } = /** @type {{ numPassedTests?: number, numFailedTests?: number, testResults?: { status: string, assertionResults: { status: string }[] }[] }} */ (
    report ?? {}
  );
  const unloadable = testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const failed = numFailedTests + unloadable;
  return { passed, failed: failed === 0 && (code !== 0 || report === undefined) ? 1 : failed };
}

/** @param {readonly Counts[]} counts @returns {Counts} */
export function sum(counts) {
  return counts.reduce((a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed }), {
    passed: 0,
    failed: 0,
  });
}
