import { measureProcessorMs } from './processor-time.mjs';

/**
 * @typedef {import('./lane-reporter.mjs').FileResult} FileResult
 * @typedef {import('../checks.mjs').Counts} Counts
 */

const SLOWEST = 20;
/** What the tests of one product may take of `npm test`. */
const PRODUCT_MS = 30_000;

/**
 * Counts tests. A file that failed without a failed test, and an error that belongs to no file, each count as a failure,
 * so that the last line never reports success for a failed run.
 *
 * @param {readonly FileResult[]} results
 * @param {readonly string[]} stray - Errors that belong to no file.
 * @returns {Counts}
 */
export function countResults(results, stray) {
  const tests = results.flatMap((result) => result.tests);
  const inState = (/** @type {string} */ state) => tests.filter((test) => test.state === state).length;
  const silent = results.filter(
    ({ state, tests }) => state === 'failed' && tests.every((test) => test.state !== 'failed'),
  );
  const noTest = results.length === 0 ? 1 : 0;
  return { passed: inState('passed'), failed: inState('failed') + silent.length + stray.length + noTest };
}

/**
 * Describes where the time of a run went: its slowest files, and the processor time of each room.
 *
 * @param {readonly FileResult[]} results
 * @returns {string[]} Lines.
 */
export function describeCosts(results) {
  const slowest = results.toSorted((a, b) => b.wallMs - a.wallMs).slice(0, SLOWEST);
  const rooms = [...sumByRoom(results)].toSorted(([, a], [, b]) => b.processorMs - a.processorMs);
  return [
    '',
    `The slowest ${slowest.length} files (from their start to their end, and their processor time):`,
    ...slowest.map((file) => `${seconds(file.wallMs)} ${seconds(file.processorMs)}  ${file.file}`),
    '',
    'Processor time by folder:',
    ...rooms.map(([room, { processorMs, files }]) => {
      const over = room.startsWith('src/products/') && processorMs > PRODUCT_MS ? ', over 30 s' : '';
      return `${seconds(processorMs)}  ${room} (${files} files${over})`;
    }),
  ];
}

/**
 * Lists the failed files again at the end, because their errors may stand far above.
 *
 * @param {readonly FileResult[]} results
 * @param {readonly string[]} stray
 * @returns {string[]} Lines.
 */
export function describeFailed(results, stray) {
  const failed = results.filter(({ state }) => state === 'failed');
  if (failed.length === 0 && stray.length === 0) return [];
  return [
    '',
    'Failed:',
    ...failed.flatMap(({ file, tests, errors }) => [
      file,
      ...tests.filter(({ state }) => state === 'failed').map(({ name }) => `  ✗ ${name}`),
      ...errors.map((error) => `  ${error.split('\n')[0]}`),
    ]),
    ...stray,
  ];
}

/** @param {readonly FileResult[]} results @returns {Map<string, { processorMs: number, files: number }>} */
function sumByRoom(results) {
  const sums = new Map();
  for (const { file, processorMs } of results) {
    const room = getRoom(file);
    const sum = sums.get(room) ?? { processorMs: 0, files: 0 };
    sums.set(room, { processorMs: sum.processorMs + processorMs, files: sum.files + 1 });
  }
  return sums;
}

/**
 * Returns the folder to which a test file's time is added: a room of `src/`, a single product, `test/e2e`, or else the
 * first folder.
 *
 * @param {string} file
 */
export function getRoom(file) {
  const parts = file.split('/');
  const depth = parts[1] === 'products' ? 3 : parts[0] === 'src' || parts[1] === 'e2e' ? 2 : 1;
  return parts.slice(0, Math.min(depth, parts.length - 1)).join('/');
}

/** @param {number} ms */
function seconds(ms) {
  return `${(ms / 1_000).toFixed(1)} s`.padStart(9);
}

/**
 * Describes how long a run took, with all processes that it started.
 *
 * @param {number} wallMs
 * @returns {string[]} Lines.
 */
export function describeRun(wallMs) {
  const [wall, processor] = [wallMs, measureProcessorMs()].map((ms) => Math.round(ms / 1_000));
  const version = process.versions.node;
  return ['', `The run took ${wall} s, ${processor} s of processor time, on Node ${version}.`];
}
