import { type Static, Type } from 'typebox';
import { executePredictionOrder } from '../../../../predictions/crafting/execute-order.ts';
import { refuseOrder } from '../../../../predictions/prediction-refused.ts';
import type { SignedResult } from '../../../../transactions/signed/execute-signed.ts';
import { EXECUTE_TIMEOUT_MS } from '../../../../transactions/submit/submit-and-confirm.ts';
import { EXAMPLE_TRANSACTION } from '../../../example-values.ts';
import type { OtherAnswer } from '../../../endpoint.ts';
import { named } from '../../../named-schema.ts';
import { definePredictionEndpoint } from '../prediction-endpoint.ts';
import { answerPredictionError } from '../prediction-errors.ts';

/** Clients resolve the `execution.endpoint` of a build, `/api/v1/execute`, against the host or against the product. */
export const HOST_EXECUTE_PATH = '/api/v1/execute';

const ExecuteBody = named(
  'ExecutePrediction',
  Type.Object({
    signedTransaction: Type.String({
      maxLength: 2_000,
      description: 'The transaction with the signature of its owner added, and otherwise unchanged. Base64.',
    }),
    context: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'That of the build. It may be left out.' }),
    ),
    requestId: Type.Optional(Type.String({ maxLength: 200, description: 'Returned as it is.' })),
  }),
);

const ExecutedPredictionJson = named(
  'PredictionExecution',
  Type.Object({
    status: Type.Enum(['Success', 'Failed']),
    signature: Type.Union([Type.String(), Type.Null()]),
    error: Type.Union([Type.String(), Type.Null()], { description: 'Why nothing happened.' }),
    requestId: Type.String({ description: 'That of the request, or the id under which the log has it.' }),
  }),
);
type ExecutedPredictionJson = Static<typeof ExecutedPredictionJson>;

/** `POST /execute`: lands an order or a claim. */
export const executeOrder = definePredictionEndpoint({
  method: 'POST',
  path: '/prediction/v1/execute',
  aliases: ['/prediction/v1/orders/execute', '/prediction/v1/api/v1/execute', HOST_EXECUTE_PATH],
  operationId: 'ExecutePrediction',
  summary: 'Land an order or a claim',
  description:
    'Lands a transaction that this instance made and its owner signed. One that would fail is not sent. The same request again has the same answer. A landed order is filled within a slot or two: see `orders/status`. That on a forecast is done when it has landed. 500 means that the outcome is unknown: send the same request again.',
  example: { body: { signedTransaction: EXAMPLE_TRANSACTION } },
  bucket: 'execute',
  credits: 0,
  timeoutMs: EXECUTE_TIMEOUT_MS,
  body: ExecuteBody,
  answer: ExecutedPredictionJson,
  handle: async ({ executing }, { body, id }) => {
    const result = await executePredictionOrder(executing, body.signedTransaction);
    return toExecutionForm(result, id, body.requestId ?? id);
  },
});

function toExecutionForm(
  result: SignedResult,
  id: string,
  requestId: string,
): ExecutedPredictionJson | OtherAnswer {
  switch (result.kind) {
    case 'landed':
      return { status: 'Success', signature: result.signature, error: null, requestId };
    case 'failed':
      return { status: 'Failed', signature: result.signature, error: result.error, requestId };
    case 'unknown':
      return answerPredictionError(500, result.error, id, { code: 'execute_failed' });
    case 'refused':
      return refuseOrder('execute_failed', result.error, 'signedTransaction');
  }
}
