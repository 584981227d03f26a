import type { RequestListener, Server } from 'node:http';
import {
  constants,
  createSecureServer,
  type Http2Session,
  type Http2SecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { TLSSocket } from 'node:tls';
import { answerSlow } from './errors.ts';
import { HANDSHAKE, openTls, type TlsOptions } from './tls.ts';

/** The bounds that an HTTPS server enforces on each connection and request. */
export interface HttpBounds {
  readonly maxHeaderBytes: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly idleTimeoutMs: number;
  /** How often the server looks for slow requests. */
  readonly checkEveryMs: number;
  /** How long a connection with a request in flight may be silent. */
  readonly silenceMs: number;
}

const MAX_STREAMS = 100;
/** How many more requests a session may cancel than it lets be answered. Node begins a thousand before it ends a session. */
const MAX_CANCELLED = 200;
/** Memory for the headers and streams of one HTTP/2 session, in megabytes. */
const SESSION_MEMORY = 4;

/**
 * Creates a server for HTTP/2 and HTTP/1.1 on one port; the client chooses by ALPN.
 * Returns the server, and a function that stops watching the certificate files.
 * @throws OperatorError if the certificate files cannot be used
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
      // Node presents HTTP/2 requests in the shape of HTTP/1.1.
      handler as unknown as Parameters<typeof createSecureServer>[1],
    ),
  );
  boundHttp1(server, bounds);
  boundCancelling(server);
  return { server: addClosing(server, bounds), stopReloading };
}

/** Sets the bounds of HTTP/1.1 connections, which Node reads from the server object. */
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
  // Without a listener, Node would destroy HTTP/2 sessions with requests in flight. `addClosing` closes them instead.
  server.on('timeout', (silent: TLSSocket | ServerHttp2Session) => {
    if (silent instanceof TLSSocket) silent.destroy();
  });
}

/** Enforces on an HTTP/2 stream the time limits that Node enforces on HTTP/1.1 requests. */
function boundStream(stream: ServerHttp2Stream, isWhole: boolean, bounds: HttpBounds): void {
  // With any other code, closing would wait for a client that does not read its answer.
  stream.setTimeout(bounds.silenceMs, () => stream.close(constants.NGHTTP2_CANCEL));
  if (isWhole) return;
  const timer = setTimeout(() => {
    // `remoteClose` is 1 once the end of the request has arrived, even if nobody has read it.
    if (stream.state.remoteClose !== 1) answerSlow(stream);
  }, bounds.requestTimeoutMs);
  stream.once('close', () => clearTimeout(timer));
}

/** Ends the session of a client that begins requests and cancels them. Each costs the server more than the client. */
function boundCancelling(server: Http2SecureServer): void {
  const unanswered = new WeakMap<Http2Session, number>();
  server.prependListener('stream', (stream: ServerHttp2Stream) => {
    const { session } = stream;
    if (session === undefined) return;
    const count = (unanswered.get(session) ?? 0) + 1;
    unanswered.set(session, count);
    if (count > MAX_STREAMS + MAX_CANCELLED) {
      session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
      return;
    }
    stream.once('close', () => {
      if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) return;
      // An answer makes up for its own request and for a cancelled one.
      unanswered.set(session, Math.max(0, (unanswered.get(session) ?? 0) - 2));
    });
  });
}

/** Adds the methods that close connections, which Node's HTTP/1.1 server has and its HTTP/2 server lacks. */
function addClosing(server: Http2SecureServer, bounds: HttpBounds): Server {
  const sessions = new Set<ServerHttp2Session>();
  /** Requests in flight on each connection. */
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
  // It runs before the handler, which may raise the limit.
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
    // Closing a session lets its streams finish.
    for (const session of sessions) session.close();
    for (const [socket, requests] of sockets)
      if (requests === 0 && socket.alpnProtocol !== 'h2') socket.destroy();
  };
  const closeAllConnections = () => {
    for (const socket of sockets.keys()) socket.destroy();
  };
  return Object.assign(server, { closeIdleConnections, closeAllConnections }) as unknown as Server;
}
