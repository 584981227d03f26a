import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../src/testing/free-port.ts';

export interface ValkeyServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const PROGRAMS = ['valkey-server', 'redis-server'];
const READY = 'Ready to accept connections';

/** Starts a server in memory on a free loopback port; returns null if Valkey is not installed. */
export async function startValkey(): Promise<ValkeyServer | null> {
  for (const program of PROGRAMS) {
    const server = await start(program);
    if (server !== null) return server;
  }
  return null;
}

async function start(program: string): Promise<ValkeyServer | null> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-valkey-'));
  const port = await findFreePort();
  const args = [
    '--bind',
    '127.0.0.1',
    '--port',
    String(port),
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'no',
  ];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const isReady = await Promise.race([
    once(child, 'error').then(() => false),
    once(child, 'exit').then(() => false),
    ready(child).then(() => true),
  ]);
  if (!isReady) {
    rmSync(folder, { recursive: true, force: true });
    return null;
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Continues to read afterwards, so that the server does not block on its output. */
function ready({ stdout }: ChildProcess): Promise<void> {
  let text = '';
  return new Promise((resolve) => {
    stdout?.on('data', (chunk) => {
      if (text.includes(READY)) return;
      text += chunk;
      if (text.includes(READY)) resolve();
    });
  });
}
