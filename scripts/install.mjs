import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './child.mjs';

/**
 * Runs `npm ci` when the installed packages are not those of the lock file.
 *
 * @param {string} root - The folder of the checkout.
 */
export async function ensureDependencies(root) {
  if (dependenciesAreCurrent(root)) return;
  process.stderr.write('Installing dependencies (npm ci) ...\n');
  const npm = process.env.npm_execpath;
  // The bundler and the checks are development dependencies, so an `omit` from the environment must not drop them.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund'];
  const { code, output } = npm?.endsWith('.js')
    ? await run(process.execPath, [npm, ...args], { cwd: root, capture: true })
    : await run('npm', args, { cwd: root, capture: true });
  process.stderr.write(output);
  if (code !== 0) throw new Error(`npm ci ended with exit code ${code}; see its messages above.`);
}

/**
 * Compares the lock file with npm's copy of it in `node_modules`. A younger copy is trusted. An older one is compared,
 * because a checkout touches files without changing them.
 *
 * @param {string} root - The folder of the checkout.
 */
export function dependenciesAreCurrent(root) {
  const wanted = join(root, 'package-lock.json');
  const installed = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  if (statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return true;
  return samePackages(packagesOf(wanted), packagesOf(installed));
}

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }} LockedPackage
 * @param {string} lockFile
 * @returns {Record<string, LockedPackage>} by folder
 */
function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages ?? {};
  } catch {
    return {};
  }
}

/**
 * @param {Record<string, LockedPackage>} wanted
 * @param {Record<string, LockedPackage>} installed
 */
function samePackages(wanted, installed) {
  return Object.entries(wanted).every(([folder, entry]) => {
    if (folder === '') return true;
    const found = installed[folder];
    // Optional packages for other platforms are not installed.
    if (found === undefined) return entry.optional === true || entry.devOptional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}
