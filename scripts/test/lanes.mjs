import { STARTING_FILES } from './starting-files.mjs';

/** @typedef {import('./run-lanes.mjs').Lane} Lane */

/** Files that start whole instances, and wait for them more than they work. */
const WAITING = ['test/e2e/', 'test/portal/'];

/** Files that replace modules. Other files in the same process would get the replacements too. */
const ISOLATED = ['test/new-venue.test.ts'];

/** What runs on the other supported Node: a start, an order, a fill, a lend action and the stores. */
export const SMOKE = [
  'test/e2e/start.test.ts',
  'test/e2e/order.test.ts',
  'test/e2e/rfq.test.ts',
  'test/e2e/lend.test.ts',
  'src/store/store.test.ts',
  'src/store/sqlite/damage.test.ts',
];

/** @param {string} file @param {readonly string[]} prefixes */
function startsWithAny(file, prefixes) {
  return prefixes.some((prefix) => file.startsWith(prefix));
}

/**
 * Whether a test file needs no process, no thread, no network of its own and no browser.
 *
 * @param {string} file - Relative to the root.
 */
export function isFast(file) {
  return !startsWithAny(file, STARTING_FILES);
}

/**
 * Divides test files into lanes that run side by side.
 *
 * @param {readonly string[]} files
 * @returns {Lane[]}
 */
export function toLanes(files) {
  const isOwn = (/** @type {string} */ file) => startsWithAny(file, WAITING) || ISOLATED.includes(file);
  return [
    { files: files.filter(isOwn), isolate: true, workers: 4 },
    { files: files.filter((file) => !isOwn(file)), isolate: false, workers: 2 },
  ];
}
