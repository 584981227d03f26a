import { fork } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceTree } from './source-tree.ts';

/** The files of `src/` that an order executes. */
export interface ExecutedFiles {
  /** In the code that orders: the network, the gateway and what runs beside them are left out. */
  readonly byOrder: readonly string[];
  /** In a whole instance, from the request to its answer. */
  readonly byRequest: readonly string[];
}

/** Measures a checkout, whose packages must be installed. Takes some seconds. */
export async function measureExecutedFiles(root: string, sources: SourceTree): Promise<ExecutedFiles> {
  const cli = [...sources].find(([, text]) => /^export async function runCli\(/m.test(text))?.[0];
  if (cli === undefined) throw new Error(`${root} has no file in src that exports runCli`);
  const byOrder = await runProcess('order', root, cli);
  const byRequest = await runProcess('request', root, cli);
  return {
    byOrder: byOrder.filter((file) => sources.has(file) && !isOfNetwork(file)),
    byRequest: byRequest.filter((file) => sources.has(file)),
  };
}

/** The network inside is not part of the gateway, which can use any other. */
function isOfNetwork(file: string): boolean {
  return file.includes('/embedded/');
}

/** Runs a measurement in a process of its own, because it loads the code of another checkout. */
function runProcess(what: string, root: string, cli: string): Promise<readonly string[]> {
  const child = fork(fileURLToPath(new URL('order-process.ts', import.meta.url)), [what, resolve(root), cli]);
  return new Promise((done, reject) => {
    child.on('message', (files) => done(files as readonly string[]));
    child.on('error', reject);
    child.on('exit', (code) =>
      reject(new Error(`the measurement ended with ${code} before it was complete`)),
    );
  });
}
