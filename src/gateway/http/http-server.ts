import { createServer, type RequestListener, type Server } from 'node:http';
import type { HttpBounds } from './https-server.ts';

/** Creates a server for HTTP/1.1 without TLS, with the bounds that `openHttpsServer` enforces too. */
export function openHttpServer(bounds: HttpBounds, handler: RequestListener): Server {
  const server = createServer(
    {
      maxHeaderSize: bounds.maxHeaderBytes,
      headersTimeout: bounds.headersTimeoutMs,
      requestTimeout: bounds.requestTimeoutMs,
      keepAliveTimeout: bounds.idleTimeoutMs,
      connectionsCheckingInterval: bounds.checkEveryMs,
      // Node's own answer has neither an id nor a body. `addRequestHead` refuses the request instead.
      requireHostHeader: false,
    },
    handler,
  );
  server.setTimeout(bounds.silenceMs);
  return server;
}
