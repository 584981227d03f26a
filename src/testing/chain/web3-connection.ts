import type { Connection } from '@solana/web3.js';

/**
 * Closes the WebSocket of a connection that has subscribed to something. The client has no method for it, and would try to
 * connect again for as long as the process runs, and print that it cannot.
 */
export function closeConnection(connection: Connection): void {
  const socket = Reflect.get(connection, '_rpcWebSocket');
  // The server may be gone before it has answered the close frame, which the client takes for a lost connection.
  socket.setAutoReconnect(false);
  socket.close();
}
