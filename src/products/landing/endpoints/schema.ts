import { type Static, Type } from 'typebox';

const Id = Type.Union([Type.String(), Type.Number(), Type.Null()], { description: 'Sent back as it came.' });
export const RpcBody = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  id: Type.Optional(Id),
  method: Type.String({ description: '`sendTransaction`.' }),
  params: Type.Array(Type.Unknown(), {
    description:
      'The signed transaction in base64, and optionally a configuration: `encoding` (`base64`), `skipPreflight` (true), ' +
      '`maxRetries` (0) and `swqosOnly`.',
  }),
});
export const RpcAnswer = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  id: Id,
  result: Type.Optional(Type.String({ description: 'The first signature of the transaction, in base58.' })),
  error: Type.Optional(Type.Object({ code: Type.Integer(), message: Type.String() })),
});

export type RpcAnswer = Static<typeof RpcAnswer>;

export const SubmitBody = Type.Object({
  signedTransaction: Type.String({ description: 'The signed transaction in base64.' }),
});
export const SubmitAnswer = Type.Object({
  signature: Type.String({ description: 'The first signature, in base58.' }),
});
export const SubmitRefusal = Type.Object({ error: Type.String() });
