import { Type } from 'typebox';
import type { ShownLimitOrder } from '../../../../program-orders/program-order.ts';
import { LIMIT_ORDER_PROGRAM } from '../../../../protocols/jupiter-limit-order/program.ts';
import { formatDecimalAmount } from '../../../../solana/codec/decimal-amount.ts';
import { defineEndpoint } from '../../../endpoint.ts';
import { EXAMPLE_WALLET } from '../../../example-values.ts';
import { LazyList, writeJsonInTurns } from '../../../json-in-turns.ts';
import { named } from '../../../named-schema.ts';
import { address, choice, flag, integer } from '../../../parameters/kinds.ts';
import { defineQuery, optional } from '../../../parameters/parameter.ts';
import {
  countOrderPages,
  type DecimalsOf,
  formatSeconds,
  type LazyTrades,
  MAX_ORDER_PAGE,
  ORDERS_PER_PAGE,
  ProgramOrderTradeJson,
  readOrderDecimals,
  toProgramTradeJson,
} from '../../../program-order-json.ts';
import { answerLimitRefusals, createLimitErrorForm, addLimitErrors } from './limit-order-errors.ts';
import type { LimitOrderServices } from './services.ts';

const QUERY = defineQuery({
  user: address('The maker whose orders are listed.'),
  orderStatus: choice(['active', 'history'], 'Whether open orders are listed, or those that have ended.'),
  page: optional(
    integer(
      { minimum: 1, maximum: MAX_ORDER_PAGE },
      `From 1, the default. A page has ${ORDERS_PER_PAGE} orders.`,
    ),
  ),
  includeFailedTx: optional(flag('No failed transaction is kept here, so the answer is the same.')),
  inputMint: optional(address('Only orders that sell this token.')),
  outputMint: optional(address('Only orders that buy this token.')),
});

const whole = (description: string) => Type.String({ description: `${description} In whole tokens.` });
const raw = Type.String({ description: 'The same in base units.' });

const LimitOrderJson = named(
  'LimitOrder',
  Type.Object({
    userPubkey: Type.String({ description: 'The maker.' }),
    orderKey: Type.String({ description: 'The address of the order.' }),
    inputMint: Type.String(),
    outputMint: Type.String(),
    makingAmount: whole('What the order sells.'),
    takingAmount: whole('What it is sold for.'),
    remainingMakingAmount: whole('What is not sold yet.'),
    remainingTakingAmount: whole('What is not paid yet.'),
    rawMakingAmount: raw,
    rawTakingAmount: raw,
    rawRemainingMakingAmount: raw,
    rawRemainingTakingAmount: raw,
    slippageBps: Type.String({ description: 'Basis points that a fill may pay less than the price.' }),
    expiredAt: Type.Union([Type.String(), Type.Null()], {
      description: 'When it expires, in ISO 8601. Null for never.',
    }),
    createdAt: Type.String({ description: 'ISO 8601.' }),
    updatedAt: Type.String({ description: 'When it last changed. ISO 8601.' }),
    status: Type.Enum(['Open', 'Completed', 'Cancelled'], {
      description: 'An open order with trades is filled in part.',
    }),
    openTx: Type.String({
      description:
        'The signature with which it was placed; empty if that was before anybody followed the program here.',
    }),
    closeTx: Type.String({ description: 'The signature with which it ended; empty while it is open.' }),
    programVersion: Type.String({ description: 'The address of the program.' }),
    trades: Type.Array(ProgramOrderTradeJson, { description: 'The newest first.' }),
  }),
);

const OrdersJson = named(
  'LimitOrders',
  Type.Object({
    user: Type.String(),
    orderStatus: Type.Enum(['active', 'history']),
    orders: Type.Array(LimitOrderJson, {
      description: 'Of open orders, the newest first. Of others, those that ended last first.',
    }),
    totalPages: Type.Integer({ description: 'At least 1. A page beyond the last one is empty.' }),
    page: Type.Integer(),
  }),
);

const WHAT = 'invalid get orders request';

export const listLimitOrders = defineEndpoint({
  method: 'GET',
  path: '/trigger/v1/getTriggerOrders',
  operationId: 'GetLimitOrders',
  example: { query: { user: EXAMPLE_WALLET, orderStatus: 'active' } },
  summary: 'The orders of a wallet on the chain',
  description: 'Lists orders of the limit-order program, with their fills.',
  query: QUERY.schema,
  responses: addLimitErrors(OrdersJson),
  ...createLimitErrorForm(WHAT),
  handle: ({ limitOrders: { lists, transactions } }: LimitOrderServices, { query, work }) =>
    answerLimitRefusals(WHAT, async () => {
      const read = QUERY.reader(query);
      const [user, orderStatus, page] = [read('user'), read('orderStatus'), read('page') ?? 1];
      read('includeFailedTx');
      const asked = {
        maker: user,
        isOpen: orderStatus === 'active',
        inputMint: read('inputMint') ?? null,
        outputMint: read('outputMint') ?? null,
        anyMint: null,
        page,
        perPage: ORDERS_PER_PAGE,
      };
      const { orders, total } = await lists.listLimitOrders(asked, work);
      const decimalsOf = await readOrderDecimals(transactions.chain, orders);
      const answer = {
        user,
        orderStatus,
        orders: new LazyList(orders, (order) => toLimitOrderJson(order, decimalsOf)),
        totalPages: countOrderPages(total),
        page,
      };
      return writeJsonInTurns(answer, work);
    }),
});

const STATUS = { open: 'Open', filled: 'Completed', cancelled: 'Cancelled' } as const;

/** The trades of an order are made when they are written: there may be many. */
function toLimitOrderJson(order: ShownLimitOrder, decimalsOf: DecimalsOf): LazyTrades<typeof LimitOrderJson> {
  const { inputMint, outputMint, making, taking, remainingMaking, remainingTaking, expiredAt } = order;
  const [inputDecimals, outputDecimals] = [decimalsOf(inputMint), decimalsOf(outputMint)];
  return {
    userPubkey: order.maker,
    orderKey: order.address,
    inputMint,
    outputMint,
    makingAmount: formatDecimalAmount(making, inputDecimals),
    takingAmount: formatDecimalAmount(taking, outputDecimals),
    remainingMakingAmount: formatDecimalAmount(remainingMaking, inputDecimals),
    remainingTakingAmount: formatDecimalAmount(remainingTaking, outputDecimals),
    rawMakingAmount: String(making),
    rawTakingAmount: String(taking),
    rawRemainingMakingAmount: String(remainingMaking),
    rawRemainingTakingAmount: String(remainingTaking),
    slippageBps: String(order.slippageBps),
    expiredAt: expiredAt === null ? null : formatSeconds(expiredAt),
    createdAt: formatSeconds(order.createdAt),
    updatedAt: formatSeconds(order.updatedAt),
    status: STATUS[order.state],
    openTx: order.openSignature ?? '',
    closeTx: order.closeSignature ?? '',
    programVersion: LIMIT_ORDER_PROGRAM,
    trades: new LazyList(order.trades, (trade) => toProgramTradeJson(order, trade, decimalsOf)),
  };
}
