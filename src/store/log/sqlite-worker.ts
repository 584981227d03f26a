import { isMainThread, type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '../../common/background-thread.ts';
import { OperatorError } from '../../common/operator-error.ts';
import type { Statement } from './log-database.ts';
import { type OpenedFile, openSqliteFile, runSqliteStatement } from '../sqlite/sqlite-file.ts';
import type { FromSqliteThread, ToSqliteThread } from './sqlite-thread.ts';

/** Opens a SQLite file in this thread, and runs what the main thread sends, in order. */
function run(port: MessagePort, path: string): void {
  const post = (message: FromSqliteThread) => port.postMessage(message);
  let opened: OpenedFile;
  try {
    opened = openSqliteFile(path);
  } catch (error) {
    post({ kind: 'refused', message: messageOf(error), operator: error instanceof OperatorError });
    port.close();
    return;
  }
  const { file } = opened;
  port.on('message', (message: ToSqliteThread) => {
    if (message.kind === 'close') {
      opened.close();
      port.close();
      return;
    }
    const { id, statements } = message;
    try {
      const run = () => statements.map((statement) => runStatement(file, statement));
      const rows = message.inTransaction ? opened.change(run) : run();
      post({ kind: 'rows', id, rows: rows.at(-1) ?? [] });
    } catch (error) {
      post({ kind: 'failed', id, message: messageOf(error) });
    }
  });
  post({ kind: 'ready' });
}

function runStatement(file: OpenedFile['file'], { text, parameters, rows }: Statement): unknown[][] {
  if (rows === undefined) return runSqliteStatement(file, text, parameters);
  const prepared = file.prepare(text);
  try {
    const { buffer, byteOffset, byteLength } = rows;
    const json = Buffer.from(buffer, byteOffset, byteLength).toString();
    for (const row of JSON.parse(json) as (string | number | null)[][]) prepared.run(row);
    return [];
  } finally {
    prepared.finalize();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

if (!isMainThread && parentPort !== null) {
  // Responses do not wait for the request log, so it may be written later.
  lowerThreadPriority();
  run(parentPort, workerData as string);
}
