import { isMainThread, type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { OperatorError } from '../operator-error.ts';
import { openSqliteFile, rowsOf } from './sqlite-file.ts';
import type { FromSqliteThread, ToSqliteThread } from './sqlite-thread.ts';

/** One SQLite file, in this thread alone: what is asked of it is done in the order in which it comes. */
function run(port: MessagePort, path: string): void {
  const post = (message: FromSqliteThread) => port.postMessage(message);
  let file: ReturnType<typeof openSqliteFile>;
  try {
    file = openSqliteFile(path);
  } catch (error) {
    post({ kind: 'refused', message: messageOf(error), operator: error instanceof OperatorError });
    port.close();
    return;
  }
  port.on('message', (message: ToSqliteThread) => {
    if (message.kind === 'close') {
      file.close();
      port.close();
      return;
    }
    const { id, statements } = message;
    try {
      if (message.together) file.exec('begin immediate');
      const rows = statements.map(({ text, parameters }) => rowsOf(file, text, parameters));
      if (message.together) file.exec('commit');
      post({ kind: 'rows', id, rows: rows.at(-1) ?? [] });
    } catch (error) {
      if (file.inTransaction) file.exec('rollback');
      post({ kind: 'failed', id, message: messageOf(error) });
    }
  });
  post({ kind: 'ready' });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

if (!isMainThread && parentPort !== null) run(parentPort, workerData as string);
