import type { RequestListener, Server } from 'node:http';
import {
  constants,
  createSecureServer,
  type Http2SecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { TLSSocket } from 'node:tls';
import { answerSlow } from './errors.ts';
import { HANDSHAKE, openTls, type TlsOptions } from './tls.ts';

export interface HttpBounds {
  readonly maxHeaderBytes: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly idleTimeoutMs: number;
  /** Requests that are too slow are looked for as often. */
  readonly checkEveryMs: number;
  /** Nothing may come or go for as long while a request is under way. */
  readonly silenceMs: number;
}

const MAX_STREAMS = 100;
/** Headers and streams of one session that are held in memory, in megabytes. */
const SESSION_MEMORY = 4;

/**
 * HTTP/2 and HTTP/1.1 on one port, whichever the client offers by ALPN.
 * @throws OperatorError when the certificate's files cannot be used
 */
export function openHttpsServer(
  tls: TlsOptions,
  bounds: HttpBounds,
  handler: RequestListener,
): { readonly server: Server; readonly stopReloading: () => void } {
  const { server, stopReloading } = openTls(tls, (certificate) =>
    createSecureServer(
      {
        ...certificate,
        ...HANDSHAKE,
        allowHTTP1: true,
        maxSessionMemory: SESSION_MEMORY,
        settings: {
          enablePush: false,
          maxConcurrentStreams: MAX_STREAMS,
          maxHeaderListSize: bounds.maxHeaderBytes,
        },
      },
      // Requests of HTTP/2 come in the shape of HTTP/1.1.
      handler as unknown as Parameters<typeof createSecureServer>[1],
    ),
  );
  boundHttp1(server, bounds);
  return { server: closable(server, bounds), stopReloading };
}

/** What a server of HTTP/1.1 reads of itself, and this one too, for those who speak HTTP/1.1 to it. */
function boundHttp1(server: Http2SecureServer, bounds: HttpBounds): void {
  Object.assign(server, {
    maxHeaderSize: bounds.maxHeaderBytes,
    headersTimeout: bounds.headersTimeoutMs,
    requestTimeout: bounds.requestTimeoutMs,
    keepAliveTimeout: bounds.idleTimeoutMs,
    connectionsCheckingInterval: bounds.checkEveryMs,
    requireHostHeader: false,
    timeout: bounds.silenceMs,
  });
  // Without somebody who listens sessions of HTTP/2 would be destroyed with what is under way; they are closed below.
  server.on('timeout', (silent: TLSSocket | ServerHttp2Session) => {
    if (silent instanceof TLSSocket) silent.destroy();
  });
}

/** What a server of HTTP/1.1 holds its requests to by itself. */
function boundStream(stream: ServerHttp2Stream, isWhole: boolean, bounds: HttpBounds): void {
  // With another code it would wait for a client that takes nothing of its answer.
  stream.setTimeout(bounds.silenceMs, () => stream.close(constants.NGHTTP2_CANCEL));
  if (isWhole) return;
  const timer = setTimeout(() => {
    // Its end has come, though nobody may have read it.
    if (stream.state.remoteClose !== 1) answerSlow(stream);
  }, bounds.requestTimeoutMs);
  stream.once('close', () => clearTimeout(timer));
}

/** Node's server of HTTP/2 cannot close its connections by itself; one of HTTP/1.1, whose place it takes, can. */
function closable(server: Http2SecureServer, bounds: HttpBounds): Server {
  const sessions = new Set<ServerHttp2Session>();
  /** Requests under way on each connection. */
  const sockets = new Map<TLSSocket, number>();
  server.on('secureConnection', (socket) => {
    sockets.set(socket, 0);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.setTimeout(bounds.idleTimeoutMs, () => session.close());
  });
  // Before the handler, which may bear more.
  server.prependListener('stream', (stream, _headers, flags) =>
    boundStream(stream, (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0, bounds),
  );
  server.on('request', (request, response) => {
    if (request.httpVersionMajor !== 1) return;
    const socket = request.socket as TLSSocket;
    sockets.set(socket, (sockets.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const count = sockets.get(socket);
      if (count !== undefined) sockets.set(socket, count - 1);
    });
  });
  const closeIdleConnections = () => {
    // Streams under way end first.
    for (const session of sessions) session.close();
    for (const [socket, requests] of sockets)
      if (requests === 0 && socket.alpnProtocol !== 'h2') socket.destroy();
  };
  const closeAllConnections = () => {
    for (const socket of sockets.keys()) socket.destroy();
  };
  return Object.assign(server, { closeIdleConnections, closeAllConnections }) as unknown as Server;
}
