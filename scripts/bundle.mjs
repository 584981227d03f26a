import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { filesUnder } from './files-under.mjs';

/** The entry points: the command and the worker threads. Each becomes `dist/<name>.js`. */
const ENTRIES = {
  main: 'src/cli/main.ts',
  worker: 'src/chain/embedded/worker/worker.ts',
  'sqlite-worker': 'src/store/log/sqlite-worker.ts',
  'demo-maker': 'examples/maker.ts',
  'demo-webhook-maker': 'examples/webhook-maker.ts',
  liquidator: 'examples/liquidator.ts',
};

/** The folders with files that are read at run time, and their places under `dist/`. */
const ASSETS = { 'src/gateway/docs/assets': 'docs' };

/**
 * The packages that read their own files: a native library, WebAssembly, the script of a worker. Others load faster
 * bundled.
 */
export const EXTERNAL = ['litesvm', '@bokuweb/zstd-wasm', 'node-sqlite3-wasm', 'pino'];

/** Defines `require`, with which bundled CommonJS packages load Node's modules, and which an ES module does not have. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

const STAMP = '.built-from';

/**
 * Bundles `src/` into `dist/`, unless the bundle was made from the same files.
 *
 * @param {string} root - The folder of the checkout.
 * @returns {Promise<boolean>} Whether it had to bundle.
 */
export async function bundleWhenStale(root) {
  const dist = join(root, 'dist');
  const sources = fingerprint(root);
  const stamp = join(dist, STAMP);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return false;
  const written = await bundle(root, dist);
  writeFileSync(stamp, sources);
  removeOthers(dist, new Set([stamp, ...written]));
  return true;
}

/** @param {string} root @param {string} dist @returns {Promise<string[]>} the files written */
async function bundle(root, dist) {
  const { build, stop } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ENTRIES,
    outdir: dist,
    bundle: true,
    splitting: true,
    external: EXTERNAL,
    banner: { js: REQUIRE },
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: true,
    sourcesContent: false,
    write: false,
    logLevel: 'warning',
  });
  await stop();
  for (const { path, contents } of outputFiles) replaceFile(path, contents);
  const assets = Object.entries(ASSETS).flatMap(([from, to]) =>
    filesUnder(join(root, from)).map((file) => {
      const target = join(dist, to, relative(join(root, from), file));
      mkdirSync(dirname(target), { recursive: true });
      cpSync(file, target);
      return target;
    }),
  );
  return [...outputFiles.map((file) => file.path), ...assets];
}

/**
 * Replaces a file atomically, so that a process that starts at the same time finds the old file or the new one.
 *
 * @param {string} path
 * @param {Uint8Array} contents
 */
function replaceFile(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, contents);
  renameSync(temporary, path);
}

/** What others build into the same folder: the portal, and the portal while it is being built. */
const OF_OTHERS = /^\.?portal[^\\/]*[\\/]/;

/**
 * Removes files that the bundle no longer has, but no temporary files of another process that is bundling, and nothing of
 * the portal.
 *
 * @param {string} dist
 * @param {ReadonlySet<string>} kept
 */
export function removeOthers(dist, kept) {
  for (const file of filesUnder(dist)) {
    const writer = /\.(\d+)$/.exec(file)?.[1];
    const isAwaited = writer !== undefined && isRunning(Number(writer));
    const isOfOthers = OF_OTHERS.test(relative(dist, file));
    if (!kept.has(file) && !isAwaited && !isOfOthers) rmSync(file, { force: true });
  }
}

/** @param {number} pid */
export function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * Computes a fingerprint of the sources. It covers names, sizes and times instead of contents, because it is computed at
 * every start.
 *
 * @param {string} root - The folder of the checkout.
 */
export function fingerprint(root) {
  const hash = createHash('sha256');
  const files = [
    ...filesUnder(join(root, 'src')),
    ...filesUnder(join(root, 'examples')),
    join(root, 'package-lock.json'),
    join(root, 'package.json'),
    join(root, 'scripts', 'bundle.mjs'),
  ];
  for (const file of files.filter((name) => !name.endsWith('.test.ts'))) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${relative(root, file)}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}
