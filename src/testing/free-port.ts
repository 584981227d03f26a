import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Below the ports that systems give to whoever asks for any port. */
const [FIRST, END] = [20_000, 32_768];

/** A file per port that a process was given, with the number of the process. */
const TAKEN = join(tmpdir(), 'sluice-test-ports');

/**
 * Resolves to a port of loopback that nothing listens on, for a program that cannot choose one itself, or that is started again on
 * the port that it had. No other process is given the port while this one runs: not because it asks for any, and not by
 * this function.
 */
export async function findFreePort(): Promise<number> {
  for (let port = randomInt(FIRST, END); ; port = port + 1 < END ? port + 1 : FIRST)
    if (takePort(port) && (await isFree(port))) return port;
}

const own: string[] = [];

function giveBack(): void {
  for (const file of own) rmSync(file, { force: true });
}

/** Takes a port for this process. Returns whether no other process that still runs has it. */
function takePort(port: number): boolean {
  mkdirSync(TAKEN, { recursive: true });
  const file = join(TAKEN, String(port));
  const taker = readTaker(file);
  if (taker !== null && isRunning(taker)) return false;
  if (taker !== null) rmSync(file, { force: true });
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    if (own.length === 0) process.once('exit', giveBack);
    own.push(file);
    return true;
  } catch {
    return false;
  }
}

function readTaker(file: string): number | null {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
