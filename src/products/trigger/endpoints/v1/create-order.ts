import { type Static, type TSchema, Type } from 'typebox';
import { RequestRefused } from '../../../../common/request-refused.ts';
import { craftLimitOrder } from '../../../../program-orders/crafting/limit-create.ts';
import { type LimitOrderRequest, MAX_SLIPPAGE_BPS } from '../../../../program-orders/crafting/limit-terms.ts';
import { defineEndpoint } from '../../../endpoint.ts';
import { EXAMPLE_MINTS, EXAMPLE_WALLET } from '../../../example-values.ts';
import { named } from '../../../named-schema.ts';
import { readWholeField, wholeField } from '../../../parameters/whole-field.ts';
import {
  answerLimitRefusals,
  createLimitErrorForm,
  readAddressField,
  addLimitErrors,
} from './limit-order-errors.ts';
import { readUnitPrice, UnitPriceField } from './limit-order-fields.ts';
import type { LimitOrderServices } from './services.ts';

/** Clients that have no value for a field leave it out, or send null. */
const nullable = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));

const CreateBody = named(
  'CreateLimitOrder',
  Type.Object({
    inputMint: Type.String({ description: 'The token that is sold.' }),
    outputMint: Type.String({ description: 'The token that is bought.' }),
    maker: Type.String({ description: 'The wallet that deposits and is paid. It signs.' }),
    payer: Type.String({ description: 'Pays fees and rents, and signs too if it is not the maker.' }),
    params: Type.Object({
      makingAmount: wholeField('Base units of the input that are sold, worth 5 US dollars at least.'),
      takingAmount: wholeField('Base units of the output that they are sold for, the fee included.'),
      expiredAt: nullable(
        wholeField('The Unix second from which it is not filled any more. Default: it does not expire.'),
      ),
      slippageBps: nullable(
        wholeField(
          `Basis points that a fill may pay less than the price, from 0 to ${MAX_SLIPPAGE_BPS}. Default: 0, exactly the price.`,
        ),
      ),
      feeBps: nullable(
        wholeField(
          'Basis points of each fill for `feeAccount`, in place of the fee of the program: from the fee between stablecoins, which is 3 in the public program, to 1000.',
        ),
      ),
    }),
    computeUnitPrice: UnitPriceField,
    feeAccount: nullable(
      Type.String({
        description:
          'A token account of the output that is paid `feeBps` of each fill. Its owner has the fees.',
      }),
    ),
    wrapAndUnwrapSol: nullable(
      Type.Boolean({
        default: true,
        description:
          'Whether SOL are wrapped for the order, and paid out as SOL itself where the maker has no wrapped account. If false, the maker holds wrapped SOL, and an account for it is created.',
      }),
    ),
  }),
);

const WHAT = 'invalid create order request';

const CreatedJson = named(
  'LimitOrderTransaction',
  Type.Object({
    requestId: Type.String({ description: 'For `execute`. It belongs to this transaction alone.' }),
    transaction: Type.String({ description: 'The unsigned transaction, base64.' }),
    order: Type.String({ description: 'The address of the order that it places.' }),
    code: Type.Integer({ description: '0' }),
  }),
);

export const createLimitOrder = defineEndpoint({
  method: 'POST',
  path: '/trigger/v1/createOrder',
  operationId: 'CreateLimitOrder',
  example: {
    body: {
      inputMint: EXAMPLE_MINTS.usdc,
      outputMint: EXAMPLE_MINTS.sol,
      maker: EXAMPLE_WALLET,
      payer: EXAMPLE_WALLET,
      params: { makingAmount: '10000000', takingAmount: '100000000' },
      computeUnitPrice: 'auto',
    },
  },
  summary: 'Place an order on the chain',
  description:
    'Makes the transaction that deposits the input into an order on the chain. Anybody may fill it, exactly at its price. Sign ' +
    'the transaction, and send it with `execute`, or land it yourself.',
  exactIntegers: true,
  body: CreateBody,
  responses: addLimitErrors(CreatedJson),
  ...createLimitErrorForm(WHAT),
  handle: ({ limitOrders: { transactions } }: LimitOrderServices, { body }) =>
    answerLimitRefusals(WHAT, async () => {
      const crafted = await craftLimitOrder(transactions, readRequest(body));
      if (crafted.kind === 'impossible') throw new RequestRefused(crafted.error);
      const { requestId, wire, order } = crafted;
      return { requestId, transaction: Buffer.from(wire).toString('base64'), order, code: 0 };
    }),
});

/** @throws RequestRefused with a sentence for the client */
function readRequest(body: Static<typeof CreateBody>): LimitOrderRequest {
  const { params, feeAccount = null, computeUnitPrice } = body;
  const { expiredAt = null, slippageBps, feeBps = null } = params;
  return {
    maker: readAddressField(body.maker, 'maker'),
    payer: readAddressField(body.payer, 'payer'),
    inputMint: readAddressField(body.inputMint, 'inputMint'),
    outputMint: readAddressField(body.outputMint, 'outputMint'),
    making: readWholeField(params.makingAmount, 'makingAmount', { least: 1n }),
    taking: readWholeField(params.takingAmount, 'takingAmount', { least: 1n }),
    expiredAt: expiredAt === null ? null : readWholeField(expiredAt, 'expiredAt', { most: MAX_SECONDS }),
    slippageBps: Number(readWholeField(slippageBps ?? 0, 'slippageBps', { most: BigInt(MAX_SLIPPAGE_BPS) })),
    referral: readReferral(feeBps, feeAccount),
    wrapsSol: body.wrapAndUnwrapSol ?? true,
    unitPrice: readUnitPrice(computeUnitPrice),
  };
}

/** The end of the year 9999, the last one that an answer can name. */
const MAX_SECONDS = 253_402_300_799n;

function readReferral(
  feeBps: string | number | bigint | null,
  feeAccount: string | null,
): LimitOrderRequest['referral'] {
  const rate = feeBps === null ? null : Number(readWholeField(feeBps, 'feeBps', { most: 10_000n }));
  if (feeAccount === null) {
    // Clients that take no fee say so, whether or not they know that a fee needs an account.
    if (rate === null || rate === 0) return null;
    throw new RequestRefused(`feeBps needs feeAccount, which is paid the ${rate} basis points`);
  }
  if (rate === null) {
    throw new RequestRefused(`feeAccount ${feeAccount} needs feeBps, the basis points that it is paid`);
  }
  return { feeBps: rate, account: readAddressField(feeAccount, 'feeAccount') };
}
