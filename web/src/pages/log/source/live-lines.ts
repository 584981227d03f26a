import { shape } from '../../../base/json-shape.ts';
import { type LoggedRequest, readLogEntry } from './log-shapes.ts';

/** What lines of a followed log say. */
export interface LiveBatch {
  /** The newest last. They are not looked at before they are drawn: most of a flood never is. */
  readonly entries: readonly unknown[];
  /** Requests that are left out, because they came faster than they were read. */
  readonly missed: number;
  /** Lines that are not of the form of a log. */
  readonly unreadable: number;
  /** Why the server ended the stream; null: it goes on. */
  readonly ended: string | null;
}

const readLine = shape.object({
  entries: shape.list((entry: unknown) => entry),
  missed: shape.optional(shape.number, 0),
  ended: shape.nullable(shape.text),
});

/** Reads lines of JSON of a followed log that have arrived together. */
export function readLiveLines(lines: readonly string[]): LiveBatch {
  const entries: unknown[] = [];
  let [missed, unreadable] = [0, 0];
  let ended: string | null = null;
  for (const line of lines) {
    if (line.trim() === '') continue;
    try {
      const read = readLine(JSON.parse(line));
      for (const entry of read.entries) entries.push(entry);
      missed += Math.max(0, read.missed);
      ended = read.ended ?? ended;
    } catch {
      unreadable++;
    }
  }
  return { entries, missed, unreadable, ended };
}

/** Reads an entry of a followed log; null if it has another form. */
export function readLiveEntry(entry: unknown): LoggedRequest | null {
  try {
    return readLogEntry(entry);
  } catch {
    return null;
  }
}
