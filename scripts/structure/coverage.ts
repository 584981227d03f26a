import { type Profiler, Session } from 'node:inspector';

/**
 * Returns the files below `root` in which each run of the work calls a function. What only some runs call is left out, which
 * excludes timers that happen to run at the same time. The top level of a module that is loaded meanwhile is not a function.
 *
 * @param root - The `file:` URL of a folder, with a slash at its end.
 * @param runs - How often the work is done while V8 counts the calls in this thread.
 */
export async function findExecutedFiles(
  root: string,
  runs: number,
  work: (run: number) => Promise<void>,
): Promise<readonly string[]> {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  let executed: ReadonlySet<string> | null = null;
  for (let run = 0; run < runs; run++) {
    // Taking the counts sets them back to zero.
    await takeCoverage(session);
    await work(run);
    const files: readonly string[] = getExecutedFiles(await takeCoverage(session), root);
    executed = new Set(executed === null ? files : files.filter((file) => executed?.has(file)));
  }
  session.disconnect();
  return [...(executed ?? [])].sort();
}

function takeCoverage(session: Session): Promise<readonly Profiler.ScriptCoverage[]> {
  return new Promise((resolve, reject) => {
    session.post('Profiler.takePreciseCoverage', (error, { result }) =>
      error === null ? resolve(result) : reject(error),
    );
  });
}

function getExecutedFiles(scripts: readonly Profiler.ScriptCoverage[], root: string): readonly string[] {
  const isCalled = ({ functionName, ranges }: Profiler.FunctionCoverage) => {
    const [whole] = ranges;
    const isModule = functionName === '' && whole?.startOffset === 0;
    return !isModule && (whole?.count ?? 0) > 0;
  };
  const executed = scripts.filter(({ url, functions }) => url.startsWith(root) && functions.some(isCalled));
  return executed.map(({ url }) => url.slice(root.length).replace(/\?.*$/, ''));
}
