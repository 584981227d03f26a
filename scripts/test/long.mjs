import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../child.mjs';
import { toLanes } from './lanes.mjs';
import { describeReports, readReports } from './random-report.mjs';
import { completeResults, runLanes, STOPPED } from './run-lanes.mjs';
import { countResults, describeCosts, describeFailed, describeRun } from './summary.mjs';
import { listTestFiles, sortLargestFirst } from './test-files.mjs';

/**
 * @typedef {import('./run-lanes.mjs').LaneResults} LaneResults
 * @typedef {{ seed: string, prefixes: string[] }} LongPlan Without prefixes, everything runs.
 */

/** What a failover breaks depends on the moment, so these files run again and again. */
export const FAILOVERS = [
  { file: 'test/fill-failover.test.ts', rounds: 20 },
  { file: 'test/e2e/rfq-faults.test.ts', rounds: 5 },
  { file: 'test/e2e/rfq-faults-on-two-instances.test.ts', rounds: 5 },
  { file: 'test/load-balancers/recipes.test.ts', rounds: 1, needs: 'nginx, haproxy or caddy' },
  {
    file: 'test/load-balancers/instances.test.ts',
    rounds: 3,
    needs: 'PostgreSQL, Valkey and nginx, haproxy or caddy',
  },
  {
    file: 'test/sentinel-failover.test.ts',
    rounds: 5,
    needs: 'PostgreSQL, Valkey and redis-server or valkey-server',
  },
];
/** Names the folder of the public programs' binaries. */
const DUMPS_VARIABLE = 'SLUICE_PUBLIC_PROGRAMS';
const DIFFERENTIAL = 'test/differential/';
/** It tests the random suites themselves, and has none. */
const OWN_TEST = 'test/random.test.ts';

/**
 * Runs the random suites and campaigns at their full counts, the differential suites, and the failovers many times. Prints
 * one table of counts, seeds and differences. The last line is `N passed, N failed`.
 *
 * @param {string} root - The folder of the checkout.
 * @param {readonly string[]} args - `--seed N`, and beginnings of the paths of test files if not all are to run.
 * @returns {Promise<number>} The exit code.
 */
export async function runLong(root, args) {
  const began = performance.now();
  const { seed, prefixes } = parseArguments(args, new Date());
  const isWanted = (/** @type {string} */ file) =>
    prefixes.length === 0 || prefixes.some((prefix) => file.startsWith(prefix));
  const folder = mkdtempSync(join(tmpdir(), 'sluice-long-'));
  // Lanes hand their environment on to the tests.
  Object.assign(process.env, {
    SLUICE_TEST_LONG: '1',
    SLUICE_TEST_SEED: seed,
    SLUICE_TEST_RANDOM_REPORT: folder,
  });
  process.stdout.write(`The seed of this run is ${seed}: npm run test:long -- --seed ${seed}\n`);
  try {
    const files = listTestFiles(root).filter((file) => isWanted(file) && isRandom(root, file));
    const parts = await runUntilStopped([
      () => runLanes(root, toLanes(sortLargestFirst(root, files))),
      ...(isWanted(DIFFERENTIAL) ? [() => runDifferential(root, folder)] : []),
      ...failoverRounds(root, isWanted),
    ]);
    const results = parts.flatMap((part) => part.results);
    const stray = parts.flatMap((part) => part.stray);
    const { passed, failed } = countResults(results, stray);
    const lines = [
      ...describeCosts(results),
      ...describeRun(performance.now() - began),
      ...describeReports(readReports(join(folder, 'suites.jsonl'))),
      ...describeRounds(results),
      ...describeFailed(results, stray),
      '',
      `The seed of this run was ${seed}.`,
      `${passed} passed, ${failed} failed`,
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
    return failed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Reads the arguments. The seed is the date, such as 20261127, unless one is given.
 *
 * @param {readonly string[]} args
 * @param {Date} now
 * @returns {LongPlan}
 * @throws Error if the seed is not a whole number.
 */
export function parseArguments(args, now) {
  const at = args.indexOf('--seed');
  const seed = at < 0 ? now.toISOString().slice(0, 10).replaceAll('-', '') : (args[at + 1] ?? '');
  if (!/^\d{1,15}$/.test(seed)) throw new Error(`--seed must be a whole number, got "${seed}"`);
  return { seed, prefixes: args.filter((_, index) => at < 0 || (index !== at && index !== at + 1)) };
}

/**
 * Whether a test file has a random suite or a campaign: those import `src/testing/random.ts`.
 *
 * @param {string} root @param {string} file
 */
function isRandom(root, file) {
  return file !== OWN_TEST && /from '[^']*\/random\.ts'/.test(readFileSync(join(root, file), 'utf8'));
}

/** @param {string} root @param {string} folder @returns {Promise<LaneResults>} */
async function runDifferential(root, folder) {
  if ((process.env[DUMPS_VARIABLE] ?? '') === '') {
    process.stdout.write(`The differential suites are skipped: ${DUMPS_VARIABLE} names no folder.\n`);
    return { results: [], stray: [] };
  }
  const resultsFile = join(folder, 'differential.jsonl');
  const args = ['--import', 'tsx', join(root, DIFFERENTIAL, 'run.ts'), `--results=${resultsFile}`];
  const { code } = await run(process.execPath, args, { cwd: root });
  return completeResults(readFileSync(resultsFile, 'utf8').split('\n').filter(Boolean), [], code);
}

/** @param {string} root @param {(file: string) => boolean} isWanted @returns {(() => Promise<LaneResults>)[]} */
function failoverRounds(root, isWanted) {
  return FAILOVERS.filter(({ file }) => isWanted(file)).flatMap(({ file, rounds }) => {
    const lane = { files: [file], isolate: true, workers: 1 };
    return Array.from({ length: rounds }, () => () => runLanes(root, [lane]));
  });
}

/**
 * Runs the parts one after another. Ctrl-C stops the part that runs, and no further one begins.
 *
 * @param {readonly (() => Promise<LaneResults>)[]} parts
 * @returns {Promise<LaneResults[]>} Of the parts that ran.
 */
export async function runUntilStopped(parts) {
  const ran = [];
  for (const part of parts) {
    const ended = await part();
    ran.push(ended);
    if (ended.stray.includes(STOPPED)) break;
  }
  return ran;
}

/**
 * Describes how often the failovers ran, and what was left out because something is not installed, by the names of tests:
 * `(skipped without nginx)`.
 *
 * @param {LaneResults['results']} results @returns {string[]} Lines.
 */
export function describeRounds(results) {
  return FAILOVERS.flatMap(({ file, needs = 'PostgreSQL or Valkey' }) => {
    const rounds = results.filter((result) => result.file === file);
    if (rounds.length === 0) return [];
    const tests = rounds.flatMap((result) => result.tests);
    const skipped = tests.filter(({ state }) => state === 'skipped');
    if (skipped.length === tests.length) return [`${file} was skipped: it needs ${needs}.`];
    const passed = rounds.filter(({ state }) => state === 'passed').length;
    const missing = new Set(skipped.flatMap(({ name }) => /\(skipped without (.+?)\)/.exec(name)?.[1] ?? []));
    const left = missing.size === 0 ? '' : ` Without ${[...missing].join(' and ')}, a part was skipped.`;
    return [`${file} ran ${rounds.length} times, and passed ${passed} times.${left}`];
  });
}
