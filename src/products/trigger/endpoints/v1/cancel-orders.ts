import { type Static, Type } from 'typebox';
import {
  type CraftedCancellations,
  craftLimitCancellations,
  MAX_CANCELLED,
  type NoMatchingOrders,
  NO_MATCHING_ORDERS,
} from '../../../../program-orders/crafting/limit-cancel.ts';
import type { ImpossibleOrder } from '../../../../program-orders/crafting/impossible-order.ts';
import { RequestRefused } from '../../../../common/request-refused.ts';
import type { Address } from '../../../../solana/address.ts';
import { defineEndpoint } from '../../../endpoint.ts';
import { EXAMPLE_WALLET } from '../../../example-values.ts';
import { named } from '../../../named-schema.ts';
import {
  answerLimitRefusals,
  createLimitErrorForm,
  LimitOrderRefused,
  readAddressField,
  addLimitErrors,
} from './limit-order-errors.ts';
import { readUnitPrice, UnitPriceField } from './limit-order-fields.ts';
import type { LimitOrderServices } from './services.ts';

/** An order of the public network. Examples on other networks name one of their own. */
const EXAMPLE_ORDER = '6fe8ByaiFHisjnYnH5qdpyiNtkn89mMBQUemRkVmKhro';

const OrdersText = Type.Union([Type.String(), Type.Array(Type.String())]);
const CANCEL_FIELDS = {
  maker: Type.String({ description: 'The maker of the orders, who signs and pays.' }),
  computeUnitPrice: UnitPriceField,
};

const CancelBody = named(
  'CancelLimitOrder',
  Type.Object({
    ...CANCEL_FIELDS,
    order: Type.String({ description: 'The address of the order, or several with commas between them.' }),
  }),
);

const CancelAllBody = named(
  'CancelLimitOrders',
  Type.Object({
    ...CANCEL_FIELDS,
    orders: Type.Optional(
      Type.Union([...OrdersText.anyOf, Type.Null()], {
        description: `The addresses of the orders, ${MAX_CANCELLED} at most. Default: all open orders of the maker that can be cancelled now, the oldest first.`,
      }),
    ),
    order: Type.Optional(
      Type.Union([...OrdersText.anyOf, Type.Null()], { description: 'The same, as some clients name it.' }),
    ),
  }),
);

const CancellationsJson = named(
  'LimitOrderCancellations',
  Type.Object({
    requestId: Type.String({
      description: 'For `execute`, with each of the transactions, one after the other.',
    }),
    transaction: Type.String({ description: 'The first of them.' }),
    transactions: Type.Array(Type.String(), {
      description: 'Unsigned, base64. Each cancels five orders at most.',
    }),
    code: Type.Integer({ description: '0' }),
  }),
);

const WHAT = 'invalid cancel order request';

export const cancelLimitOrder = defineEndpoint({
  method: 'POST',
  path: '/trigger/v1/cancelOrder',
  operationId: 'CancelLimitOrder',
  example: { body: { maker: EXAMPLE_WALLET, order: EXAMPLE_ORDER, computeUnitPrice: 'auto' } },
  summary: 'Cancel an order on the chain',
  description:
    'Makes the transaction that gives the maker what is left of the input, and the rents. SOL are paid as SOL itself, unless the ' +
    'maker has an account of wrapped SOL.',
  exactIntegers: true,
  body: CancelBody,
  responses: addLimitErrors(CancellationsJson),
  ...createLimitErrorForm(WHAT),
  handle: ({ limitOrders: { transactions } }: LimitOrderServices, { body, work }) =>
    answerLimitRefusals(WHAT, async () => {
      const { maker, unitPrice } = readMaker(body);
      const orders = readOrders(body.order, 'order');
      return toCancellationsJson(
        await craftLimitCancellations(transactions, { maker, orders, unitPrice }, work),
      );
    }),
});

export const cancelLimitOrders = defineEndpoint({
  method: 'POST',
  path: '/trigger/v1/cancelOrders',
  operationId: 'CancelLimitOrders',
  example: { body: { maker: EXAMPLE_WALLET, computeUnitPrice: 'auto' } },
  summary: 'Cancel several orders on the chain, or all',
  description: `Makes the transactions that cancel orders as \`cancelOrder\` does, for ${MAX_CANCELLED} orders at most.`,
  exactIntegers: true,
  body: CancelAllBody,
  responses: addLimitErrors(CancellationsJson),
  ...createLimitErrorForm(WHAT),
  handle: ({ limitOrders: { transactions } }: LimitOrderServices, { body, work }) =>
    answerLimitRefusals(WHAT, async () => {
      const { maker, unitPrice } = readMaker(body);
      const field = body.orders == null ? 'order' : 'orders';
      const given = body[field] ?? null;
      const orders = given === null ? null : readOrders(given, field);
      return toCancellationsJson(
        await craftLimitCancellations(transactions, { maker, orders, unitPrice }, work),
      );
    }),
});

function readMaker({
  maker,
  computeUnitPrice,
}: Pick<Static<typeof CancelBody>, 'maker' | 'computeUnitPrice'>): {
  readonly maker: Address;
  readonly unitPrice: bigint | null;
} {
  return { maker: readAddressField(maker, 'maker'), unitPrice: readUnitPrice(computeUnitPrice) };
}

/** @throws RequestRefused for more orders than one request cancels */
function readOrders(given: string | readonly string[], field: string): readonly Address[] {
  const texts = (typeof given === 'string' ? given.split(',') : given).map((text) => text.trim());
  if (texts.length > MAX_CANCELLED) {
    throw new RequestRefused(`${field} must name ${MAX_CANCELLED} orders at most, got ${texts.length}`);
  }
  // A client that has nothing to cancel must not cancel everything.
  if (texts.length === 0) throw new LimitOrderRefused(NO_MATCHING_ORDERS, `${field} names no order`);
  return texts.map((text) => readAddressField(text, 'order'));
}

function toCancellationsJson(
  crafted: CraftedCancellations | NoMatchingOrders | ImpossibleOrder,
): Static<typeof CancellationsJson> {
  if (crafted.kind === 'none') throw new LimitOrderRefused(NO_MATCHING_ORDERS, crafted.error);
  if (crafted.kind === 'impossible') throw new RequestRefused(crafted.error);
  const transactions = crafted.transactions.map(({ wire }) => Buffer.from(wire).toString('base64'));
  return { requestId: crafted.requestId, transaction: transactions[0] ?? '', transactions, code: 0 };
}
