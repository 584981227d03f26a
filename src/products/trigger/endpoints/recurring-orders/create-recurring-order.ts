import { type Static, Type } from 'typebox';
import type { Address } from '../../../../solana/address.ts';
import type { RecurringOrderRequest } from '../../../../waiting-orders/deposits/order-request.ts';
import { EXAMPLE_MINTS, EXAMPLE_TRANSACTION, EXAMPLE_WALLET } from '../../../example-values.ts';
import { named } from '../../../named-schema.ts';
import { defineWalletEndpoint } from '../trigger-endpoint.ts';
import { refuseField, TriggerError } from '../trigger-errors.ts';
import { createFieldKey, readAddressField, readAmountField } from '../trigger-fields.ts';
import { LANDING_TIMEOUT_MS } from '../withdrawal-json.ts';

const bound = (description: string) =>
  Type.Optional(Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.Null()], { description }));

const RecurringRequest = named(
  'TriggerDcaOrderRequest',
  Type.Object({
    depositRequestId: Type.String({ description: 'The `requestId` of the deposit.' }),
    depositSignedTx: Type.String({
      description: 'Base64: the transaction of the deposit, signed by the wallet and otherwise unchanged.',
    }),
    userPubkey: Type.String({ description: 'The wallet that signed in.' }),
    inputMint: Type.String({ description: 'As in the deposit.' }),
    outputMint: Type.String({ description: 'As in the deposit.' }),
    inputAmount: Type.String({
      description: 'As in the deposit. It is sold in equal rounds; the last one sells the rest.',
    }),
    orderCount: Type.Integer({ minimum: 2, description: 'Rounds, each worth 10 US dollars at least.' }),
    intervalSeconds: Type.Integer({
      minimum: 60,
      maximum: 31_536_000,
      description: 'Seconds between two rounds.',
    }),
    orderType: Type.Optional(
      Type.Enum(['time_based', 'price_conditional'], {
        description: 'Default `time_based`. `price_conditional` fills a round only between two prices.',
      }),
    ),
    minPriceUsd: bound('Of `price_conditional` orders: no round is filled below this price.'),
    maxPriceUsd: bound('Of `price_conditional` orders: no round is filled above this price.'),
    triggerMint: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'Of `price_conditional` orders: the mint of the prices, which is no stablecoin.',
      }),
    ),
    beginFillAt: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'ISO 8601: when the first round is due, at most 30 days from now. Default: now.',
      }),
    ),
    jlEnabled: Type.Optional(
      Type.Union([Type.Boolean(), Type.Null()], {
        description: 'Whether the deposit is to earn while it waits.',
      }),
    ),
    jlMint: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: 'As in the deposit, of an order that earns.' }),
    ),
  }),
);
type RecurringRequest = Static<typeof RecurringRequest>;

const CreatedJson = named(
  'TriggerDcaOrderCreated',
  Type.Object({
    id: Type.String({ description: 'The id of the order.' }),
    txSignature: Type.String({ description: 'The signature of the deposit.' }),
  }),
);

export const createRecurringOrder = defineWalletEndpoint({
  method: 'POST',
  path: '/trigger/v2/orders/dca',
  bucket: 'execute',
  timeoutMs: LANDING_TIMEOUT_MS,
  operationId: 'CreateTriggerDcaOrder',
  example: {
    body: {
      depositRequestId: '5f0c4f0e-6f0b-4d3c-9a52-0d6f1f6a0c11',
      depositSignedTx: EXAMPLE_TRANSACTION,
      userPubkey: EXAMPLE_WALLET,
      inputMint: EXAMPLE_MINTS.usdc,
      outputMint: EXAMPLE_MINTS.sol,
      inputAmount: '20000000',
      orderCount: 2,
      intervalSeconds: 3_600,
    },
  },
  summary: 'Create an order that is filled in rounds',
  description:
    'Checks the order, signs its deposit for the vault, and lands it. The same request again has the same answer, also after a ' +
    'lost one.',
  body: RecurringRequest,
  responses: { 200: CreatedJson, 400: TriggerError, 403: TriggerError },
  repeatKey: createFieldKey('depositRequestId'),
  handle: async ({ deposits }, { body }, wallet) => {
    const { id, signature } = await deposits.create(readOrder(body, wallet));
    return { id, txSignature: signature };
  },
});

function readOrder(body: RecurringRequest, wallet: Address): RecurringOrderRequest {
  const { depositRequestId, depositSignedTx, orderCount, intervalSeconds, triggerMint, beginFillAt } = body;
  return {
    kind: body.orderType ?? 'time_based',
    wallet,
    userPubkey: readAddressField(body.userPubkey, 'userPubkey'),
    depositRequestId,
    depositSignedTx,
    inputMint: readAddressField(body.inputMint, 'inputMint'),
    inputAmount: readAmountField(body.inputAmount, 'inputAmount'),
    outputMint: readAddressField(body.outputMint, 'outputMint'),
    orderCount,
    intervalSeconds,
    beginFillAt: beginFillAt == null ? null : readTimeField(beginFillAt, 'beginFillAt'),
    minPriceUsd: body.minPriceUsd ?? null,
    maxPriceUsd: body.maxPriceUsd ?? null,
    triggerMint: triggerMint == null ? null : readAddressField(triggerMint, 'triggerMint'),
    earns: body.jlEnabled ?? false,
    earnMint: body.jlMint == null ? null : readAddressField(body.jlMint, 'jlMint'),
  };
}

/** A date, and maybe a time with a zone. Other texts mean different times to different parsers. */
const ISO_8601 = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Returns Unix milliseconds. */
function readTimeField(text: string, field: string): number {
  const time = ISO_8601.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? refuseField(field, 'Invalid ISO datetime') : time;
}
