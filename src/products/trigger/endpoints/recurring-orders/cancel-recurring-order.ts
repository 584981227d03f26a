import { Type } from 'typebox';
import { encodeUnsigned } from '../../../../solana/messages/transaction.ts';
import { EXAMPLE_TRANSACTION } from '../../../example-values.ts';
import { named } from '../../../named-schema.ts';
import { defineWalletEndpoint } from '../trigger-endpoint.ts';
import { TriggerError } from '../trigger-errors.ts';
import { createFieldKey, toBase64 } from '../trigger-fields.ts';
import {
  ConfirmedJson,
  ConfirmRequest,
  EXAMPLE_ORDER,
  LANDING_TIMEOUT_MS,
  OrderParams,
  WITHDRAWAL_FIELDS,
} from '../withdrawal-json.ts';
import { countRounds } from './recurring-history-json.ts';

const WithdrawalJson = named(
  'TriggerDcaWithdrawal',
  Type.Object({
    ...WITHDRAWAL_FIELDS,
    roundsRemaining: Type.Integer({ description: 'Rounds that are not filled.' }),
    refundAmount: Type.String({
      description: 'Base units of the input that come back, without what they have earned.',
    }),
  }),
);

export const cancelRecurringOrder = defineWalletEndpoint({
  method: 'POST',
  path: '/trigger/v2/orders/dca/cancel/:id',
  aliases: ['/trigger/v2/orders/dca/:id/cancel'],
  operationId: 'CancelTriggerDcaOrder',
  example: { params: EXAMPLE_ORDER },
  summary: 'Cancel an order that is filled in rounds',
  description:
    'Stops further rounds at once, and builds the transaction that gives the rest of the money back. Again: another transaction. ' +
    'It cannot be undone.',
  params: OrderParams,
  responses: { 200: WithdrawalJson, 400: TriggerError, 404: TriggerError },
  handle: async ({ withdrawals }, { params }, wallet) => {
    const { id, requestId, messageBytes, order } = await withdrawals.cancel(wallet, params.id, 'recurring');
    const { total, filled } = countRounds(order);
    return {
      id,
      roundsRemaining: total - filled,
      refundAmount: String(order.remaining),
      transaction: toBase64(encodeUnsigned(messageBytes)),
      requestId,
    };
  },
});

export const confirmCancelRecurringOrder = defineWalletEndpoint({
  method: 'POST',
  path: '/trigger/v2/orders/dca/confirm-cancel/:id',
  aliases: ['/trigger/v2/orders/dca/:id/confirm-cancel'],
  bucket: 'execute',
  timeoutMs: LANDING_TIMEOUT_MS,
  operationId: 'ConfirmCancelTriggerDcaOrder',
  example: {
    params: EXAMPLE_ORDER,
    body: {
      signedTransaction: EXAMPLE_TRANSACTION,
      cancelRequestId: '5f0c4f0e-6f0b-4d3c-9a52-0d6f1f6a0c11',
    },
  },
  summary: 'Take the rest of the money of a cancelled order back',
  description:
    'Signs the withdrawal for the vault, and lands it. The same request again has the same answer. 503: it may still land, so ' +
    'send the same request again.',
  params: OrderParams,
  body: ConfirmRequest,
  responses: { 200: ConfirmedJson, 400: TriggerError, 404: TriggerError },
  repeatKey: createFieldKey('cancelRequestId'),
  handle: async ({ withdrawals }, { params, body }, wallet) => {
    const { signedTransaction, cancelRequestId } = body;
    const { id, signature } = await withdrawals.confirm({
      wallet,
      orderId: params.id,
      family: 'recurring',
      cancelRequestId,
      signedTransaction,
    });
    return { id, txSignature: signature };
  },
});
