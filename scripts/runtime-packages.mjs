import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXTERNAL } from './bundle.mjs';

/**
 * @typedef {{
 *   dependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string>,
 *   peerDependencies?: Record<string, string>,
 *   peerDependenciesMeta?: Record<string, { optional?: boolean }>,
 * }} LockedPackage
 */

/**
 * Lists the packages that the bundle loads at run time, with their dependencies.
 *
 * @param {Readonly<Record<string, LockedPackage>>} locked - `packages` of package-lock.json, by folder.
 * @param {readonly string[]} names - The packages that are not bundled.
 * @returns {string[]} Their folders, such as `node_modules/pino`, sorted.
 */
export function runtimeFolders(locked, names = EXTERNAL) {
  /** @type {Set<string>} */
  const found = new Set();
  const waiting = names.map((name) => folderOf(locked, '', name));
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (folder === null || found.has(folder)) continue;
    found.add(folder);
    for (const name of neededBy(locked[folder] ?? {})) waiting.push(folderOf(locked, folder, name));
  }
  return [...found].sort();
}

/** @param {LockedPackage} entry @returns {string[]} names; peers only if they are not optional */
function neededBy({ dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/**
 * Resolves a package like Node: in the folder of the package that imports it, or in one above.
 *
 * @param {Readonly<Record<string, LockedPackage>>} locked
 * @param {string} from - Folder of the package that asks.
 * @param {string} name
 * @returns {string | null} The folder, or null for an optional package that is not installed.
 */
function folderOf(locked, from, name) {
  const folder = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (folder in locked) return folder;
  return from === ''
    ? null
    : folderOf(locked, from.slice(0, Math.max(from.lastIndexOf('/node_modules/'), 0)), name);
}

/**
 * Copies the packages that the bundle loads at run time.
 *
 * @param {string} root - The folder of the checkout.
 * @param {string} target - The folder that gets a `node_modules`.
 */
export function copyRuntimePackages(root, target) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const folder of runtimeFolders(packages)) {
    // A package for another platform is not installed. Nested packages are listed by themselves.
    if (!existsSync(join(root, folder))) continue;
    const own = join(root, folder, 'node_modules');
    cpSync(join(root, folder), join(target, folder), {
      recursive: true,
      filter: (path) => !path.startsWith(own),
    });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [target] = process.argv.slice(2);
  if (target === undefined) throw new Error('usage: node scripts/runtime-packages.mjs <folder>');
  copyRuntimePackages(fileURLToPath(new URL('..', import.meta.url)), target);
}
