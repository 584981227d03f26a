import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { credentials, status } from '@grpc/grpc-js';
import { afterAll, describe, expect, it } from 'vitest';
import { TEST_CERTIFICATES } from '../../testing/gateway/certificates.ts';
import { TestMaker } from '../../testing/gateway/grpc-client.ts';
import {
  Health,
  HealthCheckResponse_ServingStatus as Serving,
} from './generated/grpc/health/v1/health_pb.js';
import {
  type ServerReflectionRequestSchema,
  ServerReflection,
} from './generated/grpc/reflection/v1/reflection_pb.js';
import { REFLECTION_V1ALPHA } from './standard-services/reflection.ts';
import { startTestServer } from '../../testing/gateway/grpc-server.ts';
import { openForEach } from '../../testing/opened.ts';

describe('the standard gRPC services', () => {
  const test = openForEach(startTestServer, 'close');

  it.each([ServerReflection.typeName, REFLECTION_V1ALPHA])('are listed by %s', async (name) => {
    expect(await ask(name, { case: 'listServices', value: '' })).toMatchObject({
      value: {
        service: [SERVICE, Health.typeName, ServerReflection.typeName, REFLECTION_V1ALPHA].map((one) => ({
          name: one,
        })),
      },
    });
    for (const symbol of [
      SERVICE,
      `${SERVICE}.StreamQuotes`,
      'market_maker.Cluster',
      'market_maker.QuoteUpdate',
    ]) {
      const answer = await ask(name, { case: 'fileContainingSymbol', value: symbol });
      const file = fileIn(answer);
      expect([file.name, file.package, file.syntax || 'proto2']).toEqual([
        'market_maker.proto',
        'market_maker',
        'proto2',
      ]);
      expect(file.messageType).toHaveLength(15);
    }
    const older = fileIn(await ask(name, { case: 'fileContainingSymbol', value: REFLECTION_V1ALPHA }));
    expect(older.service[0]?.method[0]?.inputType).toBe('.grpc.reflection.v1alpha.ServerReflectionRequest');
    expect(fileIn(await ask(name, { case: 'fileByFilename', value: older.name })).name).toBe(older.name);
  });

  it.each([
    [{ case: 'fileContainingSymbol', value: 'no.Such' }, status.NOT_FOUND],
    [{ case: 'fileByFilename', value: '../etc/passwd' }, status.NOT_FOUND],
    [{ case: 'allExtensionNumbersOfType', value: 'no.Such' }, status.NOT_FOUND],
    [
      { case: 'fileContainingExtension', value: { containingType: SERVICE, extensionNumber: 1 } },
      status.NOT_FOUND,
    ],
    [undefined, status.INVALID_ARGUMENT],
  ] as const)('answer %j with an error of its own', async (request, errorCode) => {
    expect(await ask(ServerReflection.typeName, request)).toMatchObject({
      case: 'errorResponse',
      value: { errorCode },
    });
  });

  it('report whether the service is healthy, and notify watching clients of a change', async () => {
    const maker = test.connect(null);
    const { input, output } = Health.method.check;
    const check = async (service: string) =>
      fromBinary(
        output,
        await maker.raw(Health, 'Check', Buffer.from(toBinary(input, create(input, { service })))),
      ).status;
    expect([await check(''), await check(SERVICE)]).toEqual([Serving.SERVING, Serving.SERVING]);
    await expect(check('no.Such')).rejects.toMatchObject({ code: status.NOT_FOUND });
    const watch = (service: string) => {
      const states: Serving[] = [];
      const request = Buffer.from(toBinary(input, create(input, { service })));
      const same = (bytes: Buffer) => bytes;
      const call = maker.client.makeServerStreamRequest(
        `/${Health.typeName}/Watch`,
        same,
        (bytes) => fromBinary(output, bytes).status,
        request,
      );
      const first = new Promise((resolve) => call.once('data', resolve));
      call.on('data', (state) => states.push(state));
      call.on('error', () => undefined);
      return { states, first, ended: new Promise((resolve) => call.on('end', resolve)) };
    };
    const [known, unknown] = [watch(SERVICE), watch('no.Such')];
    expect(await Promise.all([known.first, unknown.first])).toEqual([
      Serving.SERVING,
      Serving.SERVICE_UNKNOWN,
    ]);
    const closing = test.server.close();
    await known.ended;
    expect(known.states).toEqual([Serving.SERVING, Serving.NOT_SERVING]);
    await closing;
  });

  function ask(
    name: string,
    messageRequest: MessageInitShape<typeof ServerReflectionRequestSchema>['messageRequest'],
  ) {
    const { input, output } = ServerReflection.method.serverReflectionInfo;
    const call = test.connect(null).client.makeBidiStreamRequest(
      `/${name}/ServerReflectionInfo`,
      (bytes: Uint8Array) => Buffer.from(bytes),
      (bytes: Buffer) => fromBinary(output, bytes).messageResponse,
    );
    call.on('error', () => undefined);
    const request = create(input, messageRequest === undefined ? {} : { messageRequest });
    call.write(toBinary(input, request));
    call.end();
    return new Promise<unknown>((resolve) => call.once('data', resolve));
  }
});

function fileIn(answer: unknown) {
  const { value } = answer as { value: { fileDescriptorProto: Uint8Array[] } };
  return fromBinary(FileDescriptorProtoSchema, value.fileDescriptorProto[0] ?? new Uint8Array());
}

describe('TLS', () => {
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('does not start if the files are missing or invalid', async () => {
    await expect(startTestServer({ tls })).rejects.toThrow(/cert\.pem cannot be read/);
    for (const file of [tls.certificate, tls.key]) writeFileSync(file, 'nothing');
    await expect(startTestServer({ tls })).rejects.toThrow(/cannot be used as certificate and key/);
  });

  it('serves the certificate of the files, and the new one after they change', async () => {
    writeFileSync(tls.certificate, first.certificate);
    writeFileSync(tls.key, first.key);
    const test = await startTestServer({ tls });
    const reaches = async ({ certificate }: (typeof TEST_CERTIFICATES)[number]) => {
      const channel = credentials.createSsl(Buffer.from(certificate));
      const maker = new TestMaker(test.server.port, 'key-1', channel, 'localhost');
      const answer = maker.unary('getLastSequenceNumber', { makerId: 'maker-1', authToken: '' });
      return answer
        .then(
          () => true,
          () => false,
        )
        .finally(() => maker.close());
    };
    const [look] = test.ticks;
    expect([await reaches(first), await reaches(second)]).toEqual([true, false]);
    // The certificate is replaced before its key; until both match, the previous ones are used.
    writeFileSync(tls.certificate, second.certificate);
    look?.();
    expect(await reaches(first)).toBe(true);
    expect(test.defects).toHaveLength(1);
    writeFileSync(tls.key, second.key);
    look?.();
    expect([await reaches(first), await reaches(second)]).toEqual([false, true]);
    await test.close();
  });

  const folder = mkdtempSync(join(tmpdir(), 'sluice-grpc-tls-'));
  const tls = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const [first, second] = TEST_CERTIFICATES;
});

const SERVICE = 'market_maker.MarketMakerIngestionService';
