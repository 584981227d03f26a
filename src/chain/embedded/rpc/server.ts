import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Bank } from '../ledger/bank.ts';
import { SYSTEM_TIMERS } from '../../../common/ports/timers.ts';
import type { CallFaults } from './calls/call-faults.ts';
import type { RpcContext } from './calls/context.ts';
import { type DispatchOptions, dispatch } from './calls/dispatch.ts';
import { loadZstd } from './encoding/zstd.ts';
import { createHttpServer } from './http.ts';
import { createRpcMethods } from './methods/index.ts';
import { RUNTIME_VERSION } from './version.ts';
import { servePubSub } from './websocket.ts';

/** The maximum number of calls in a batch, and the maximum total length of their answers in characters. */
const MAX_BATCH = 200;
const MAX_BATCH_ANSWER = 64 * 1024 * 1024;

export interface RpcServerOptions {
  readonly host: string;
  /** 0 selects a free port. Validators serve the WebSocket at the port after this one. */
  readonly httpPort: number;
  readonly webSocketPort: number;
  /** Whether to refuse the methods `surfnet_*`. */
  readonly production: boolean;
  /** Called when a method failed unexpectedly. The client receives an internal error. */
  readonly onDefect: (error: unknown, method: string) => void;
  /**
   * Called before a client sees changes of the network, in an answer that reads it or in a notification. The client must
   * then see the same changes through the gateway.
   */
  readonly beforeShown: () => void;
  /** The faults for calls over HTTP. Default: none. */
  readonly faults?: Pick<CallFaults, 'strike'>;
}

export interface RpcServer {
  readonly httpUrl: string;
  readonly webSocketUrl: string;
  /** Stops listening and closes all connections. */
  close(): Promise<void>;
}

/**
 * Serves the bank over Solana's JSON-RPC and WebSocket interface, in the bank's thread.
 *
 * Rejects with Node's error, for example `EADDRINUSE`, when a port cannot be opened; then neither is open.
 */
export async function startRpcServer(bank: Bank, options: RpcServerOptions): Promise<RpcServer> {
  await loadZstd();
  const { host } = options;
  const limits: DispatchOptions = {
    maxBatch: MAX_BATCH,
    maxBatchAnswer: MAX_BATCH_ANSWER,
    onDefect: options.onDefect,
    yieldThread: () => new Promise((resolve) => setImmediate(resolve)),
  };
  const { beforeShown, faults } = options;
  const context: RpcContext = {
    bank,
    version: RUNTIME_VERSION,
    endpoints: () => ({ rpc: hostAndPort(http), pubsub: hostAndPort(webSocket) }),
  };
  const handlersFor = createRpcMethods(context, beforeShown, options.production);
  const http = createHttpServer({
    answer: (text, cheatRefusal, strike) => {
      const handlers = handlersFor(cheatRefusal);
      return dispatch(text, strike === null ? handlers : strike.handlersOf(handlers), limits);
    },
    strike: (text) => faults?.strike(text) ?? null,
    after: SYSTEM_TIMERS.after,
    unhealthy: () => bank.unhealthy(),
    stopwatch: () => performance.now(),
  });
  const webSocket = createServer((_request, response) => {
    response.writeHead(426, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
    response.end('this port serves WebSocket; JSON-RPC over HTTP is served at the other');
  });
  await listen(http, host, options.httpPort);
  try {
    await listen(webSocket, host, options.webSocketPort);
  } catch (error) {
    await close(http);
    throw error;
  }
  const pubSub = servePubSub(webSocket, { bank, version: RUNTIME_VERSION, dispatch: limits, beforeShown });
  return {
    httpUrl: `http://${hostAndPort(http)}`,
    webSocketUrl: `ws://${hostAndPort(webSocket)}`,
    async close() {
      pubSub.close();
      await Promise.all([close(http), close(webSocket)]);
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function hostAndPort(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
