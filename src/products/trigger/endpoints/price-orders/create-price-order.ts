import { type Static, Type } from 'typebox';
import type { Address } from '../../../../solana/address.ts';
import type { PriceOrderRequest } from '../../../../waiting-orders/deposits/order-request.ts';
import { EXAMPLE_MINTS, EXAMPLE_TRANSACTION, EXAMPLE_WALLET } from '../../../example-values.ts';
import { named } from '../../../named-schema.ts';
import { defineWalletEndpoint } from '../trigger-endpoint.ts';
import { TriggerError } from '../trigger-errors.ts';
import { createFieldKey, readAddressField, readAmountField } from '../trigger-fields.ts';
import { LANDING_TIMEOUT_MS } from '../withdrawal-json.ts';
import { PRICE_FIELDS, readPriceFields } from './price-fields.ts';

const CreateRequest = named(
  'TriggerPriceOrderRequest',
  Type.Object({
    orderType: Type.Enum(['single', 'oco', 'otoco'], {
      description: 'As the `orderSubType` of the deposit.',
    }),
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
        description:
          'Required of `single` and `otoco` orders. Whether the price has to be at least, or at most, `triggerPriceUsd`.',
      }),
    ),
    ...PRICE_FIELDS,
    expiresAt: Type.Number({
      description: 'Unix milliseconds, in the future. After that, no fill of the order is begun.',
    }),
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
  summary: 'Create a limit order, a stop or both',
  description:
    'A limit order, or one that stops a loss or takes a profit. Checks the order, signs its deposit for the vault, and lands ' +
    'it. The order waits from then on. The same request again has the same answer, also after a lost one.',
  body: CreateRequest,
  responses: { 200: CreatedJson, 400: TriggerError, 403: TriggerError },
  repeatKey: createFieldKey('depositRequestId'),
  handle: async ({ deposits }, { body }, wallet) => {
    const { id, signature, isConfirmed, message } = await deposits.create(readOrder(body, wallet));
    const answer = { id, txSignature: signature, depositConfirmed: isConfirmed };
    return message === null ? answer : { ...answer, message };
  },
});

function readOrder(body: CreateRequest, wallet: Address): PriceOrderRequest {
  const { orderType, depositRequestId, depositSignedTx, triggerCondition, expiresAt } = body;
  return {
    kind: orderType,
    wallet,
    userPubkey: readAddressField(body.userPubkey, 'userPubkey'),
    depositRequestId,
    depositSignedTx,
    inputMint: readAddressField(body.inputMint, 'inputMint'),
    inputAmount: readAmountField(body.inputAmount, 'inputAmount'),
    outputMint: readAddressField(body.outputMint, 'outputMint'),
    triggerMint: readAddressField(body.triggerMint, 'triggerMint'),
    condition: triggerCondition ?? null,
    ...readPriceFields(body),
    expiresAt,
  };
}
