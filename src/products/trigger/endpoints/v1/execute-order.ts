import { type Static, Type } from 'typebox';
import { findLimitOrderIn } from '../../../../protocols/jupiter-limit-order/instructions.ts';
import type { Address } from '../../../../solana/address.ts';
import { executeSigned, type SignedResult } from '../../../../transactions/signed/execute-signed.ts';
import { findInSignedTransaction } from '../../../../transactions/signed/find-in-signed.ts';
import { EXECUTE_TIMEOUT_MS } from '../../../../transactions/submit/submit-and-confirm.ts';
import { defineEndpoint, OtherAnswer } from '../../../endpoint.ts';
import { EXAMPLE_TRANSACTION } from '../../../example-values.ts';
import { named } from '../../../named-schema.ts';
import { createLimitErrorForm, LimitOrderError, toLimitErrorJson } from './limit-order-errors.ts';
import type { LimitOrderServices } from './services.ts';

const ExecuteBody = named(
  'ExecuteLimitOrder',
  Type.Object({
    requestId: Type.String({ maxLength: 500, description: 'Of the transaction.' }),
    signedTransaction: Type.String({
      maxLength: 2_000,
      description: 'The transaction, signed and otherwise unchanged. Base64.',
    }),
  }),
);

const ExecutedJson = named(
  'LimitOrderExecution',
  Type.Object({
    signature: Type.String(),
    status: Type.Literal('Success'),
    code: Type.Integer({ description: '0' }),
    order: Type.Optional(
      Type.String({ description: 'The order that was placed, or the first that was cancelled.' }),
    ),
  }),
);

const FailedExecutionJson = named(
  'FailedLimitOrderExecution',
  Type.Object({
    ...LimitOrderError.properties,
    signature: Type.Optional(Type.String({ description: 'Of what was sent.' })),
    status: Type.Optional(Type.Literal('Failed')),
  }),
);

const WHAT = 'invalid execute order request';

export const executeLimitOrder = defineEndpoint({
  method: 'POST',
  path: '/trigger/v1/execute',
  operationId: 'ExecuteLimitOrder',
  example: {
    body: { requestId: '0199b2f4-5b6c-7000-8000-000000000000', signedTransaction: EXAMPLE_TRANSACTION },
  },
  summary: 'Land a transaction of an order on the chain',
  description:
    'Lands the signed transaction of `createOrder`, `cancelOrder` or `cancelOrders`. One that would fail is not sent. The same ' +
    'request again has the same answer. A failure is answered with 500, and has `status`; without it the outcome is unknown: ' +
    'send the same request again.',
  bucket: 'execute',
  timeoutMs: EXECUTE_TIMEOUT_MS,
  body: ExecuteBody,
  responses: { 200: ExecutedJson, 400: LimitOrderError, 500: FailedExecutionJson },
  ...createLimitErrorForm(WHAT),
  handle: async ({ limitOrders: { transactions } }: LimitOrderServices, { body }) => {
    const result = await executeSigned(transactions, 'limit-order', body);
    return toExecutedJson(result, () => findInSignedTransaction(body.signedTransaction, findLimitOrderIn));
  },
});

function toExecutedJson(
  result: SignedResult,
  orderOf: () => Address | null,
): Static<typeof ExecutedJson> | OtherAnswer {
  switch (result.kind) {
    case 'landed': {
      const order = orderOf();
      return {
        signature: result.signature,
        status: 'Success',
        code: 0,
        ...(order === null ? {} : { order }),
      };
    }
    case 'failed': {
      const { signature, error } = result;
      return new OtherAnswer(500, { ...toLimitErrorJson(500, error), signature, status: 'Failed' });
    }
    case 'unknown':
      return new OtherAnswer(500, { ...toLimitErrorJson(500, result.error), signature: result.signature });
    case 'refused':
      return new OtherAnswer(400, toLimitErrorJson(400, WHAT, result.error));
  }
}
