import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The callbacks of queued responses, by connection. One listener per connection serves all pipelined requests. */
const callbacksOfConnection = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back when an HTTP/1.1 response was sent or its connection was closed.
 *
 * A pipelined response that is queued behind others is not attached to its connection yet, and Node does not emit `close`
 * on it when the connection ends. The connection is therefore observed too.
 *
 * @param connection - The socket of the request.
 * @param callback - May be called twice. It is called at once when the connection is closed already.
 */
export function onResponseFinished(response: ServerResponse, connection: Socket, callback: () => void): void {
  if (connection.destroyed) {
    callback();
    return;
  }
  response.on('close', callback);
  if (response.socket === null) onConnectionClosed(response, connection, callback);
}

function onConnectionClosed(response: ServerResponse, connection: Socket, callback: () => void): void {
  const known = callbacksOfConnection.get(connection);
  const callbacks = known ?? new Set();
  callbacks.add(callback);
  response.on('close', () => callbacks.delete(callback));
  if (known !== undefined) return;
  callbacksOfConnection.set(connection, callbacks);
  connection.once('close', () => {
    for (const each of callbacks) each();
  });
}
