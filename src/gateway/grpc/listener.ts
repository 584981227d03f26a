import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { boundConnections, connectionOf } from '../../common/collections/connections.ts';
import { type ListenOptions, listenError } from '../../common/listen-error.ts';
import { HANDSHAKE, openTls, type TlsFiles } from '../http/tls.ts';

export interface ListenerOptions extends ListenOptions {
  readonly tls: TlsFiles | null;
  /** Connections at once, of which each address has a share. Default: 4,096. */
  readonly maxConnections?: number;
  /** A connection that speaks HTTP/2, decrypted. */
  readonly onConnection: (socket: Socket) => void;
  /** Calls `work` every `milliseconds` until the returned function is called. */
  readonly every: (milliseconds: number, work: () => void) => () => void;
  /** Told when changed certificate files cannot be used; the ones before stay in use. */
  readonly onDefect: (error: unknown) => void;
}

export interface Listener {
  readonly port: number;
  /** Destroys the connection whose peer is `address:port`. */
  readonly hangUp: (peer: string) => void;
  readonly hangUpAll: () => void;
  /**
   * Keeps the connection whose peer is `address:port` from being closed as idle while a call is under way on it.
   * @returns the way to say that the call has ended; it may be called more than once
   */
  readonly beginCall: (peer: string) => () => void;
  /** Takes no further connection. */
  readonly stop: () => void;
  /** Destroys what is still connected. */
  readonly close: () => Promise<void>;
}

/** Where there is no room, those without a call make room, of the most crowded address first. */
const MAX_CONNECTIONS = 4_096;
/** An address that is alone may have half of the connections, two a third each, and so on. */
const CONNECTIONS_FACTOR = 1;

/** @throws OperatorError when the port cannot be had, or the certificate files cannot be used */
export async function listenForHttp2(options: ListenerOptions): Promise<Listener> {
  const sockets = new Map<string, Socket>();
  const onSocket = (socket: Socket) => {
    const peer = `${socket.remoteAddress}:${socket.remotePort}`;
    sockets.set(peer, socket);
    socket.setNoDelay(true);
    socket.once('close', () => sockets.delete(peer));
    options.onConnection(socket);
  };
  const { server, stopReloading } = serverOf(options, onSocket);
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
      const connection = connectionOf(sockets.get(peer) ?? {});
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

function serverOf(
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
    server.once('error', (error) => reject(listenError(error, { host, port, setting })));
    server.listen(port, host, () => {
      server.removeAllListeners('error');
      server.on('error', () => undefined);
      resolve();
    });
  });
}
