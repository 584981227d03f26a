import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['src', 'test', 'programs', 'scripts'];
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

/** @param {string} root @param {string} folder @returns {string[]} */
function listBelow(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : listBelow(root, path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}
