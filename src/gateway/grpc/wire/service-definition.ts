import { type DescMessage, type DescService, type MessageShape, toBinary } from '@bufbuild/protobuf';
import type { MethodDefinition } from '@grpc/grpc-js';
import { createMessageDecoder, type Received } from './decode.ts';

/** The methods of a service by their names. */
export type Methods = Readonly<Record<string, MethodDefinition<Received<unknown>, unknown>>>;

/**
 * Defines a service for the gRPC library. Its implementation gets requests as `Received`.
 * @param typeName - The name with its package; differs from the service's own for an interface that has two names.
 */
export function defineService(
  service: DescService,
  stopwatch: () => number,
  typeName: string = service.typeName,
): Methods {
  return Object.fromEntries(
    service.methods.map((method) => {
      const definition: MethodDefinition<Received<unknown>, unknown> = {
        path: `/${typeName}/${method.name}`,
        requestStream: method.methodKind === 'client_streaming' || method.methodKind === 'bidi_streaming',
        responseStream: method.methodKind === 'server_streaming' || method.methodKind === 'bidi_streaming',
        requestSerialize: createMessageEncoder(method.input),
        requestDeserialize: createMessageDecoder(method.input, stopwatch),
        responseSerialize: createMessageEncoder(method.output),
        responseDeserialize: createMessageDecoder(method.output, stopwatch),
      };
      return [method.name, definition];
    }),
  );
}

function createMessageEncoder<Desc extends DescMessage>(schema: Desc): (value: unknown) => Buffer {
  return (value) => {
    const bytes = toBinary(schema, value as MessageShape<Desc>);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  };
}
