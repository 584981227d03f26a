import {
  ResponderBuilder,
  Server,
  ServerCredentials,
  ServerInterceptingCall,
  type ServerInterceptor,
  ServerListenerBuilder,
} from '@grpc/grpc-js';
import type { ListenOptions } from '../../common/listen-error.ts';
import type { Rfq } from '../../rfq/index.ts';
import type { Credentials } from './ingestion/credentials.ts';
import { file_grpc_health_v1_health, Health } from './generated/grpc/health/v1/health_pb.js';
import {
  file_grpc_reflection_v1_reflection,
  ServerReflection,
} from './generated/grpc/reflection/v1/reflection_pb.js';
import { file_market_maker, MarketMakerIngestionService } from './generated/market_maker_pb.js';
import { createHealthService } from './standard-services/health-service.ts';
import { createIngestionService } from './ingestion/ingestion.ts';
import { createIngestionDefinition } from './ingestion/ingestion-definition.ts';
import type { TlsFiles } from '../http/tls.ts';
import { type Http2Listener, listenForHttp2 } from './listener.ts';
import { REFLECTION_V1ALPHA, createReflectionService } from './standard-services/reflection.ts';
import { defineService } from './wire/service-definition.ts';
import type { HealthCheck } from '../../common/ports/health-check.ts';

export interface GrpcOptions extends Credentials {
  readonly rfq: Rfq;
  readonly listen: ListenOptions;
  readonly tls: TlsFiles | null;
  /** Default: those of `listenForHttp2`. */
  readonly maxConnections?: number;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Returns monotonic milliseconds, by which latencies are measured. */
  readonly stopwatch: () => number;
  /** Calls `work` every `milliseconds` until the returned function is called. */
  readonly every: (milliseconds: number, work: () => void) => () => void;
  /** Called with an error that the service did not expect. */
  readonly onDefect: (error: unknown) => void;
}

/** A running gRPC server. */
export interface GrpcServer {
  readonly port: number;
  readonly unhealthy: HealthCheck;
  /** Accepts no further call, lets running calls end for up to 2 seconds, and then ends them. */
  readonly close: () => Promise<void>;
}

/** Ten times the size of a transaction, or of a snapshot with a hundred levels on each side. */
const MAX_MESSAGE_BYTES = 64 * 1024;
/** The server pings this often, to notice clients that are gone. Clients may ping as often. */
const PING_EVERY_MS = 10_000;
const MAX_PING_ANSWER_MS = 10_000;
/** A connection without a call is closed after this long, so that strangers cannot occupy connections. */
const MAX_IDLE_MS = 300_000;
/** Concurrent calls on one connection. */
const MAX_CALLS = 100;
/** Memory of one connection, in megabytes. */
const CONNECTION_MEMORY_MB = 10;
const MAX_CLOSING_MS = 2_000;

/**
 * Starts the gRPC server that makers connect to, with the ingestion service, health and reflection.
 * @throws OperatorError if the port or the certificate files cannot be used
 */
export async function startGrpc(options: GrpcOptions): Promise<GrpcServer> {
  const { stopwatch, rfq, now, findMaker, onDefect } = options;
  const server = new Server({
    interceptors: [countCalls((peer) => listener.beginCall(peer))],
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': -1,
    'grpc.keepalive_time_ms': PING_EVERY_MS,
    'grpc.keepalive_timeout_ms': MAX_PING_ANSWER_MS,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.max_connection_idle_ms': MAX_IDLE_MS,
    'grpc.max_concurrent_streams': MAX_CALLS,
    'grpc-node.max_session_memory': CONNECTION_MEMORY_MB,
    'grpc.enable_channelz': 0,
  });
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = await listenForHttp2({
    ...options,
    ...options.listen,
    onConnection: (socket) => injector.injectConnection(socket),
  });
  const health = createHealthService([MarketMakerIngestionService.typeName]);
  server.addService(
    createIngestionDefinition(stopwatch),
    createIngestionService({ rfq, now, findMaker, onDefect, hangUp: listener.hangUp }),
  );
  server.addService(defineService(Health, stopwatch), health.service);
  const described = [file_market_maker, file_grpc_health_v1_health, file_grpc_reflection_v1_reflection];
  const reflection = createReflectionService(described);
  server.addService(defineService(ServerReflection, stopwatch), reflection);
  server.addService(defineService(ServerReflection, stopwatch, REFLECTION_V1ALPHA), reflection);
  let closing: Promise<void> | null = null;
  return {
    port: listener.port,
    unhealthy: () => (closing === null ? null : 'the gRPC server is shutting down'),
    close: () => {
      if (closing !== null) return closing;
      const notified = health.stop();
      listener.stop();
      closing = shutDown(server, listener, notified);
      return closing;
    },
  };
}

/** @param begin - Called with the peer of each call that begins; the function that it returns is called when the call ends. */
function countCalls(begin: (peer: string) => () => void): ServerInterceptor {
  return (_method, call) => {
    const end = begin(call.getPeer());
    const listener = new ServerListenerBuilder().withOnCancel(end).build();
    const responder = new ResponderBuilder()
      .withStart((next) => next(listener))
      .withSendStatus((status, next) => {
        end();
        next(status);
      })
      .build();
    return new ServerInterceptingCall(call, responder);
  };
}

/**
 * Closes the server. Connections whose calls have not ended within 2 seconds are destroyed.
 * @param notified - Resolves when the clients that watch the health were notified.
 */
async function shutDown(server: Server, listener: Http2Listener, notified: Promise<void>): Promise<void> {
  const timer = setTimeout(() => listener.hangUpAll(), MAX_CLOSING_MS);
  // The call of a client that does not react ends when its connection is destroyed.
  await notified;
  const ended = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  await ended;
  clearTimeout(timer);
  await listener.close();
}
