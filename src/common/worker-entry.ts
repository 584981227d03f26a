import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';

export interface WorkerFiles {
  /** `import.meta.url` of the file that starts the thread. */
  readonly from: string;
  /** The thread's source, relative to that file. */
  readonly source: string;
  /** The name of the thread's bundle, which is beside the bundle of `from`. */
  readonly bundled: string;
}

/**
 * Returns the arguments for `new Worker`. In a bundle, the thread is a file of its own. From sources, the thread has to
 * register a TypeScript loader first.
 */
export function createWorkerArguments(
  { from, source, bundled }: WorkerFiles,
  workerData: unknown,
): ConstructorParameters<typeof Worker> {
  if (!from.endsWith('.ts')) return [new URL(bundled, from), { workerData }];
  const tsxPackage = pathToFileURL(createRequire(from).resolve('tsx/package.json'));
  const tsx = new URL('./dist/esm/api/index.mjs', tsxPackage);
  const text = `import { register } from '${tsx}'; register(); await import('${new URL(source, from)}');`;
  return [new URL(`data:text/javascript,${encodeURIComponent(text)}`), { workerData }];
}
