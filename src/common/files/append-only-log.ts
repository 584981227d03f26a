import { openSync, statSync, truncateSync } from 'node:fs';

/** How often the size of the file is checked. */
const CHECK_MS = 60_000;
/** A larger file is emptied. */
const MAX_BYTES = 1024 * 1024;

export interface AppendOnlyLog {
  /** The file descriptor, opened for appending, so that the writer continues at the start after the file was emptied. */
  readonly descriptor: number;
  readonly stop: () => void;
}

/**
 * Opens a log file for another process to write, and empties it whenever it has grown too large.
 *
 * @param every - Calls `work` every `milliseconds` until the returned function is called.
 */
export function openAppendOnlyLog(
  path: string,
  every: (milliseconds: number, work: () => void) => () => void,
): AppendOnlyLog {
  const keepSmall = () => {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size > MAX_BYTES) truncateSync(path);
  };
  const descriptor = openSync(path, 'a', 0o600);
  keepSmall();
  return { descriptor, stop: every(CHECK_MS, keepSmall) };
}
