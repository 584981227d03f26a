import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Lists the files below a folder.
 *
 * @param {string} folder - May be missing.
 * @returns {string[]} Sorted, so that a fingerprint does not depend on the file system.
 */
export function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
