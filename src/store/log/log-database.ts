import { join } from 'node:path';
import { LOG_FILE } from '../copy.ts';
import { MAX_LOG_QUESTION_MS, openPostgresLog } from './log-postgres.ts';
import { openSqliteThread } from './sqlite-thread.ts';

/** Parameters are `$1`, `$2`, ...; numbers are whole. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly (string | number | null)[];
  /**
   * JSON, an array of arrays: then it is run once for each of them, as its parameters. For SQLite, where that takes a
   * third of the time of taking JSON apart in SQL; PostgreSQL refuses it. Memory that threads share must stay as it is
   * until the statement was run.
   */
  readonly rows?: Uint8Array;
}

/** Something in what was to be written is not as the tables demand: it is refused however often it is tried. */
export class NeverTaken extends Error {
  override readonly name = 'NeverTaken';
}

/**
 * Where much is written and little changed: the request log and what is counted of it. It is apart from the store, so
 * that neither waits for the other, and it never works on the main thread.
 */
export interface LogDatabase {
  readonly kind: 'sqlite' | 'postgresql';
  /** Resolves to the rows, each in the order of its columns. Whole numbers may come as texts. */
  readonly query: (text: string, parameters: Statement['parameters']) => Promise<unknown[][]>;
  /**
   * All of the statements, in one transaction, or none.
   * @throws NeverTaken by the promise
   */
  readonly write: (statements: readonly Statement[]) => Promise<void>;
  /** Null when it works; otherwise why not, as a sentence. */
  readonly unhealthy: () => string | null | Promise<string | null>;
  readonly close: () => Promise<void>;
}

/**
 * PostgreSQL at `url`, or a file of its own in the folder when there is none.
 * @param longestMs that PostgreSQL may take for an answer; null: as long as it takes
 * @throws OperatorError when it cannot be opened
 */
export function openLogDatabase(
  { url, folder }: { url: string | null; folder: string },
  longestMs: number | null = MAX_LOG_QUESTION_MS,
): Promise<LogDatabase> {
  return url === null ? openSqliteThread(join(folder, LOG_FILE)) : openPostgresLog({ url, longestMs });
}
