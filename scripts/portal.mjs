import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { isRunning } from './bundle.mjs';
import { run } from './child.mjs';
import { filesUnder } from './files-under.mjs';

/** The sources of the portal. A change of any of them makes a build stale. */
const SOURCES = ['web', 'src/gateway/docs/assets', 'scripts/portal.mjs', 'package-lock.json'];

const STAMP = '.built-from';

/** What is worth compressing. */
const TEXT = /\.(html|js|css|svg|json)$/;

/**
 * Builds the portal into `dist/portal`, unless it was built from the same sources.
 *
 * @param {string} root - The folder of the checkout.
 * @param {(line: string) => void} say - Called before a build begins, which takes some seconds.
 * @returns {Promise<boolean>} Whether it had to build.
 * @throws {Error} if the packages of the portal are not installed, or the build fails
 */
export async function buildPortalWhenStale(root, say) {
  const target = join(root, 'dist', 'portal');
  const sources = fingerprintPortal(root);
  if (readStamp(target) === sources) return false;
  say('Building the portal ...');
  mkdirSync(join(root, 'dist'), { recursive: true });
  removeAbandonedBuilds(join(root, 'dist'));
  const built = mkdtempSync(join(root, 'dist', `.portal-${process.pid}-`));
  try {
    // A temporary folder is readable by its owner only.
    chmodSync(built, 0o755);
    await build(root, built);
    compress(built);
    writeFileSync(join(built, STAMP), sources);
    replaceFolder(built, target, sources);
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
  return true;
}

/**
 * Removes what a build that was killed has left. It would be packed with the rest of the folder.
 *
 * @param {string} dist
 */
export function removeAbandonedBuilds(dist) {
  for (const name of readdirSync(dist)) {
    const builder = /^\.portal-(\d+)-/.exec(name)?.[1];
    if (builder !== undefined && !isRunning(Number(builder)))
      rmSync(join(dist, name), { recursive: true, force: true });
  }
}

/**
 * Builds in a process of its own: Vite builds for what `NODE_ENV` says, and sets it.
 *
 * @param {string} root @param {string} outDir
 */
async function build(root, outDir) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  if (!existsSync(vite)) {
    throw new Error(
      'its packages are development dependencies, which are not installed here: run `npm ci --include=dev`, ' +
        'and then `npm run build`',
    );
  }
  const args = [vite, 'build', join(root, 'web'), '--outDir', outDir, '--logLevel', 'warn'];
  const env = { ...process.env, NODE_ENV: 'production' };
  // A start may write JSON to standard output, and nothing else belongs there.
  const { code, output } = await run(process.execPath, args, { cwd: root, env, capture: true });
  process.stderr.write(output);
  if (code !== 0) throw new Error(`its build ended with exit code ${code}; see its messages above`);
}

/**
 * Writes the compressed forms beside each file, so that the server need not compress.
 *
 * @param {string} folder
 */
function compress(folder) {
  for (const file of filesUnder(folder).filter((name) => TEXT.test(name))) {
    const contents = readFileSync(file);
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(`${file}.br`, brotliCompressSync(contents, { params }));
    writeFileSync(`${file}.gz`, gzipSync(contents, { level: 9 }));
  }
}

/**
 * Puts a new build in the place of the old one. Another process may do the same at the same time: whichever comes second
 * finds a folder in its way, and removes it if it is not of the same sources.
 *
 * @param {string} built @param {string} target @param {string} sources
 */
function replaceFolder(built, target, sources) {
  for (let tries = 0; readStamp(target) !== sources; tries += 1) {
    const old = `${built}.old`;
    try {
      if (existsSync(target)) renameSync(target, old);
      renameSync(built, target);
    } catch (error) {
      if (tries >= 10) throw error;
    } finally {
      rmSync(old, { recursive: true, force: true });
    }
  }
}

/** @param {string} folder @returns {string | null} */
function readStamp(folder) {
  const stamp = join(folder, STAMP);
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : null;
}

/**
 * Computes a fingerprint of the sources of the portal by their contents: a checkout of the same version has the same.
 *
 * @param {string} root - The folder of the checkout.
 */
export function fingerprintPortal(root) {
  const hash = createHash('sha256');
  for (const source of SOURCES.map((name) => join(root, name))) {
    if (!existsSync(source)) continue;
    for (const file of statSync(source).isDirectory() ? filesUnder(source) : [source]) {
      if (/\.test\.tsx?$/.test(file)) continue;
      hash
        .update(`${relative(root, file)}\0`)
        .update(readFileSync(file))
        .update('\0');
    }
  }
  return hash.digest('hex');
}
