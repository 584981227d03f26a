import { type Static, Type } from 'typebox';
import { findOpenedOrClosedDca } from '../../../protocols/jupiter-dca/dca-instructions.ts';
import type { Address } from '../../../solana/address.ts';
import { executeSigned, type SignedResult } from '../../../transactions/signed/execute-signed.ts';
import { findInSignedTransaction } from '../../../transactions/signed/find-in-signed.ts';
import { EXECUTE_TIMEOUT_MS } from '../../../transactions/submit/submit-and-confirm.ts';
import { EXAMPLE_TRANSACTION } from '../../example-values.ts';
import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import { named } from '../../named-schema.ts';
import {
  answerRecurringError,
  RECURRING_ERROR_FORM,
  RecurringError,
  toErrorJson,
  createResponses,
} from './recurring-errors.ts';
import type { RecurringServices } from './services.ts';

const ExecuteBody = named(
  'ExecuteRecurringOrder',
  Type.Object({
    requestId: Type.String({ maxLength: 200, description: 'Of the transaction.' }),
    signedTransaction: Type.String({
      maxLength: 2_000,
      description: 'The transaction, signed and otherwise unchanged. Base64.',
    }),
  }),
);

const ExecutedJson = named(
  'RecurringExecution',
  Type.Object({
    signature: Type.String(),
    status: Type.Enum(['Success', 'Failed']),
    order: Type.Union([Type.String(), Type.Null()], {
      description: 'The order that was opened or closed. Null if nothing happened.',
    }),
    code: Type.Integer({ description: '0, a code in docs/errors.md, or that of the program that failed.' }),
    error: Type.Optional(Type.String({ description: 'Why nothing happened. Absent after a success.' })),
  }),
);
type ExecutedJson = Static<typeof ExecutedJson>;

const UnknownExecutionJson = named(
  'UnknownRecurringExecution',
  Type.Object({
    ...RecurringError.properties,
    signature: Type.Optional(Type.String({ description: 'Of what was sent and may still land.' })),
  }),
);

export const executeOrder = defineEndpoint({
  method: 'POST',
  path: '/recurring/v1/execute',
  operationId: 'ExecuteRecurringOrder',
  example: {
    body: { requestId: '0199b2f4-5b6c-7000-8000-000000000000', signedTransaction: EXAMPLE_TRANSACTION },
  },
  summary: 'Land a transaction of an order',
  description:
    'Lands the signed transaction of `createOrder` or `cancelOrder`. One that would fail is not sent. The same request again ' +
    'has the same answer. 500 means that the outcome is unknown: send the same request again.',
  bucket: 'execute',
  timeoutMs: EXECUTE_TIMEOUT_MS,
  body: ExecuteBody,
  responses: { ...createResponses(ExecutedJson), 500: UnknownExecutionJson },
  ...RECURRING_ERROR_FORM,
  handle: async ({ transactions }: RecurringServices, { body }) => {
    const result = await executeSigned(transactions, 'dca-order', body);
    return toExecutedJson(result, () =>
      findInSignedTransaction(body.signedTransaction, findOpenedOrClosedDca),
    );
  },
});

function toExecutedJson(result: SignedResult, orderOf: () => Address | null): ExecutedJson | OtherAnswer {
  switch (result.kind) {
    case 'landed':
      return { signature: result.signature, status: 'Success', order: orderOf(), code: 0 };
    case 'failed': {
      const { signature, code, error } = result;
      return { signature, status: 'Failed', order: null, code, error };
    }
    case 'unknown':
      return new OtherAnswer(500, { ...toErrorJson(500, result.error), signature: result.signature });
    case 'refused':
      return answerRecurringError(400, result.error);
  }
}
