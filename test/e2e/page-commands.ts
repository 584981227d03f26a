import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Variables last from one block of a page to the next, as they do in the terminal of a reader. */
const BEFORE = 'set -ea; if [ -f .variables ]; then . ./.variables; fi';

/** The blocks of commands of a page, in its order. */
export function commandsOf(page: string): readonly string[] {
  const text = readFileSync(fileURLToPath(new URL(`../../${page}`, import.meta.url)), 'utf8');
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
}

export interface TerminalOptions {
  readonly folder: string;
  readonly environment: () => NodeJS.ProcessEnv;
  /** What a reader would write in place of what the page has, such as another port. */
  readonly replaced: () => Readonly<Record<string, string>>;
}

/** Runs the blocks of a page with `sh`, in one folder, as a reader does who copies them into a terminal. */
export class Terminal {
  readonly #options: TerminalOptions;
  readonly #running: { readonly child: ChildProcess; readonly ended: Promise<void> }[] = [];

  constructor(options: TerminalOptions) {
    this.#options = options;
  }

  /** Runs a block to its end. Rejects with what it wrote when a command fails. */
  async run(block: string): Promise<string> {
    const { folder: cwd } = this.#options;
    const env = this.#environment();
    // What was there before is not for the next block, for which it may be different.
    const names = Object.keys(env).filter((name) => /^[A-Za-z]\w*$/.test(name));
    const after = `unset ${names.join(' ')}\nexport -p > .variables`;
    const script = [BEFORE, this.#asTyped(block), after].join('\n');
    return (await promisify(execFile)('sh', ['-c', script], { cwd, env })).stdout;
  }

  /**
   * Runs a block that stays, as in a terminal of its own.
   * Returns the first match of `expected` in what it writes.
   * @throws Error with what it wrote, when it ends before
   */
  async stay(block: string, expected: RegExp): Promise<RegExpExecArray> {
    const script = `${BEFORE}\n${this.#asTyped(block)}`;
    const options = { cwd: this.#options.folder, env: this.#environment(), detached: true };
    const child = spawn('sh', ['-c', script], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    this.#running.push({ child, ended });
    let written = '';
    return new Promise((resolve, reject) => {
      const onData = (chunk: Buffer) => {
        written += chunk;
        const match = expected.exec(written);
        if (match !== null) resolve(match);
      };
      child.stdout?.on('data', onData);
      child.stderr?.on('data', onData);
      void ended.then(() => reject(new Error(`it ended before it wrote ${expected}: ${written}`)));
    });
  }

  /** Sends a signal to the block that was begun last, and waits for its end. */
  async interrupt(signal: NodeJS.Signals): Promise<void> {
    const last = this.#running.pop();
    if (last !== undefined) await end(last, signal);
  }

  async close(): Promise<void> {
    await Promise.all(this.#running.splice(0).map((each) => end(each, 'SIGKILL')));
  }

  #asTyped(block: string): string {
    // The Node that runs the tests, whatever others there are.
    let typed = block.replaceAll('node bin/', `'${process.execPath}' bin/`);
    for (const [text, other] of Object.entries(this.#options.replaced()))
      typed = typed.replaceAll(text, other);
    return typed;
  }

  #environment(): NodeJS.ProcessEnv {
    return { ...this.#options.environment(), PYTHONDONTWRITEBYTECODE: '1' };
  }
}

/** Signals all processes of a block; the shell itself may have started others. */
async function end(
  { child, ended }: { readonly child: ChildProcess; readonly ended: Promise<void> },
  signal: NodeJS.Signals,
): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
    process.kill(-child.pid, signal);
  await ended;
}
