import { Type } from 'typebox';
import { ROUTERS } from '../engines/engine.ts';
import { integerText } from '../../parameters.ts';
import { BPS_BOUNDS, LAMPORTS_BOUNDS, REFERRAL_FEE_BOUNDS } from '../parameter-bounds.ts';
import { OrderStepJson, text } from '../schema.ts';

export const OrderQuery = Type.Object({
  inputMint: text('Mint of the token to swap.'),
  outputMint: text('Mint of the token to receive.'),
  amount: text('Atoms of the input token, 1 to 2^64 - 1.'),
  taker: Type.Optional(text('The wallet that swaps and signs. Without it the answer is a price only.')),
  receiver: Type.Optional(
    text('Another wallet for the output: its associated token account, created where needed, or SOL itself.'),
  ),
  swapMode: Type.Optional(text('Only exact input.', { enum: ['ExactIn'] })),
  slippageBps: Type.Optional(
    integerText(
      BPS_BOUNDS,
      'Allowed shortfall in basis points, 0 to 10000; estimated for the swap when absent.',
    ),
  ),
  referralAccount: Type.Optional(text('Account of the referral program; together with `referralFee`.')),
  referralFee: Type.Optional(integerText(REFERRAL_FEE_BOUNDS, 'Basis points for the referrer, 50 to 255.')),
  payer: Type.Optional(
    text('Another wallet that pays fees and rent, and signs too. Restricts the swap to `metis`.'),
  ),
  priorityFeeLamports: Type.Optional(
    integerText(LAMPORTS_BOUNDS, 'Priority fee in lamports, at most 10^10; estimated when absent.'),
  ),
  jitoTipLamports: Type.Optional(
    integerText(LAMPORTS_BOUNDS, 'Lamports to tip, 0 or 1000 to 10^10, paid exactly.'),
  ),
  broadcastFeeType: Type.Optional(
    text('Whether `priorityFeeLamports` is what is paid (default) or the most that may be.', {
      enum: ['maxCap', 'exactFee'],
    }),
  ),
  excludeRouters: Type.Optional(
    text(`Routers that shall not take part, separated by commas: ${ROUTERS.join(', ')}.`),
  ),
  dexes: Type.Optional(text('Venue labels that `metis` may use, separated by commas.')),
  excludeDexes: Type.Optional(text('Venue labels that `metis` may not use, separated by commas.')),
});

const Payer = (what: string) =>
  Type.Union([Type.String(), Type.Null()], { description: `Who pays ${what}; null without a taker.` });

export const OrderResponse = Type.Object({
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
  priceImpact: Type.Number({ description: 'What the size costs, in percent; a loss is negative.' }),
  priceImpactPct: Type.String({
    deprecated: true,
    description: 'The same as a share: -0.01 is one percent lost.',
  }),
  otherAmountThreshold: Type.String({ description: 'The swap fails when it would pay less.' }),
  swapMode: Type.String(),
  slippageBps: Type.Number(),
  routePlan: Type.Array(OrderStepJson),
  referralAccount: Type.Optional(Type.String()),
  feeMint: Type.String({ description: 'What a fee is collected in.' }),
  feeBps: Type.Number({
    description: '0 also when the referrer has no token account for `feeMint`: the swap is then free.',
  }),
  platformFee: Type.Object({ amount: Type.String(), feeBps: Type.Number(), feeMint: Type.String() }),
  signatureFeeLamports: Type.Number(),
  signatureFeePayer: Payer('for the signatures'),
  prioritizationFeeLamports: Type.Number({ description: 'Tips included.' }),
  prioritizationFeePayer: Payer('the priority fee and tip'),
  rentFeeLamports: Type.Number({ description: 'Rent of accounts that are created and stay.' }),
  rentFeePayer: Payer('rent'),
  gasless: Type.Boolean({ description: 'Whether another wallet than the taker pays.' }),
  swapType: Type.Enum(['aggregator', 'rfq'], { deprecated: true }),
  router: Type.Enum([...ROUTERS]),
  transaction: Type.Union([Type.String(), Type.Null()], {
    description: 'Base64, unsigned. Null without a taker; empty when it cannot be made, see `errorCode`.',
  }),
  lastValidBlockHeight: Type.Optional(Type.String()),
  maker: Type.Optional(Type.String({ description: 'The maker that signs too, where one takes part.' })),
  expireAt: Type.Optional(
    Type.String({ description: 'The last Unix second in which a swap with a maker may be executed.' }),
  ),
  requestId: Type.String({ description: 'For `/execute`.' }),
  totalTime: Type.Number({ description: 'Milliseconds.' }),
  taker: Type.Union([Type.String(), Type.Null()]),
  errorCode: Type.Optional(
    Type.Number({
      description:
        '1: too little of the input token; 2: too little SOL for gas; 3: too small to be sponsored.',
    }),
  ),
  errorMessage: Type.Optional(Type.String()),
  error: Type.Optional(Type.String({ description: 'The same as `errorMessage`.' })),
});

export const OrderRefusal = Type.Object({ requestId: Type.Optional(Type.String()), error: Type.String() });

export type OrderResponse = Type.Static<typeof OrderResponse>;
