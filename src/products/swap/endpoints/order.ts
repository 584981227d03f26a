import { Type } from 'typebox';
import { named } from '../../named-schema.ts';
import { ROUTERS, type EngineQuote } from '../../../swaps/engines/engine.ts';
import { OrderStepJson, toMakerStepJson, toOrderRoutePlanJson } from './route-plan-json.ts';
import { EXAMPLE_WALLET, EXAMPLE_MINTS } from '../../example-values.ts';
import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import type { SwapRefused } from '../../../swaps/refusals.ts';
import { answerOrRefuse, FAILED_TO_GET_QUOTES } from './refusal.ts';
import { chooseFeeMint } from '../../../swaps/fees/platform-fee.ts';
import { orderSwap, type SwapOrder } from '../order/order.ts';
import { ORDER_PARAMETERS, parseOrderRequest } from './order-parameters.ts';
import type { SwapServices } from '../order/swap-services.ts';
import type { Address } from '../../../solana/address.ts';
import type { Prices } from '../../../market/prices/prices.ts';
import { encodeUnsigned } from '../../../solana/messages/transaction.ts';

const Payer = (what: string) =>
  Type.Union([Type.String(), Type.Null()], { description: `Who pays ${what}; null without a taker.` });

export const OrderResponse = named(
  'OrderResponse',
  Type.Object({
    mode: Type.Enum(['ultra', 'manual'], {
      description: '`manual` when anything was asked for beyond the swap itself.',
    }),
    inputMint: Type.String(),
    outputMint: Type.String(),
    inAmount: Type.String(),
    outAmount: Type.String({ description: 'What is received at the present state, after the fee.' }),
    inUsdValue: Type.Optional(Type.Number({ description: 'US dollars; absent when no pool tells.' })),
    outUsdValue: Type.Optional(Type.Number()),
    swapUsdValue: Type.Optional(Type.Number()),
    priceImpact: Type.Number({
      description:
        '100 times `priceImpactPct`: what the swap gains over its input in percent; a loss is negative.',
    }),
    priceImpactPct: Type.String({
      deprecated: true,
      description: '`outUsdValue / inUsdValue - 1`: -0.01 is one percent lost.',
    }),
    otherAmountThreshold: Type.String({ description: 'The swap fails when it would pay less.' }),
    swapMode: Type.String(),
    slippageBps: Type.Number(),
    routePlan: Type.Array(OrderStepJson),
    referralAccount: Type.Optional(Type.String()),
    feeMint: Type.String({ description: 'What a fee is collected in.' }),
    feeBps: Type.Number({
      description:
        'All that is collected, in basis points: the platform fee and what pays a sponsor back. A referrer without a token account for `feeMint` gets nothing.',
    }),
    platformFee: Type.Object({ amount: Type.String(), feeBps: Type.Number(), feeMint: Type.String() }),
    signatureFeeLamports: Type.Number({ description: '0 where a maker lands the swap and pays for it.' }),
    signatureFeePayer: Payer('for the signatures'),
    prioritizationFeeLamports: Type.Number({
      description:
        'The price times the limit of compute units, rounded down, and the tip. The network rounds up.',
    }),
    prioritizationFeePayer: Payer('the priority fee and tip'),
    rentFeeLamports: Type.Number({ description: 'Rent of accounts that are created and stay.' }),
    rentFeePayer: Payer('rent'),
    gasless: Type.Boolean({ description: 'Whether another wallet than the taker pays.' }),
    swapType: Type.Enum(['aggregator', 'rfq', 'aggregator+rfq', 'dflow', 'okx'], { deprecated: true }),
    router: Type.Enum([...ROUTERS]),
    transaction: Type.Union([Type.String(), Type.Null()], {
      description: 'Base64, unsigned. Null without a taker; empty when it cannot be made, see `errorCode`.',
    }),
    lastValidBlockHeight: Type.Optional(Type.String()),
    quoteId: Type.Optional(
      Type.String({ description: 'Identifies the quote of a swap with a maker: the same as `requestId`.' }),
    ),
    maker: Type.Optional(Type.String({ description: 'The maker that signs too, where one takes part.' })),
    expireAt: Type.Optional(
      Type.String({
        description:
          'The last Unix second in which a swap with a maker can land: the number in its fill. `/execute` must have it 20 seconds earlier.',
      }),
    ),
    requestId: Type.String({ description: 'For `/execute`.' }),
    totalTime: Type.Number({ description: 'Milliseconds.' }),
    taker: Type.Union([Type.String(), Type.Null()]),
    errorCode: Type.Optional(
      Type.Number({
        description:
          '1: too little of the input token; 2: too little SOL for gas; 3: too small to be sponsored. Of `jupiterz`, 1 stands for too little of anything that the taker pays, 2 for no account of the input token, and 3 for a transaction that would fail otherwise.',
      }),
    ),
    errorMessage: Type.Optional(Type.String()),
    error: Type.Optional(Type.String({ description: 'The same as `errorMessage`.' })),
    details: Type.Optional(
      Type.String({
        description: 'Who lacks how much of what, or why the transaction would fail, in a sentence.',
      }),
    ),
  }),
);

export const OrderRefusal = named(
  'OrderRefusal',
  Type.Object({
    requestId: Type.Optional(Type.String()),
    error: Type.String(),
    details: Type.Optional(
      Type.String({ description: 'What led to the refusal, where `error` is a text that clients compare.' }),
    ),
  }),
);

export type OrderResponse = Type.Static<typeof OrderResponse>;

export const order = defineEndpoint({
  method: 'GET',
  path: '/swap/v2/order',
  aliases: ['/ultra/v1/order'],
  operationId: 'GetOrder',
  example: {
    query: {
      inputMint: EXAMPLE_MINTS.sol,
      outputMint: EXAMPLE_MINTS.usdc,
      amount: '100000000',
      taker: EXAMPLE_WALLET,
    },
  },
  summary: 'Swap as a transaction to sign',
  description:
    'The best quote of all routers and, for a taker, the transaction that makes the swap. 404: only makers were asked, and none of their quotes can be settled.',
  query: ORDER_PARAMETERS.schema,
  responses: { 200: OrderResponse, 400: OrderRefusal, 404: OrderRefusal },
  handle: ({ swap, labels }: SwapServices, { query, caller, noteOrder }) => {
    const requestId = swap.newRequestId();
    return answerOrRefuse(
      async () => {
        const order = await orderSwap(swap, parseOrderRequest(query, labels), { requestId, caller });
        noteOrder?.({ requestId, router: order.engine.router, code: null, signature: '' });
        const body = toOrderResponse(swap.prices, order);
        const notice = describeFeelessReferral(order);
        return notice === null ? body : new OtherAnswer(200, body, { 'x-sluice-notice': notice });
      },
      (refused) => answerRefusedOrder(requestId, refused),
    );
  },
});

/** The answer to a refused order. */
export function answerRefusedOrder(requestId: string, { message, reason }: SwapRefused): OtherAnswer {
  const isUnquoted = reason.kind === 'unquoted';
  const texts = isUnquoted ? { error: FAILED_TO_GET_QUOTES, details: message } : { error: message };
  const status = isUnquoted && reason.askedMakersOnly ? 404 : 400;
  return new OtherAnswer(status, { requestId, ...texts });
}

/** The answer has the form that clients know, which has no place to say why a referrer gets nothing. */
function describeFeelessReferral({
  request: { referral, inputMint, outputMint },
  isReferralPaid,
}: SwapOrder): string | null {
  if (referral === null || isReferralPaid) return null;
  const mint = chooseFeeMint(inputMint, outputMint);
  return `referralAccount ${referral.account} has no token account for ${mint}, so referralFee is not taken`;
}

/** Maps an order to the body of `GET /swap/v2/order`. */
export function toOrderResponse(prices: Prices, order: SwapOrder): OrderResponse {
  return {
    ...quoteFields(prices, order),
    ...toCostFields(order),
    ...toTransactionFields(order),
    requestId: order.requestId,
    totalTime: order.totalMs,
  };
}

function quoteFields(prices: Prices, { request: order, engine, quote }: SwapOrder) {
  const { mint, platformBps, platformAmount, gasBps } = quote.fees;
  const inAmount = quote.inAmount ?? order.amount;
  const paid = computeDollars(prices, order.inputMint, inAmount);
  const received = computeDollars(prices, order.outputMint, quote.outAmount);
  const impact = formatImpact(quote, paid, received);
  return {
    mode: order.mode,
    inputMint: order.inputMint,
    outputMint: order.outputMint,
    inAmount: inAmount.toString(),
    outAmount: quote.outAmount.toString(),
    ...(paid === null ? {} : { inUsdValue: paid, swapUsdValue: paid }),
    ...(received === null ? {} : { outUsdValue: received }),
    priceImpact: Number(impact) * 100,
    priceImpactPct: impact,
    otherAmountThreshold: quote.threshold.toString(),
    swapMode: order.swapMode,
    slippageBps: quote.slippageBps,
    routePlan:
      quote.settlement.kind === 'maker'
        ? [toMakerStepJson(quote.settlement.fill)]
        : toOrderRoutePlanJson(prices, quote.settlement.route),
    ...(order.referral === null ? {} : { referralAccount: order.referral.account }),
    feeMint: mint,
    feeBps: platformBps + gasBps,
    platformFee: { amount: platformAmount.toString(), feeBps: platformBps, feeMint: mint },
    swapType: engine.swapType,
    router: engine.router,
    taker: order.taker,
  };
}

/** The value of an amount in US dollars, for display; null when no pool prices the token. */
function computeDollars(prices: Prices, mint: Address, atoms: bigint): number | null {
  const price = prices.dollarsPerAtom(mint);
  return price === null ? null : price * Number(atoms);
}

/**
 * The gain of the swap in dollars relative to its input: a loss is negative, unlike in the answers of `/build`. If no
 * pool prices the tokens, it is the price impact.
 */
function formatImpact({ priceImpact }: EngineQuote, paid: number | null, received: number | null): string {
  if (paid === null || received === null || !(paid > 0)) return priceImpact === '0' ? '0' : `-${priceImpact}`;
  const ratio = received / paid - 1;
  // JavaScript writes small numbers with an exponent, which decimal types of other languages may not parse.
  const text = Math.abs(ratio) < 1e-6 ? ratio.toFixed(18).replace(/\.?0+$/, '') : `${ratio}`;
  return text === '-0' ? '0' : text;
}

/**
 * Without a taker there is no transaction and no payer. A maker that lands the swap itself pays for the signatures, which cost
 * the side of the taker nothing.
 */
function toCostFields({ request: { taker }, built, quote: { settlement } }: SwapOrder) {
  const costs = built?.costs ?? null;
  const payer = costs?.payer ?? null;
  return {
    signatureFeeLamports: settlement.kind === 'maker' ? 0 : Number(costs?.signatureFee ?? 0n),
    signatureFeePayer: payer,
    prioritizationFeeLamports: Number(costs?.statedPrioritizationFee ?? 0n),
    prioritizationFeePayer: payer,
    rentFeeLamports: Number(costs?.rentFee ?? 0n),
    rentFeePayer: costs?.rentPayer ?? payer,
    gasless: payer !== taker,
  };
}

function toTransactionFields({ built, quote, requestId }: SwapOrder) {
  const maker = makerFields(quote);
  if (built === null) return { transaction: null, ...maker };
  if (built.unbuildable !== undefined) {
    const { code, message, details } = built.unbuildable;
    return { transaction: '', ...maker, errorCode: code, errorMessage: message, error: message, details };
  }
  const { messageBytes, lastValidBlockHeight, coSigner } = built;
  return {
    transaction: Buffer.from(encodeUnsigned(messageBytes)).toString('base64'),
    lastValidBlockHeight: lastValidBlockHeight.toString(),
    ...(coSigner === null
      ? maker
      : {
          quoteId: requestId,
          maker: coSigner.maker,
          expireAt: coSigner.expireAt.toString(),
        }),
  };
}

/** A maker's quote names the maker even without a taker. */
function makerFields({ settlement }: EngineQuote) {
  if (settlement.kind !== 'maker') return {};
  const { quoteId, terms } = settlement.fill;
  return { quoteId, maker: terms.maker, expireAt: terms.expireAt.toString() };
}
