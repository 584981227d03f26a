import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { OperatorError } from '../common/operator-error.ts';

const LOCK = 'instance.lock';
const ATTEMPTS = 10;
/** The interval at which the holder updates the lock's time, for processes that cannot see the holder's process. */
const BEAT_MS = 2_000;
/** A holder whose process cannot be seen is considered gone if its lock is not updated for this long. */
const SILENT_MS = 10_000;
/** A lock that is older than this is stale at once. It exceeds any difference between the clocks of two machines. */
const STALE_MS = 120_000;

/** Identifies a process, even if the system assigns its number to a later one. */
export interface ProcessIdentity {
  readonly pid: number;
  /** The time at which it started, in the format of the system. */
  readonly started: string;
  /** The process namespace. Processes in different containers or on different machines cannot see each other. */
  readonly space: string;
}

export interface LockTimers {
  readonly every: (milliseconds: number, work: () => void) => () => void;
  readonly wait: (milliseconds: number) => Promise<unknown>;
  /** Called with a sentence when it takes some seconds to see whether the holder is gone. */
  readonly onWait?: (reason: string) => void;
}

const REAL_TIMERS: LockTimers = {
  every: (milliseconds, work) => {
    const timer = setInterval(work, milliseconds).unref();
    return () => clearInterval(timer);
  },
  wait: (milliseconds) => passed(milliseconds),
};

/**
 * Locks the data folder for this process, and creates it if it is missing. The lock of a killed process is taken over: at
 * once if that process is visibly gone, and otherwise after some seconds in which the lock is not updated. If this process
 * is paused for so long that another one takes the lock, it exits.
 *
 * Returns a function that releases the lock.
 * @throws OperatorError when a live process holds the lock.
 *
 * @example
 * ```ts
 * import { lockDataFolder } from './lock.ts';
 *
 * const unlock = await lockDataFolder('.sluice');
 * unlock();
 * ```
 */
export async function lockDataFolder(
  dataDir: string,
  overrides: Partial<LockTimers> = {},
): Promise<() => void> {
  const timers = { ...REAL_TIMERS, ...overrides };
  makeFolder(dataDir);
  const lock = join(dataDir, LOCK);
  const mine = JSON.stringify(findProcessIdentity(process.pid));
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // Checked first: on a full disk, no lock can be created, but an existing one still shows that the folder is in use.
    if (!existsSync(lock) && createWhole(lock, mine)) {
      const stopBeating = timers.every(BEAT_MS, () => beat(dataDir, lock, mine));
      return () => {
        stopBeating();
        if (readIfPresent(lock) === mine) rmSync(lock);
      };
    }
    const found = readIfPresent(lock);
    if (found === null) continue;
    const holder = parseIdentity(found);
    if (holder !== null && (isVisible(holder) ? isAlive(holder) : await isBeating(lock, timers))) {
      const where = isVisible(holder) ? '' : ' in another container or on another machine';
      throw new OperatorError(
        `data-dir ${dataDir} is in use by another instance, process ${holder.pid}${where}; stop it, or choose another folder with --data-dir`,
      );
    }
    removeIfStill(lock, found);
  }
  throw new OperatorError(`data-dir ${dataDir} could not be locked; other instances are starting in it`);
}

/**
 * Returns the process that holds the folder. One in another container or on another machine counts while its lock was updated
 * a moment ago. Returns null when no instance runs on the folder.
 */
export function findLockHolder(dataDir: string): { readonly pid: number } | null {
  const lock = join(dataDir, LOCK);
  const status = statSync(lock, { throwIfNoEntry: false });
  // Reading another kind of file, such as a pipe, might never end.
  const found = status?.isFile() === true ? readIfPresent(lock) : null;
  const holder = found === null ? null : parseIdentity(found);
  if (status === undefined || holder === null) return null;
  const isRunning = isVisible(holder) ? isAlive(holder) : Date.now() - status.mtimeMs < SILENT_MS;
  return isRunning ? { pid: holder.pid } : null;
}

function beat(dataDir: string, lock: string, mine: string): void {
  let found: string | null;
  try {
    found = readIfPresent(lock);
    const now = new Date();
    if (found === mine) utimesSync(lock, now, now);
  } catch {
    // The system refused the call, for example because too many files are open. The lock may still be ours.
    return;
  }
  if (found === mine) return;
  throw new OperatorError(
    `data-dir ${dataDir} was taken by another instance, because this one did not run for ${SILENT_MS / 1_000} s or its lock was removed; this one ends`,
  );
}

/**
 * Watches a lock whose process cannot be seen.
 *
 * Whether its holder still updates it.
 */
async function isBeating(lock: string, { wait, onWait }: LockTimers): Promise<boolean> {
  const first = readModifiedTime(lock);
  if (first === null || Date.now() - first > STALE_MS) return false;
  onWait?.(
    `${lock} belongs to another container or machine; waiting up to ${SILENT_MS / 1_000} s to see whether its instance still runs`,
  );
  for (let waited = 0; waited < SILENT_MS; waited += BEAT_MS / 4) {
    await wait(BEAT_MS / 4);
    const time = readModifiedTime(lock);
    if (time !== first) return time !== null;
  }
  return false;
}

/** Returns Unix milliseconds of the last change; null when there is no such file. */
function readModifiedTime(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(
      `data-dir ${dataDir} cannot be ${existsSync(dataDir) ? 'used' : 'created'}: ${reason}; choose another with --data-dir`,
    );
  }
}

/**
 * Creates a file with its contents in one step.
 *
 * Returns false when the file exists already.
 */
function createWhole(path: string, contents: string): boolean {
  const temporary = `${path}.${randomUUID()}`;
  writeFileSync(temporary, contents, { mode: 0o600 });
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (getErrorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary);
  }
}

/** Removes a stale lock. If another process has replaced it since it was read, the new lock is put back. */
function removeIfStill(path: string, expected: string): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return;
    throw error;
  }
  const taken = readFileSync(aside, 'utf8');
  if (taken !== expected) createWhole(path, taken);
  rmSync(aside);
}

/** Returns null when there is no such process. */
export function findProcessIdentity(pid: number): ProcessIdentity | null {
  const started = findProcessStart(pid);
  return started === null ? null : { pid, started, space: ownSpace() };
}

/** Returns the boot id and the PID namespace (pid_namespaces(7)) on Linux, and the machine's name on other systems. */
function ownSpace(): string {
  if (process.platform !== 'linux') return hostname();
  return `${readIfPresent('/proc/sys/kernel/random/boot_id')?.trim()} ${readlinkSync('/proc/self/ns/pid')}`;
}

function isVisible({ space }: ProcessIdentity): boolean {
  return space === ownSpace();
}

function isAlive(holder: ProcessIdentity): boolean {
  return findProcessStart(holder.pid) === holder.started;
}

function findProcessStart(pid: number): string | null {
  return process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid);
}

/** The boot's id and the clock ticks from boot to start: the 20th field after the parenthesised name (proc(5), stat). */
function startOnLinux(pid: number): string | null {
  const stat = readIfPresent(`/proc/${pid}/stat`);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A killed process is listed until its parent has waited for it, but it no longer holds anything.
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
    // Locks of earlier versions have no space.
    const { pid, started, space = ownSpace() } = JSON.parse(text);
    const isIdentity = Number.isSafeInteger(pid) && pid > 0 && typeof started === 'string';
    return isIdentity && typeof space === 'string' ? { pid, started, space } : null;
  } catch {
    return null;
  }
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // ESRCH means that the process ended between opening and reading its entry.
    if (getErrorCode(error) === 'ENOENT' || getErrorCode(error) === 'ESRCH') return null;
    throw error;
  }
}

function getErrorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
