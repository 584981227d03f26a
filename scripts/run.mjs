#!/usr/bin/env node
// The entry point of `npm start`, `npm test` and the other npm scripts. It may only import Node's own modules, because
// on a fresh clone nothing else is installed yet.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { refuseOldNode } from '../bin/oldest-node.mjs';
import { ensureDependencies } from './install.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @type {Record<string, (args: string[]) => Promise<number | void>>} */
const commands = {
  start: async (args) => {
    // Runs in this process instead of a child, so that Ctrl-C and the exit code need not be forwarded.
    process.argv = [process.execPath, 'sluice', 'start', ...args];
    if (process.env.npm_lifecycle_event === 'start') stopWithParent();
    await import('../bin/sluice.mjs');
  },
  build: async () => {
    const { bundleWhenStale } = await import('./bundle.mjs');
    const { buildPortalWhenStale } = await import('./portal.mjs');
    await bundleWhenStale(root);
    await buildPortalWhenStale(root, (line) => process.stderr.write(`${line}\n`));
  },
  test: async (args) =>
    args.length > 0
      ? (await import('./checks.mjs')).runSelectedTests(root, args)
      : (await import('./test/run-suite.mjs')).runSuite(root, 'all'),
  'test:fast': async () => (await import('./test/run-suite.mjs')).runSuite(root, 'fast'),
  'test:smoke': async () => (await import('./test/run-suite.mjs')).runSuite(root, 'smoke'),
  'test:long': async (args) => (await import('./test/long.mjs')).runLong(root, args),
  types: async () => (await import('./checks.mjs')).runTypes(root),
  bench: (args) => runTypeScript('bench/run.ts', args),
  conformance: (args) => runTypeScript('conformance/run.ts', args),
  structure: (args) => runTypeScript('scripts/structure/print.ts', args),
  proto: async () => {
    const { GENERATED, generateProto } = await import('./generate-proto.mjs');
    generateProto(root, join(root, GENERATED));
  },
  'programs:build': (args) => runTypeScript('scripts/programs/build.ts', args),
  'test:differential': (args) => runTypeScript('test/differential/run.ts', args),
};

/** Stops when the parent ends. npm forwards a termination signal to its shell, which ends without forwarding it. */
function stopWithParent() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
}

/** @param {string} file @param {string[]} args */
async function runTypeScript(file, args) {
  const { run } = await import('./child.mjs');
  const started = await run(process.execPath, ['--import', 'tsx', join(root, file), ...args], { cwd: root });
  return started.code;
}

const [name = '', ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command === undefined) {
  process.stderr.write(`"${name}" is not a task; tasks are ${Object.keys(commands).join(', ')}\n`);
  process.exitCode = 2;
} else if (await installed()) {
  process.exitCode = (await command(args)) ?? process.exitCode;
}

async function installed() {
  try {
    refuseOldNode(process.versions.node);
    await ensureDependencies(root);
    return true;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
    return false;
  }
}
