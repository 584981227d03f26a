import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { boundConnections, getConnection } from '../../common/collections/connections.ts';
import { type ListenOptions, toListenError } from '../../common/listen-error.ts';
import { HANDSHAKE, openTls, type TlsFiles } from '../http/tls.ts';

export interface ListenerOptions extends ListenOptions {
  readonly tls: TlsFiles | null;
  /** Maximum of connections, of which each address has a share. Default: 4,096. */
  readonly maxConnections?: number;
  /** Called with each connection, decrypted; it speaks HTTP/2. */
  readonly onConnection: (socket: Socket) => void;
  /** Calls `work` every `milliseconds` until the returned function is called. */
  readonly every: (milliseconds: number, work: () => void) => () => void;
  /** Called when changed certificate files cannot be used; the previous certificate stays in use. */
  readonly onDefect: (error: unknown) => void;
}

/** A port that accepts HTTP/2 connections. */
export interface Http2Listener {
  readonly port: number;
  /** Destroys the connection whose peer is `address:port`. */
  readonly hangUp: (peer: string) => void;
  readonly hangUpAll: () => void;
  /**
   * Keeps the connection whose peer is `address:port` from being closed as idle while a call runs on it.
   * Returns a function to call when the call has ended; it may be called more than once.
   */
  readonly beginCall: (peer: string) => () => void;
  /** Stops accepting connections. */
  readonly stop: () => void;
  /** Stops accepting connections and destroys those that are open. */
  readonly close: () => Promise<void>;
}

/** If there is no room, connections without a call are closed for a new one, those of the most crowded address first. */
const MAX_CONNECTIONS = 4_096;
/** An address may have as many connections as it leaves free: one address half of them, two a third each, and so on. */
const CONNECTIONS_FACTOR = 1;

/**
 * Listens for HTTP/2 connections, with TLS or without.
 * @throws OperatorError if the port or the certificate files cannot be used
 */
export async function listenForHttp2(options: ListenerOptions): Promise<Http2Listener> {
  const sockets = new Map<string, Socket>();
  const onSocket = (socket: Socket) => {
    const peer = `${socket.remoteAddress}:${socket.remotePort}`;
    sockets.set(peer, socket);
    socket.setNoDelay(true);
    socket.once('close', () => sockets.delete(peer));
    options.onConnection(socket);
  };
  const { server, stopReloading } = createListenerServer(options, onSocket);
  const { maxConnections = MAX_CONNECTIONS } = options;
  boundConnections(server, { max: maxConnections, factor: CONNECTIONS_FACTOR });
  await listenOn(server, options);
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error(`${options.setting} is not a TCP port`);
  const hangUpAll = () => {
    for (const socket of sockets.values()) socket.destroy();
  };
  return {
    port: address.port,
    hangUpAll,
    hangUp: (peer) => sockets.get(peer)?.destroy(),
    beginCall: (peer) => {
      const connection = getConnection(sockets.get(peer) ?? {});
      let hasEnded = false;
      connection.requests++;
      return () => {
        if (!hasEnded) connection.requests--;
        hasEnded = true;
      };
    },
    stop: () => {
      stopReloading();
      if (server.listening) server.close();
    },
    close: async () => {
      hangUpAll();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

function createListenerServer(
  { tls, every, onDefect }: ListenerOptions,
  onSocket: (socket: Socket) => void,
): { readonly server: Server; readonly stopReloading: () => void } {
  if (tls === null) return { server: createServer(onSocket), stopReloading: () => undefined };
  return openTls({ files: tls, every, onDefect }, (certificate) =>
    createTlsServer({ ...certificate, ...HANDSHAKE, ALPNProtocols: ['h2'] }, onSocket),
  );
}

function listenOn(server: Server, { host, port, setting }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(toListenError(error, { host, port, setting })));
    server.listen(port, host, () => {
      server.removeAllListeners('error');
      server.on('error', () => undefined);
      resolve();
    });
  });
}
