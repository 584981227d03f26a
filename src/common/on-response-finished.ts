import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** By connection, what is over with it: by one listener, however many requests a client sends before it has an answer. */
const overWith = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back when a response of HTTP/1.1 is out, or its connection is gone, be it already. One that waits behind others
 * has no part in its connection yet, and Node does not tell it of that one's end. It may be called twice.
 */
export function onResponseFinished(response: ServerResponse, connection: Socket, over: () => void): void {
  if (connection.destroyed) {
    over();
    return;
  }
  response.on('close', over);
  if (response.socket === null) overWithConnection(response, connection, over);
}

function overWithConnection(response: ServerResponse, connection: Socket, over: () => void): void {
  const known = overWith.get(connection);
  const behind = known ?? new Set();
  behind.add(over);
  response.on('close', () => behind.delete(over));
  if (known !== undefined) return;
  overWith.set(connection, behind);
  connection.once('close', () => {
    for (const one of behind) one();
  });
}
