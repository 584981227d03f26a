import { type Static, Type } from 'typebox';
import { named, RefusalJson } from '../../named-schema.ts';

const Id = Type.Union([Type.String(), Type.Number(), Type.Null()], { description: 'Sent back as it came.' });
export const RpcBody = named(
  'RpcRequest',
  Type.Object({
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(Id),
    method: Type.String({ description: '`sendTransaction`.' }),
    params: Type.Array(Type.Unknown(), {
      description:
        'The signed transaction in base64, and optionally a configuration: `encoding` (`base64`), `skipPreflight` (true), ' +
        '`maxRetries` (0) and `swqosOnly`.',
    }),
  }),
);
export const RpcAnswer = named(
  'RpcAnswer',
  Type.Object({
    jsonrpc: Type.Literal('2.0'),
    id: Id,
    result: Type.Optional(Type.String({ description: 'The first signature of the transaction, in base58.' })),
    error: Type.Optional(Type.Object({ code: Type.Integer(), message: Type.String() })),
  }),
);

export type RpcAnswer = Static<typeof RpcAnswer>;

export const SubmitBody = named(
  'SubmitRequest',
  Type.Object({
    signedTransaction: Type.String({ description: 'The signed transaction in base64.' }),
  }),
);
export const SubmitAnswer = named(
  'SubmitAnswer',
  Type.Object({
    signature: Type.String({ description: 'The first signature, in base58.' }),
  }),
);
export const SubmitRefusal = RefusalJson;
