import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { every } from '../common/ports/timers.ts';
import { openAppendOnlyLog } from '../data-folder/append-only-log.ts';
import type { StartContext } from './opening.ts';

const MAX_STOP_MS = 2_000;

export interface ExampleProcess {
  /** For messages, and for the names of its log and of its bundle: `demo-maker`. */
  readonly name: string;
  /** Its file in `examples/`, without the ending. */
  readonly example: string;
  /** The data folder, in which its output is written to `<name>.log`. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Called with what the process sends to this one. Default: it is ignored. */
  readonly onMessage?: (message: unknown) => void;
}

/**
 * Runs an example in a process of its own. It ends when this process ends, even if this process is killed, and when the
 * rooms are closed.
 */
export function runExample(
  { logger, toClose }: Pick<StartContext, 'logger' | 'toClose'>,
  { name, example, folder, env, onMessage }: ExampleProcess,
): void {
  const { descriptor: log, stop: stopLog } = openAppendOnlyLog(join(folder, `${name}.log`), every);
  const child = spawn(process.execPath, programArguments(import.meta.url, name, example), {
    stdio: ['ignore', log, log, 'ipc'],
    env: { ...env },
  });
  closeSync(log);
  child.on('error', (error) => logger.error({ err: error }, `the ${name} cannot be started`));
  if (onMessage !== undefined) child.on('message', onMessage);
  // The child process must not keep this process from ending.
  child.unref();
  child.channel?.unref();
  toClose(() => {
    stopLog();
    return stop(child);
  });
}

function programArguments(from: string, name: string, example: string): string[] {
  return from.endsWith('.ts')
    ? ['--import', import.meta.resolve('tsx'), fileURLToPath(new URL(`../../examples/${example}.ts`, from))]
    : [fileURLToPath(new URL(`./${name}.js`, from))];
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  const killTimer = setTimeout(() => child.kill('SIGKILL'), MAX_STOP_MS);
  child.ref();
  child.kill('SIGTERM');
  await ended;
  clearTimeout(killTimer);
}
