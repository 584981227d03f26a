import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { Server } from 'node:net';
import workerThreads from 'node:worker_threads';
import { afterAll } from 'vitest';
import { measureProcessorMs } from '../scripts/test/processor-time.mjs';

/** What a test file may start that costs more than a function call. */
export type Started = 'process' | 'server' | 'thread';

declare module 'vitest' {
  interface TaskMeta {
    /** Processor time of the file, with that of the processes that it started and that have ended, in milliseconds. */
    processorMs?: number;
    starts?: Started[];
  }
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

interface FileCosts {
  /** Processor time of this worker when the file before ended; files share a worker where they are not isolated. */
  measuredMs: number;
  started: Set<Started>;
}

const shared = globalThis as { fileCosts?: FileCosts };
shared.fileCosts ??= watchStarts({ measuredMs: 0, started: new Set() });
const costs = shared.fileCosts;
costs.started.clear();

// Set up before a file, so this is the last of its hooks that runs.
afterAll((file) => {
  const now = measureProcessorMs();
  file.meta.processorMs = now - costs.measuredMs;
  file.meta.starts = [...costs.started].sort();
  costs.measuredMs = now;
});

/** Notes every process, thread and server that is started in this worker. */
function watchStarts(costs: FileCosts): FileCosts {
  const { prototype } = childProcess.ChildProcess as unknown as { prototype: { spawn: AnyFunction } };
  // Whatever starts a process beside this one ends here.
  prototype.spawn = noting('process', prototype.spawn);
  for (const name of ['spawnSync', 'execSync', 'execFileSync'] as const) {
    Object.assign(childProcess, { [name]: noting('process', childProcess[name] as AnyFunction) });
  }
  Server.prototype.listen = noting('server', Server.prototype.listen as AnyFunction) as Server['listen'];
  workerThreads.Worker = class extends workerThreads.Worker {
    constructor(...args: ConstructorParameters<typeof workerThreads.Worker>) {
      super(...args);
      costs.started.add('thread');
    }
  };
  syncBuiltinESMExports();
  return costs;

  function noting(what: Started, original: AnyFunction): AnyFunction {
    return function (this: unknown, ...args) {
      costs.started.add(what);
      return original.apply(this, args);
    };
  }
}
