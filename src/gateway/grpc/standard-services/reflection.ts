import { create, type DescFile, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { type ServerDuplexStream, status, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { formatForError } from '../../../common/format-for-error.ts';
import type { Received } from '../wire/decode.ts';
import {
  type ServerReflectionRequest,
  type ServerReflectionResponse,
  ServerReflectionResponseSchema,
} from '../generated/grpc/reflection/v1/reflection_pb.js';
import { endCall } from '../wire/outgoing.ts';

/** The previous name of the same interface, with the same messages. */
export const REFLECTION_V1ALPHA = 'grpc.reflection.v1alpha.ServerReflection';
const PACKAGE = 'grpc.reflection.v1';
const PACKAGE_V1ALPHA = 'grpc.reflection.v1alpha';

/** What the server serves, as reflection answers it. */
interface ServedDescriptors {
  /** Names with their packages. */
  readonly services: readonly string[];
  /** Encoded descriptors by file name. None of the files imports another. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The file that declares a service, method, message or enum, by its full name. */
  readonly fileOf: ReadonlyMap<string, string>;
}

/** Implements the standard reflection service from the descriptors of the server's files. */
export function createReflectionService(described: readonly DescFile[]): UntypedServiceImplementation {
  const served = collectDescriptors(described);
  return {
    ServerReflectionInfo: (
      call: ServerDuplexStream<Received<ServerReflectionRequest>, ServerReflectionResponse>,
    ) => {
      call.on('data', (received: Received<ServerReflectionRequest>) => {
        if ('invalid' in received) {
          endCall(call, { code: status.INVALID_ARGUMENT, details: received.invalid });
          return;
        }
        const hasRoom = call.write(
          create(ServerReflectionResponseSchema, {
            validHost: received.message.host,
            originalRequest: received.message,
            messageResponse: answer(served, received.message),
          }),
        );
        if (hasRoom) return;
        call.pause();
        call.once('drain', () => call.resume());
      });
      call.on('end', () => call.end());
    },
  };
}

type ReflectionAnswer = NonNullable<
  MessageInitShape<typeof ServerReflectionResponseSchema>['messageResponse']
>;

function answer(served: ServedDescriptors, { messageRequest }: ServerReflectionRequest): ReflectionAnswer {
  switch (messageRequest.case) {
    case 'listServices':
      return {
        case: 'listServicesResponse',
        value: { service: served.services.map((name) => ({ name })) },
      };
    case 'fileByFilename':
      return toFileAnswer(served, messageRequest.value, messageRequest.value);
    case 'fileContainingSymbol':
      return toFileAnswer(served, served.fileOf.get(messageRequest.value), messageRequest.value);
    case 'fileContainingExtension':
      return toErrorAnswer(
        status.NOT_FOUND,
        `nothing extends ${formatForError(messageRequest.value.containingType)}`,
      );
    case 'allExtensionNumbersOfType': {
      const type = messageRequest.value;
      if (!served.fileOf.has(type))
        return toErrorAnswer(status.NOT_FOUND, `there is no ${formatForError(type)}`);
      return { case: 'allExtensionNumbersResponse', value: { baseTypeName: type, extensionNumber: [] } };
    }
    default:
      return toErrorAnswer(status.INVALID_ARGUMENT, 'the request asks for nothing');
  }
}

function toFileAnswer(
  { files }: ServedDescriptors,
  name: string | undefined,
  asked: string,
): ReflectionAnswer {
  const bytes = name === undefined ? undefined : files.get(name);
  if (bytes === undefined) return toErrorAnswer(status.NOT_FOUND, `there is no ${formatForError(asked)}`);
  return { case: 'fileDescriptorResponse', value: { fileDescriptorProto: [bytes] } };
}

function toErrorAnswer(errorCode: number, errorMessage: string): ReflectionAnswer {
  return { case: 'errorResponse', value: { errorCode, errorMessage } };
}

function collectDescriptors(described: readonly DescFile[]): ServedDescriptors {
  const services: string[] = [];
  const files = new Map<string, Uint8Array>();
  const fileOf = new Map<string, string>();
  for (const one of described) {
    const name = `${one.name}.proto`;
    files.set(name, toBinary(FileDescriptorProtoSchema, one.proto));
    for (const { typeName, methods } of one.services) {
      services.push(typeName);
      for (const method of methods) fileOf.set(`${typeName}.${method.name}`, name);
    }
    for (const { typeName } of listTypes(one)) fileOf.set(typeName, name);
  }
  for (const [symbol, name] of [...fileOf]) {
    if (!symbol.startsWith(`${PACKAGE}.`)) continue;
    const older = name.replace('/v1/', '/v1alpha/');
    fileOf.set(symbol.replace(PACKAGE, PACKAGE_V1ALPHA), older);
    const bytes = files.get(name);
    if (bytes !== undefined) files.set(older, renamePackage(bytes, older));
  }
  return { services: [...services, REFLECTION_V1ALPHA], files, fileOf };
}

function listTypes({ services, messages, enums }: DescFile): readonly { readonly typeName: string }[] {
  const nested = messages.flatMap(({ nestedEnums, nestedMessages }) => [...nestedEnums, ...nestedMessages]);
  return [...services, ...messages, ...enums, ...nested];
}

/** Returns a file with its package renamed to v1alpha, and with every mention of its types. */
function renamePackage(bytes: Uint8Array, name: string): Uint8Array {
  const proto = fromBinary(FileDescriptorProtoSchema, bytes);
  const rename = (type: string) => type.replace(`.${PACKAGE}.`, `.${PACKAGE_V1ALPHA}.`);
  proto.name = name;
  proto.package = PACKAGE_V1ALPHA;
  for (const field of proto.messageType.flatMap((message) => message.field)) {
    if (field.typeName !== '') field.typeName = rename(field.typeName);
  }
  for (const method of proto.service.flatMap((service) => service.method)) {
    method.inputType = rename(method.inputType);
    method.outputType = rename(method.outputType);
  }
  return toBinary(FileDescriptorProtoSchema, proto);
}
