import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { repeatEvery, SYSTEM_TIMERS, type Timers } from '../../common/ports/timers.ts';
import { openAppendOnlyLog } from '../../common/files/append-only-log.ts';

const MAX_STOP_MS = 2_000;
/**
 * A process that ends is started again after the first delay. The delay doubles with each restart, up to the second
 * number.
 */
const [FIRST_RESTART_MS, MAX_RESTART_MS] = [1_000, 60_000];
/** After a run of this length, the delay is reset to the first one. */
const STEADY_MS = 120_000;

/** What every example needs of the instance that runs it. */
export interface ExampleHost {
  /** The data folder, in which the output of an example is written to `<name>.log`. */
  readonly folder: string;
  /** Called when an example ended or failed, with the details and a message. */
  readonly logError: (details: object, message: string) => void;
  /** Registers what must be closed at the end. */
  readonly toClose: (close: () => Promise<void> | void) => void;
}

export interface ExampleProcess {
  /** The name in messages, and of the log and the bundle, such as `demo-maker`. */
  readonly name: string;
  /** The name of its file in `examples/`, without the extension. */
  readonly example: string;
  readonly env: Readonly<Record<string, string>>;
  /** Called with what the process sends to this one. Default: it is ignored. */
  readonly onMessage?: (message: unknown) => void;
}

export interface ExampleRunOptions {
  readonly timers: Timers;
  /** Returns the arguments with which Node runs the example. */
  readonly command: (example: ExampleProcess) => readonly string[];
}

/** A process that was started, and the resources to release when it has ended. */
interface Running {
  readonly child: ChildProcess;
  readonly stopLog: () => void;
}

/**
 * Runs an example in a process of its own. If the process ends, that is logged, and it is started again after a delay.
 * It ends when the rooms are closed, and when this process ends, even if this process is killed.
 */
export function runExample(
  { folder, logError, toClose }: ExampleHost,
  example: ExampleProcess,
  { timers, command }: ExampleRunOptions = { timers: SYSTEM_TIMERS, command: getExampleCommand },
): void {
  const { name } = example;
  let running: Running | null = null;
  let cancelRestart = () => {};
  let delay = FIRST_RESTART_MS;
  const run = () => {
    const startedAt = timers.now();
    const started = start(example, folder, command(example));
    running = started;
    const restart = (why: object) => {
      if (running !== started) return;
      running = null;
      started.stopLog();
      if (timers.now() - startedAt >= STEADY_MS) delay = FIRST_RESTART_MS;
      logError(why, `the ${name} has ended; it is started again in ${delay / 1_000} s`);
      cancelRestart = timers.after(delay, run);
      delay = Math.min(2 * delay, MAX_RESTART_MS);
    };
    started.child.once('error', (error) => restart({ err: error }));
    started.child.once('exit', (code, signal) => restart({ code, signal }));
  };
  run();
  toClose(async () => {
    cancelRestart();
    const last = running;
    // From now on, the end of the process is intended.
    running = null;
    if (last === null) return;
    last.stopLog();
    await stop(last.child);
  });
}

function start(
  { name, env, onMessage }: ExampleProcess,
  folder: string,
  command: readonly string[],
): Running {
  const { descriptor: log, stop: stopLog } = openAppendOnlyLog(join(folder, `${name}.log`), repeatEvery);
  const child = spawn(process.execPath, command, {
    stdio: ['ignore', log, log, 'ipc'],
    env: { ...env },
    // Ctrl-C in a terminal signals the whole process group. An example ends when its rooms are closed, not before.
    detached: true,
  });
  closeSync(log);
  if (onMessage !== undefined) child.on('message', onMessage);
  // The child process must not keep this process from ending.
  child.unref();
  child.channel?.unref();
  return { child, stopLog };
}

/** Runs the example from its source if Sluice itself runs from source, and otherwise from the bundle. */
function getExampleCommand({ name, example }: ExampleProcess): string[] {
  const from = import.meta.url;
  return from.endsWith('.ts')
    ? [
        '--import',
        import.meta.resolve('tsx'),
        fileURLToPath(new URL(`../../../examples/${example}.ts`, from)),
      ]
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
