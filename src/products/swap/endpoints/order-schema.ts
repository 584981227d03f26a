import { Type } from 'typebox';
import { named } from '../../named-schema.ts';
import { ROUTERS } from '../../../swaps/engines/engine.ts';
import { OrderStepJson } from './json/schema.ts';

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
