import { openSync, statSync, truncateSync } from 'node:fs';

/** Looked at this often, and emptied beyond so many bytes. */
const LOOK_MS = 60_000;
const MAX_BYTES = 1024 * 1024;

export interface AppendOnlyLog {
  /** Open for appending, so that whoever has it goes on at the beginning after the file was emptied. */
  readonly descriptor: number;
  readonly stop: () => void;
}

/**
 * A file that another process writes for as long as it runs, kept small.
 * @param every calls `work` every `milliseconds` until the returned function is called
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
  return { descriptor, stop: every(LOOK_MS, keepSmall) };
}
