import { Type } from 'typebox';
import { named } from '../../named-schema.ts';

export const ExecuteBody = named(
  'ExecuteRequest',
  Type.Object({
    signedTransaction: Type.String({
      description: 'Base64: the transaction of the order, with every signature that it needs.',
    }),
    requestId: Type.String({ description: 'Of the order.' }),
    lastValidBlockHeight: Type.Optional(
      Type.Union([Type.String(), Type.Integer(), Type.Null()], {
        description: 'When given, it must be that of the order.',
      }),
    ),
  }),
);

const SwapEventJson = named(
  'SwapEvent',
  Type.Object({
    inputMint: Type.String(),
    inputAmount: Type.String(),
    outputMint: Type.String(),
    outputAmount: Type.String(),
  }),
);

const amount = (description: string) => Type.Optional(Type.String({ description }));

export const ExecuteResponse = named(
  'ExecuteResponse',
  Type.Object({
    status: Type.Enum(['Success', 'Failed']),
    signature: Type.Optional(Type.String({ description: 'Absent when the fee payer has not signed.' })),
    slot: Type.Optional(
      Type.String({ description: 'Where it landed; `0` when it did not, and absent while that is unknown.' }),
    ),
    code: Type.Number({
      description:
        '0: success. A positive code is that of the program that failed. -1000: did not land. -1001: unknown. ' +
        '-1002: the network refuses the transaction. -1003: not fully signed. -1004: block height. ' +
        'Of a swap with a maker: -2000: did not land. -2001: unknown. -2002: the network refuses it. ' +
        '-2003: its quote expired. -2004: it was rejected.',
    }),
    error: Type.Optional(Type.String({ description: 'What went wrong, by name where it has one.' })),
    errorCode: Type.Optional(Type.Number({ description: 'The same as `code`, where it failed.' })),
    errorMessage: Type.Optional(Type.String({ description: 'The same as `error`.' })),
    totalInputAmount: amount('What left the wallet, fees in the input token included.'),
    totalOutputAmount: amount('What arrived, after fees in the output token.'),
    inputAmountResult: amount('What went into the route.'),
    outputAmountResult: amount('What the route paid.'),
    swapEvents: Type.Optional(Type.Array(SwapEventJson, { description: 'Each step of the route.' })),
  }),
);

export const ExecuteRefusal = named(
  'ExecuteRefusal',
  Type.Object({
    error: Type.String(),
    code: Type.Optional(
      Type.Number({
        description:
          '-1: no such order. -2: not a transaction, or wrongly signed. -3: not the message of the order. ' +
          '-4: no requestId. -5: no signedTransaction.',
      }),
    ),
    errorCode: Type.Optional(Type.Number({ description: 'The same as `code`.' })),
    errorMessage: Type.Optional(Type.String({ description: 'The same as `error`.' })),
    details: Type.Optional(Type.String({ description: 'Why there is no such order, in a sentence.' })),
  }),
);

export const ExecuteDefect = named(
  'ExecuteDefect',
  Type.Object({
    error: Type.String(),
    code: Type.Number({ description: '-1001: the outcome is unknown. Send the same request again.' }),
    errorCode: Type.Number({ description: 'The same as `code`.' }),
    errorMessage: Type.String({ description: 'The same as `error`.' }),
  }),
);

export type ExecuteBody = Type.Static<typeof ExecuteBody>;
export type ExecuteRefusal = Type.Static<typeof ExecuteRefusal>;
export type ExecuteResponse = Type.Static<typeof ExecuteResponse>;
