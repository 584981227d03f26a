import { Worker } from 'node:worker_threads';
import { OperatorError } from '../../common/operator-error.ts';
import { createWorkerArguments } from '../../common/worker-entry.ts';
import { type LogDatabase, ConstraintViolated, type Statement } from './log-database.ts';

export type ToSqliteThread =
  | {
      readonly kind: 'run';
      readonly id: number;
      readonly statements: readonly Statement[];
      /** Whether to run the statements in one transaction. */
      readonly inTransaction: boolean;
    }
  | { readonly kind: 'close' };

export type FromSqliteThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly message: string; readonly operator: boolean }
  /** The rows of the last statement. */
  | { readonly kind: 'rows'; readonly id: number; readonly rows: unknown[][] }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };

interface PendingSqliteCall {
  readonly resolve: (rows: unknown[][]) => void;
  readonly reject: (error: Error) => void;
}

const FILES = { from: import.meta.url, source: './sqlite-worker.ts', bundled: './sqlite-worker.js' };
/** SQLite's messages about values that violate a constraint. */
const CONSTRAINT_VIOLATION = /constraint failed|datatype mismatch/;
/** The maximum number of calls that wait for the thread. */
const MAX_WAITING = 1_000;

/**
 * Opens a SQLite file in a thread of its own, because SQLite blocks the thread that calls it.
 *
 * @throws OperatorError when the file is not a database or cannot be opened.
 */
export async function openSqliteThread(path: string): Promise<LogDatabase> {
  const worker = new Worker(...createWorkerArguments(FILES, path));
  const waiting = new Map<number, PendingSqliteCall>();
  let nextId = 0;
  let ended: string | null = null;
  const take = (id: number) => {
    const one = waiting.get(id);
    waiting.delete(id);
    return one;
  };
  await new Promise<void>((resolve, reject) => {
    worker.on('message', (message: FromSqliteThread) => {
      if (message.kind === 'ready') resolve();
      else if (message.kind === 'refused') {
        reject(message.operator ? new OperatorError(message.message) : new Error(message.message));
      } else if (message.kind === 'rows') take(message.id)?.resolve(message.rows);
      else take(message.id)?.reject(refusal(message.message));
    });
    const end = (reason: string) => {
      ended ??= reason;
      reject(new Error(ended));
      for (const id of [...waiting.keys()]) take(id)?.reject(new Error(ended));
    };
    worker.on('error', (error) => end(`the request log's thread failed: ${error.message}`));
    worker.on('exit', (code) => end(`the request log's thread ended with code ${code}`));
  });
  const run = (statements: readonly Statement[], inTransaction: boolean) =>
    new Promise<unknown[][]>((resolve, reject) => {
      if (ended !== null) reject(new Error(ended));
      else if (waiting.size >= MAX_WAITING) {
        reject(new Error(`${MAX_WAITING} calls wait for the request log's thread already`));
      } else {
        const id = nextId++;
        waiting.set(id, { resolve, reject });
        worker.postMessage({ kind: 'run', id, statements, inTransaction } satisfies ToSqliteThread);
      }
    });
  return {
    kind: 'sqlite',
    query: (text, parameters) => run([{ text, parameters }], false),
    // Only this instance uses the file, so its own clock is the database's time.
    now: async () => Date.now(),
    write: async (statements) => {
      await run(statements, true);
    },
    unhealthy: () => ended,
    close: async () => {
      if (ended !== null) return;
      const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      worker.postMessage({ kind: 'close' } satisfies ToSqliteThread);
      await exited;
    },
  };
}

function refusal(message: string): Error {
  const sentence = `the request log's database refused: ${message}`;
  return CONSTRAINT_VIOLATION.test(message) ? new ConstraintViolated(sentence) : new Error(sentence);
}
