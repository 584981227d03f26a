import { execFileSync } from 'node:child_process';

/** Whether `prlimit`, which is part of util-linux, can limit the size of files. */
export const CAN_FILL_DISK = process.platform === 'linux';

// Without a handler, the signal that accompanies a refused write would end the process.
process.on('SIGXFSZ', () => undefined);

/**
 * Simulates a full disk: files of this process cannot grow beyond a size, and further writes are cut short or refused.
 *
 * @param bytes - The maximum size of a file.
 * @returns A function that lifts the limit.
 */
export function fillDisk(bytes: number): () => void {
  limit(String(bytes));
  return () => limit('unlimited');
}

function limit(bytes: string): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`]);
}
