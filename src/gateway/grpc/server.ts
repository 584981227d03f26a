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
import type { Credentials } from './credentials.ts';
import { file_grpc_health_v1_health, Health } from './generated/grpc/health/v1/health_pb.js';
import {
  file_grpc_reflection_v1_reflection,
  ServerReflection,
} from './generated/grpc/reflection/v1/reflection_pb.js';
import { file_market_maker, MarketMakerIngestionService } from './generated/market_maker_pb.js';
import { healthService } from './health-service.ts';
import { ingestionService } from './ingestion.ts';
import { ingestionDefinition } from './ingestion-definition.ts';
import type { TlsFiles } from '../http/tls.ts';
import { type Listener, listenForHttp2 } from './listener.ts';
import { OLDER_REFLECTION, reflectionService } from './reflection.ts';
import { definitionOf } from './service-definition.ts';

export interface GrpcOptions extends Credentials {
  readonly rfq: Rfq;
  readonly listen: ListenOptions;
  readonly tls: TlsFiles | null;
  /** Default: those of `listenForHttp2`. */
  readonly maxConnections?: number;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** What latencies are measured by, in milliseconds. */
  readonly stopwatch: () => number;
  /** Calls `work` every `milliseconds` until the returned function is called. */
  readonly every: (milliseconds: number, work: () => void) => () => void;
  /** Told of a fault of the service itself. */
  readonly onDefect: (error: unknown) => void;
}

export interface GrpcServer {
  readonly port: number;
  /** Null when it listens; otherwise why not. */
  readonly unhealthy: () => string | null;
  /** Takes no further call, lets those under way end, and then ends them. */
  readonly close: () => Promise<void>;
}

/** A snapshot of a hundred levels a side, or a transaction, takes a tenth of it. */
const MAX_MESSAGE_BYTES = 64 * 1024;
/** Clients ping as often as every 10 s and are not punished for it; we ping as often to learn who is gone. */
const PING_EVERY_MS = 10_000;
const PING_ANSWER_WITHIN_MS = 10_000;
/** A connection without a call is closed after this long, so that strangers do not keep it for themselves. */
const MAX_IDLE_MS = 300_000;
/** Calls at a time on one connection. */
const MAX_CALLS = 100;
/** Megabytes that one connection may take. */
const CONNECTION_MEMORY = 10;
const CLOSE_WITHIN_MS = 2_000;

/** The server that makers connect to. @throws OperatorError when it cannot listen */
export async function startGrpc(options: GrpcOptions): Promise<GrpcServer> {
  const { stopwatch, rfq, now, findMaker, onDefect } = options;
  const server = new Server({
    interceptors: [countCalls((peer) => listener.beginCall(peer))],
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': -1,
    'grpc.keepalive_time_ms': PING_EVERY_MS,
    'grpc.keepalive_timeout_ms': PING_ANSWER_WITHIN_MS,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.max_connection_idle_ms': MAX_IDLE_MS,
    'grpc.max_concurrent_streams': MAX_CALLS,
    'grpc-node.max_session_memory': CONNECTION_MEMORY,
    'grpc.enable_channelz': 0,
  });
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = await listenForHttp2({
    ...options,
    ...options.listen,
    onConnection: (socket) => injector.injectConnection(socket),
  });
  const health = healthService([MarketMakerIngestionService.typeName]);
  server.addService(
    ingestionDefinition(stopwatch),
    ingestionService({ rfq, now, findMaker, onDefect, hangUp: listener.hangUp }),
  );
  server.addService(definitionOf(Health, stopwatch), health.service);
  const described = [file_market_maker, file_grpc_health_v1_health, file_grpc_reflection_v1_reflection];
  const reflection = reflectionService(described);
  server.addService(definitionOf(ServerReflection, stopwatch), reflection);
  server.addService(definitionOf(ServerReflection, stopwatch, OLDER_REFLECTION), reflection);
  let closing: Promise<void> | null = null;
  return {
    port: listener.port,
    unhealthy: () => (closing === null ? null : 'the gRPC server is shutting down'),
    close: () => {
      if (closing !== null) return closing;
      const told = health.stop();
      listener.stop();
      closing = shutDown(server, listener, told);
      return closing;
    },
  };
}

/** @param begin called with the peer of each call that begins; what it returns is called when the call has ended */
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

/** Connections on which calls have not ended by then are destroyed. */
/** @param told resolves when nothing is on its way any more that closing could cut off */
async function shutDown(server: Server, listener: Listener, told: Promise<void>): Promise<void> {
  const timer = setTimeout(() => listener.hangUpAll(), CLOSE_WITHIN_MS);
  // A client that is gone by then ends its call when it is hung up on.
  await told;
  const ended = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  await ended;
  clearTimeout(timer);
  await listener.close();
}
