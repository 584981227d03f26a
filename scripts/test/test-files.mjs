import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FOLDERS = ['src', 'test', 'programs', 'scripts', 'web'];
const SKIPPED_FOLDERS = new Set(['node_modules', 'target', 'differential']);

/**
 * Lists the test files of a checkout, which are those that `vitest.config.ts` includes.
 *
 * @param {string} root - The folder of the checkout.
 * @returns {string[]} Paths relative to `root`, with slashes, sorted.
 */
export function listTestFiles(root) {
  return FOLDERS.flatMap((folder) => listBelow(root, folder)).sort();
}

/**
 * Sorts test files by their size, the largest first, so that none of the long ones is the end of a run. A file that runs the
 * suite of a file beside it is as large as that.
 *
 * @param {string} root - The folder of the checkout.
 * @param {readonly string[]} files - Relative to the root.
 * @returns {string[]}
 */
export function sortLargestFirst(root, files) {
  const sizes = new Map(files.map((file) => [file, measureSize(join(root, file))]));
  return files.toSorted((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
}

/** @param {string} file @returns {number} Characters. */
function measureSize(file) {
  const text = readFileSync(file, 'utf8');
  const suite = join(dirname(file), /from '(\.\/[\w-]+-suite\.ts)'/.exec(text)?.[1] ?? '.');
  // A test of this very function has such an import in a string.
  const isSuite = suite.endsWith('.ts') && existsSync(suite);
  return text.length + (isSuite ? readFileSync(suite, 'utf8').length : 0);
}

/** @param {string} root @param {string} folder @returns {string[]} */
function listBelow(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : listBelow(root, path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}
