import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, vi } from 'vitest';
import { findFreePort } from '../free-port.ts';

/** The program of a server that is installed here; null when there is none. */
export const VALKEY_PROGRAM =
  ['valkey-server', 'redis-server'].find((name) => spawnSync(name, ['--version']).status === 0) ?? null;

/** The name by which the sentinels know the master. */
const MASTER = 'the-master';
const PASSWORD = 'a-password-of-tests';

/** A master, its replicas, and sentinels that watch them, on loopback. */
export interface SentinelServers {
  /** For `valkey-url`. */
  readonly url: string;
  /** For `valkey-sentinel`. */
  readonly sentinels: readonly string[];
  /** Resolves to the port of the server that the sentinels name. */
  readonly masterPort: () => Promise<number>;
  /** Has the sentinels promote a replica, as they do when the master is gone, and resolves when they have begun. */
  readonly failOver: () => Promise<void>;
  /** Sends one command to the server at a port. */
  readonly send: (port: number, ...command: readonly string[]) => Promise<unknown>;
  /** Kills the server at a port, as a machine does that vanishes. */
  readonly kill: (port: number) => Promise<void>;
  /** Stops the server at a port from running, or lets it run again. */
  readonly pause: (port: number, isPaused: boolean) => void;
  readonly close: () => Promise<void>;
}

/** Starts a master with replicas that have all its data, and sentinels, and waits until each knows all others. */
export async function openSentinelServers({ replicas = 1, sentinels = 1 } = {}): Promise<SentinelServers> {
  if (VALKEY_PROGRAM === null) throw new Error('no server is installed');
  const folder = mkdtempSync(join(tmpdir(), 'sluice-sentinel-'));
  const processes = new Map<number, ChildProcess>();
  const start = async (...rest: readonly string[]) => {
    const port = await findFreePort();
    const config = join(folder, `${port}.conf`);
    const own = [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...rest];
    writeFileSync(config, `${own.join('\n')}\n`);
    const isSentinel = rest.some((line) => line.startsWith('sentinel '));
    const child = spawn(VALKEY_PROGRAM ?? '', [config, ...(isSentinel ? ['--sentinel'] : [])]);
    processes.set(port, child);
    await waitForLine(child, isSentinel ? /\+monitor master/ : /ready to accept connections/i);
    return port;
  };
  const close = async () => {
    await Promise.all([...processes.values()].map(end));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const access = [
      `requirepass ${PASSWORD}`,
      `masterauth ${PASSWORD}`,
      'save ""',
      'repl-diskless-sync-delay 0',
    ];
    const master = await start(...access);
    for (let index = 0; index < replicas; index++) await start(...access, `replicaof 127.0.0.1 ${master}`);
    await vi.waitFor(async () =>
      expect(await send(master, 'INFO', 'replication')).toMatch(
        new RegExp(`(slave\\d+:.*state=online.*\\s*){${replicas}}`),
      ),
    );
    const quorum = Math.floor(sentinels / 2) + 1;
    const watching: number[] = [];
    for (let index = 0; index < sentinels; index++) {
      const lines = [
        `sentinel monitor ${MASTER} 127.0.0.1 ${master} ${quorum}`,
        `sentinel auth-pass ${MASTER} ${PASSWORD}`,
        `sentinel down-after-milliseconds ${MASTER} 1000`,
        `sentinel failover-timeout ${MASTER} 5000`,
      ];
      watching.push(await start(`requirepass ${PASSWORD}`, ...lines));
    }
    const [first = 0] = watching;
    for (const port of watching) {
      await vi.waitFor(async () =>
        expect(fieldsOf(await send(port, 'SENTINEL', 'master', MASTER))).toMatchObject({
          'num-slaves': String(replicas),
          'num-other-sentinels': String(sentinels - 1),
        }),
      );
    }
    return {
      url: `valkey://:${PASSWORD}@${MASTER}`,
      sentinels: watching.map((port) => `valkey://:${PASSWORD}@127.0.0.1:${port}`),
      masterPort: async () => {
        const [, port] = (await send(first, 'SENTINEL', 'get-master-addr-by-name', MASTER)) as string[];
        return Number(port);
      },
      failOver: async () => {
        const begin = () => send(first, 'SENTINEL', 'FAILOVER', MASTER).catch(String);
        await vi.waitFor(async () => expect(await begin()).toBe('OK'));
      },
      send,
      kill: async (port) => {
        const child = processes.get(port);
        if (child !== undefined) await end(child);
      },
      pause: (port, isPaused) => void processes.get(port)?.kill(isPaused ? 'SIGSTOP' : 'SIGCONT'),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function send(port: number, ...[name = '', ...args]: readonly string[]): Promise<unknown> {
  const client = new Redis({ port, password: PASSWORD, lazyConnect: true, retryStrategy: null });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await client.call(name, ...args);
  } finally {
    client.disconnect();
  }
}

/** Makes an object of a list of names and values. */
function fieldsOf(list: unknown): Readonly<Record<string, string>> {
  const texts = list as readonly string[];
  return Object.fromEntries(texts.flatMap((name, at) => (at % 2 === 0 ? [[name, texts[at + 1] ?? '']] : [])));
}

function waitForLine(child: ChildProcess, line: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    child.stdout?.on('data', (data) => {
      log += data;
      if (line.test(log)) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`the server ended: ${log.slice(-1_000)}`)));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
