import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../operator-error.ts';

const LOCK = 'instance.lock';
const ATTEMPTS = 10;

/** What tells a process from a later one that the system gave the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Whatever the system tells of when it started. */
  readonly started: string;
}

/**
 * Takes the data folder for this process, creating it when missing. What a killed process left behind is taken over.
 * @returns the way to give it back
 * @throws OperatorError when a live process holds it
 */
export function lockDataFolder(dataDir: string): () => void {
  makeFolder(dataDir);
  const lock = join(dataDir, LOCK);
  const mine = JSON.stringify(identityOf(process.pid));
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (createWhole(lock, mine)) {
      return () => {
        if (readIfPresent(lock) === mine) rmSync(lock);
      };
    }
    const found = readIfPresent(lock);
    if (found === null) continue;
    const holder = parseIdentity(found);
    if (holder !== null && isAlive(holder)) {
      throw new OperatorError(
        `data-dir ${dataDir} is in use by another instance, process ${holder.pid}; stop it, or choose another folder with --data-dir`,
      );
    }
    removeIfStill(lock, found);
  }
  throw new OperatorError(`data-dir ${dataDir} could not be locked; other instances are starting in it`);
}

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(
      `data-dir ${dataDir} cannot be created: ${reason}; choose another with --data-dir`,
    );
  }
}

/** Linking shows the file with its contents or not at all, and fails when there is one. */
function createWhole(path: string, contents: string): boolean {
  const temporary = `${path}.${randomUUID()}`;
  writeFileSync(temporary, contents, { mode: 0o600 });
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary);
  }
}

/** Another process may have replaced the stale lock by its own since it was read: then that one is put back. */
function removeIfStill(path: string, expected: string): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  const taken = readFileSync(aside, 'utf8');
  if (taken !== expected) createWhole(path, taken);
  rmSync(aside);
}

/** @returns null when there is no such process */
export function identityOf(pid: number): ProcessIdentity | null {
  const started = startOf(pid);
  return started === null ? null : { pid, started };
}

function isAlive(holder: ProcessIdentity): boolean {
  return startOf(holder.pid) === holder.started;
}

function startOf(pid: number): string | null {
  return process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid);
}

/** The boot's id and the clock ticks from boot to start: the 20th field after the parenthesised name (proc(5), stat). */
function startOnLinux(pid: number): string | null {
  const stat = readIfPresent(`/proc/${pid}/stat`);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A killed process whose parent has not yet asked after it is listed, but holds nothing any more.
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  const boot = readIfPresent('/proc/sys/kernel/random/boot_id') ?? '';
  return `${boot.trim()} ${fields[19]}`;
}

function startByPs(pid: number): string | null {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

function parseIdentity(text: string): ProcessIdentity | null {
  try {
    const { pid, started } = JSON.parse(text);
    return Number.isSafeInteger(pid) && pid > 0 && typeof started === 'string' ? { pid, started } : null;
  } catch {
    return null;
  }
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // ESRCH: a process that ended between opening and reading its entry.
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return null;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
