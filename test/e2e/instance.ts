import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { SETTINGS } from '../../src/config/settings/settings.ts';
import { LastLines } from './last-lines.ts';

const command = fileURLToPath(new URL('../../bin/sluice.mjs', import.meta.url));

/** Any free ports, so that tests can run side by side. */
export const FREE_PORTS = [
  ...['--rest-port=0', '--admin-port=0', '--rpc-port=0', '--ws-port=0', '--grpc-port=0'],
  // The demo maker is one process more, which only a few tests need.
  '--demo-maker=false',
  // Trades of others would be counted in what tests look at.
  '--demo-traders=false',
];

/** How long a blockhash lives, so that a transaction that is signed on a busy machine does not expire before it lands. */
const BLOCKHASH_LIFE_MS = 60_000;

/**
 * Returns the flags of a network with short slots, whose blockhashes can be used for a minute, as on a network with slots
 * of 400 ms. An instance over the RPC of such a network needs the second flag too.
 */
export function withSlotsOf(ms: number): readonly [slots: string, blockhashes: string] {
  return [`--slot-ms=${ms}`, `--blockhash-slots=${Math.ceil(BLOCKHASH_LIFE_MS / ms)}`];
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly error: string;
}

/** `sluice` as a child process, as a user runs it. */
export class Instance {
  readonly #child: ChildProcess;
  readonly #ended: Promise<Ended>;
  readonly #lastLines = new LastLines();
  #out = '';
  #error = '';

  constructor(args: readonly string[], cwd: string, environment: NodeJS.ProcessEnv = {}) {
    const env = { ...environmentForInstances(), ...environment };
    const child = spawn(process.execPath, [command, ...args], { cwd, env });
    child.stdout.on('data', (chunk) => {
      this.#out += chunk;
      this.#lastLines.write(String(chunk));
    });
    child.stderr.on('data', (chunk) => {
      this.#error += chunk;
      this.#lastLines.write(String(chunk));
    });
    this.#child = child;
    this.#ended = once(child, 'close').then(([code, signal]) => ({
      code,
      signal,
      out: this.#out,
      error: this.#error,
    }));
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('the process could not be started');
    return this.#child.pid;
  }

  /** Whether the process runs, or was started and is paused. */
  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The last lines that it wrote, for a person who looks for the reason of a failure. */
  describe(): string {
    return `the instance ${this.#child.pid} wrote at last:\n${this.#lastLines.text()}`;
  }

  /** Calls back with whatever it writes from now on. */
  onOutput(listener: (text: string) => void): () => void {
    return this.#lastLines.onWrite(listener);
  }

  /** Resolves with the banner when everything answers; rejects when the process ends before. */
  async ready(): Promise<string> {
    while (!this.#out.includes('Ctrl-C stops.')) {
      const more = once(this.#child.stdout ?? this.#child, 'data');
      const ended = await Promise.race([more.then(() => null), this.#ended]);
      if (ended !== null) throw new Error(`ended with ${ended.code}: ${this.describe()}`);
    }
    return this.#out;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  ended(): Promise<Ended> {
    return this.#ended;
  }

  /** For clean-up: ends it if it still runs. */
  async stop(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}

/** Settings that other programs use too. */
const COMMON_SETTINGS = Object.values(SETTINGS).flatMap(({ alias }) => alias ?? []);

/** Settings of the person who runs the tests must not reach an instance. */
export function environmentForInstances(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !name.startsWith('SLUICE_') && !COMMON_SETTINGS.includes(name),
    ),
  );
}

/** The value that the banner prints after `name`. */
export function bannerValue(banner: string, name: string): string {
  const value = new RegExp(`^ +${name} +(\\S+)$`, 'm').exec(banner)?.[1];
  if (value === undefined) throw new Error(`the banner has no ${name}:\n${banner}`);
  return value;
}
