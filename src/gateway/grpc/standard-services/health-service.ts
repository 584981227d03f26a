import { create } from '@bufbuild/protobuf';
import {
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { formatForError } from '../../../common/format-for-error.ts';
import type { Received } from '../wire/decode.ts';
import {
  type HealthCheckRequest,
  type HealthCheckResponse,
  HealthCheckResponse_ServingStatus as ServingStatus,
  HealthCheckResponseSchema,
} from '../generated/grpc/health/v1/health_pb.js';

export interface GrpcHealth {
  readonly service: UntypedServiceImplementation;
  /** Reports that the server no longer serves; resolves when all watching clients have been notified. */
  readonly stop: () => Promise<void>;
}

type Watching = ServerWritableStream<Received<HealthCheckRequest>, HealthCheckResponse>;

/**
 * Implements the standard health service.
 * @param services - Names with their packages; the empty name, for the whole server, is added.
 */
export function createHealthService(services: readonly string[]): GrpcHealth {
  const known = new Set(['', ...services]);
  /** The watching calls, and whether the service that each watches exists. */
  const watching = new Map<Watching, boolean>();
  let serving = ServingStatus.SERVING;
  const response = (state: ServingStatus) => create(HealthCheckResponseSchema, { status: state });
  const check = (
    { request }: ServerUnaryCall<Received<HealthCheckRequest>, HealthCheckResponse>,
    callback: sendUnaryData<HealthCheckResponse>,
  ) => {
    if ('invalid' in request) callback({ code: status.INVALID_ARGUMENT, details: request.invalid });
    else if (known.has(request.message.service)) callback(null, response(serving));
    else
      callback({
        code: status.NOT_FOUND,
        details: `there is no service ${formatForError(request.message.service)}`,
      });
  };
  const watch = (call: Watching) => {
    const { request } = call;
    if ('invalid' in request) {
      call.emit('error', { code: status.INVALID_ARGUMENT, details: request.invalid });
      return;
    }
    const isKnown = known.has(request.message.service);
    call.write(response(isKnown ? serving : ServingStatus.SERVICE_UNKNOWN));
    watching.set(call, isKnown);
    call.on('cancelled', () => watching.delete(call));
    call.on('close', () => watching.delete(call));
  };
  return {
    service: { Check: check, Watch: watch },
    stop: async () => {
      serving = ServingStatus.NOT_SERVING;
      const notified = [...watching].map(([call, isKnown]) => {
        if (isKnown) call.write(response(serving));
        return new Promise<void>((resolve) => {
          for (const end of ['finish', 'close']) call.once(end, () => resolve());
          call.end();
        });
      });
      await Promise.all(notified);
    },
  };
}
