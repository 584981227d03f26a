import { type Static, Type } from 'typebox';
import type { Address } from '../../../solana/address.ts';
import type { PriceOrderRequest } from '../../../waiting-orders/deposits/order-request.ts';
import { OrderRefused } from '../../../waiting-orders/order-refused.ts';
import { EXAMPLE_MINTS, EXAMPLE_TRANSACTION, EXAMPLE_WALLET } from '../../example-values.ts';
import { named } from '../../named-schema.ts';
import { defineWalletEndpoint } from './trigger-endpoint.ts';
import { refuseField, TriggerError } from './trigger-errors.ts';
import { createFieldKey, readAddressField, readAmountField } from './trigger-fields.ts';

const number = (description: string) =>
  Type.Optional(Type.Union([Type.Number(), Type.Null()], { description }));
const OTHER_KIND = 'Of `oco` and `otoco` orders, so it is refused.';

const CreateRequest = named(
  'TriggerPriceOrderRequest',
  Type.Object({
    orderType: Type.Enum(['single', 'oco', 'otoco'], { description: 'Only `single` is taken.' }),
    depositRequestId: Type.String({ description: 'The `requestId` of the deposit.' }),
    depositSignedTx: Type.String({
      description: 'Base64: the transaction of the deposit, signed by the wallet and otherwise unchanged.',
    }),
    userPubkey: Type.String({ description: 'The wallet that signed in.' }),
    inputMint: Type.String({ description: 'As in the deposit.' }),
    inputAmount: Type.String({ description: 'As in the deposit.' }),
    outputMint: Type.String({ description: 'As in the deposit.' }),
    triggerMint: Type.String({
      description: 'The mint whose price is watched: `inputMint` or `outputMint`, but no stablecoin.',
    }),
    triggerCondition: Type.Optional(
      Type.Union([Type.Enum(['above', 'below']), Type.Null()], {
        description: 'Required. Whether the price has to be at least, or at most, `triggerPriceUsd`.',
      }),
    ),
    triggerPriceUsd: number('Required. US dollars for one whole token of `triggerMint`.'),
    trailingBps: number('Refused: trailing orders are not enabled.'),
    slippageBps: number(
      'Basis points, from 0 to 10000, under the reference price that a fill may pay less. The service decides if it is left out.',
    ),
    expiresAt: Type.Number({
      description: 'Unix milliseconds, in the future. After that, no fill of the order is begun.',
    }),
    tpPriceUsd: number(OTHER_KIND),
    slPriceUsd: number(OTHER_KIND),
    tpSlippageBps: number(OTHER_KIND),
    slSlippageBps: number(OTHER_KIND),
  }),
);
type CreateRequest = Static<typeof CreateRequest>;

const CreatedJson = named(
  'TriggerOrderCreated',
  Type.Object({
    id: Type.String({ description: 'The id of the order.' }),
    txSignature: Type.String({ description: 'The signature of the deposit.' }),
    depositConfirmed: Type.Boolean({
      description: '`false`: the deposit may still land. Send the same request again.',
    }),
    message: Type.Optional(
      Type.String({ description: 'What a client should know, such as that the order existed.' }),
    ),
  }),
);

/** Somewhat longer than a transaction may take to land. */
export const LANDING_TIMEOUT_MS = 150_000;

export const createPriceOrder = defineWalletEndpoint({
  method: 'POST',
  path: '/trigger/v2/orders/price',
  bucket: 'execute',
  timeoutMs: LANDING_TIMEOUT_MS,
  operationId: 'CreateTriggerPriceOrder',
  example: {
    body: {
      orderType: 'single',
      depositRequestId: '5f0c4f0e-6f0b-4d3c-9a52-0d6f1f6a0c11',
      depositSignedTx: EXAMPLE_TRANSACTION,
      userPubkey: EXAMPLE_WALLET,
      inputMint: EXAMPLE_MINTS.usdc,
      inputAmount: '20000000',
      outputMint: EXAMPLE_MINTS.sol,
      triggerMint: EXAMPLE_MINTS.sol,
      triggerCondition: 'below',
      triggerPriceUsd: 120.5,
      expiresAt: 4_102_444_800_000,
    },
  },
  summary: 'Create an order over a price',
  description:
    'Checks the order, signs its deposit for the vault, and lands it. The order waits from then on. The same request again has ' +
    'the same answer, also after a lost one.',
  body: CreateRequest,
  responses: { 200: CreatedJson, 400: TriggerError, 403: TriggerError },
  repeatKey: createFieldKey('depositRequestId'),
  handle: async ({ deposits }, { body }, wallet) => {
    const { id, signature, isConfirmed, message } = await deposits.create(readOrder(body, wallet));
    const answer = { id, txSignature: signature, depositConfirmed: isConfirmed };
    return message === null ? answer : { ...answer, message };
  },
});

const OTHER_FIELDS = ['tpPriceUsd', 'slPriceUsd', 'tpSlippageBps', 'slSlippageBps'] as const;

function readOrder(body: CreateRequest, wallet: Address): PriceOrderRequest {
  requireSingle(body);
  const { depositRequestId, depositSignedTx, triggerCondition, expiresAt } = body;
  return {
    kind: 'single',
    wallet,
    userPubkey: readAddressField(body.userPubkey, 'userPubkey'),
    depositRequestId,
    depositSignedTx,
    inputMint: readAddressField(body.inputMint, 'inputMint'),
    inputAmount: readAmountField(body.inputAmount, 'inputAmount'),
    outputMint: readAddressField(body.outputMint, 'outputMint'),
    triggerMint: readAddressField(body.triggerMint, 'triggerMint'),
    condition:
      triggerCondition ?? refuseField('triggerCondition', 'Invalid option: expected one of "above"|"below"'),
    triggerPriceUsd: body.triggerPriceUsd ?? null,
    trailingBps: body.trailingBps ?? null,
    slippageBps: body.slippageBps ?? null,
    tpPriceUsd: null,
    tpSlippageBps: null,
    slPriceUsd: null,
    slSlippageBps: null,
    expiresAt,
  };
}

/** @throws OrderRefused when the order is of a kind that this server does not take */
function requireSingle(body: CreateRequest): void {
  const { orderType } = body;
  if (orderType !== 'single') {
    const message = `'${orderType}' orders are not supported by this server; orderType must be 'single'`;
    throw new OrderRefused('invalid', message, 'orderType');
  }
  const other = OTHER_FIELDS.find((field) => (body[field] ?? null) !== null);
  if (other === undefined) return;
  throw new OrderRefused('invalid', `${other} must be omitted when orderType is 'single'`, other);
}
