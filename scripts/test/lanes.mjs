/** @typedef {import('./run-lanes.mjs').Lane} Lane */

/**
 * Test files that wait more than they work, because they start processes or whole networks. Each runs in a process of its
 * own, and more of them at once than there are cores.
 */
const WAITING = ['test/e2e/'];

/** @param {readonly string[]} prefixes @returns {(file: string) => boolean} */
function startingWith(prefixes) {
  return (file) => prefixes.some((prefix) => file.startsWith(prefix));
}

const isWaiting = startingWith(WAITING);

/** Whether a file needs no process, no network of its own and no browser. */
export const FAST = (/** @type {string} */ file) => !isWaiting(file) && !file.startsWith('test/');

/** What runs on the second version of Node: a start, an order, a fill, a lend action and the stores. */
export const SMOKE = [
  'test/e2e/start.test.ts',
  'test/e2e/order.test.ts',
  'test/e2e/rfq.test.ts',
  'test/e2e/lend.test.ts',
];

/**
 * Divides test files into lanes that run side by side.
 *
 * @param {readonly string[]} files
 * @returns {Lane[]}
 */
export function lanesOf(files) {
  return [
    { name: 'waiting', files: files.filter(isWaiting), isolate: true, workers: 4 },
    { name: 'working', files: files.filter((file) => !isWaiting(file)), isolate: false, workers: 2 },
  ];
}
