/**
 * Returns a function that runs `work`, but never twice at the same time, so that a run that read old values cannot end after
 * one that read newer ones. Each call waits for a run that began after it. Calls that wait at the same time share one run.
 *
 * @example
 * ```ts
 * import { runOneByOne } from './run-one-by-one.ts';
 *
 * let value = '';
 * const refresh = runOneByOne(async () => {
 *   value = await Promise.resolve('what the database says');
 * });
 * await refresh();
 * console.log(value);
 * ```
 */
export function runOneByOne<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null;
  let next: Promise<Result> | null = null;
  const start = () => {
    next = null;
    const run = work().finally(() => {
      if (running === run) running = null;
    });
    running = run;
    return run;
  };
  return () => {
    if (next !== null) return next;
    if (running === null) return start();
    next = running.catch(() => undefined).then(start);
    return next;
  };
}
