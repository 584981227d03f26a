import { execFileSync } from 'node:child_process';

/** Whether files can be kept from growing: `prlimit` is part of util-linux. */
export const CAN_FILL_DISK = process.platform === 'linux';

// Without a handler the signal that goes with the refusal ends the process.
process.on('SIGXFSZ', () => undefined);

/**
 * As on a full disk: no file of this process grows beyond so many bytes, and a write that would is cut short or refused.
 * @returns the way to make room again
 */
export function fillDisk(bytes: number): () => void {
  limit(String(bytes));
  return () => limit('unlimited');
}

function limit(bytes: string): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`]);
}
