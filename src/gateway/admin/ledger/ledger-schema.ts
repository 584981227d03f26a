import { Type } from 'typebox';
import type { OrderOutcome } from '../../../swaps/ledger/ledger-query.ts';
import type { PayingParty } from '../../../swaps/orders/stored-order.ts';
import { Next, page, Slug, Time } from '../platform/platform-schema.ts';

// The commands have these lists, too, and load nothing of the rooms that have the types.
export const ORDER_OUTCOMES = [
  'never-executed',
  'open',
  'succeeded',
  'failed',
  'unknown',
] as const satisfies readonly OrderOutcome[];
const PAYING_PARTIES = ['taker', 'sponsor', 'maker', 'payer'] as const satisfies readonly PayingParty[];
/** The states of a fill that the ledger has. */
export const FILL_STATES = ['offered', 'confirmed', 'failed', 'expired', 'rejected'] as const;
const closed = { additionalProperties: false };
/** Nothing else is an id of an order. PostgreSQL takes no U+0000 in a text. */
const OrderId = Type.String({
  pattern: '^[0-9a-zA-Z-]{1,64}$',
  description: 'The `requestId` of the order.',
});
const Address = Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$', description: 'In base58.' });
const Signature = Type.String({
  pattern: '^[1-9A-HJ-NP-Za-km-z]{64,88}$',
  description:
    'Of the transaction. What it signed is looked for in all that is kept, unless `since` says otherwise.',
});
const filters = {
  taker: Type.Optional(Address),
  maker: Type.Optional(
    Type.String({ pattern: '^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$', description: 'The id of the maker.' }),
  ),
  since: Type.Optional(Type.Integer({ ...Time, description: 'Unix milliseconds; 7 days ago when absent.' })),
  until: Type.Optional(Type.Integer({ ...Time, description: 'Unix milliseconds; now when absent.' })),
  signature: Type.Optional(Signature),
  ...page,
};
const orderFilters = {
  router: Type.Optional(
    Type.String({ pattern: '^[a-z0-9-]{1,32}$', description: 'The router whose quote won.' }),
  ),
  outcome: Type.Optional(
    Type.Unsafe<OrderOutcome>(
      Type.Enum([...ORDER_OUTCOMES], {
        description:
          'How the order stands. `open`: it runs, or the instance that ran it was killed. `unknown`: nobody knows whether the swap was made.',
      }),
    ),
  ),
  code: Type.Optional(
    Type.Integer({ minimum: -10_000, maximum: 4_294_967_295, description: 'The code of the execution.' }),
  ),
};
const fillFilters = {
  state: Type.Optional(
    Type.Unsafe<string>(Type.Enum([...FILL_STATES], { description: 'How the fill stands.' })),
  ),
};
const inOrganisation = { organisation: Type.Optional(Slug) };
export const OrderListQuery = Type.Object({ ...filters, ...orderFilters, ...inOrganisation }, closed);
export const OrganisationOrderListQuery = Type.Object({ ...filters, ...orderFilters }, closed);
export const FillListQuery = Type.Object({ ...filters, ...fillFilters, ...inOrganisation }, closed);
export const OrganisationFillListQuery = Type.Object({ ...filters, ...fillFilters }, closed);
export const OrderParams = Type.Object({ order: OrderId });
export const OrganisationOrderParams = Type.Object({ organisation: Slug, order: OrderId });

const nullable = <T extends Type.TSchema>(type: T, description: string) =>
  Type.Union([type, Type.Null()], { description });
const text = (description: string) => nullable(Type.String(), description);
const time = (description: string) => nullable(Type.Integer(), `Unix milliseconds; ${description}`);
const Atoms = (description: string) => text(`Atoms, in decimal digits; ${description}`);

const OrderExecution = Type.Object({
  begunAt: Time,
  endedAt: time('null while it runs, or if the instance was killed meanwhile.'),
  code: nullable(Type.Integer(), 'As the execution answers it; null before the end.'),
  reason: text('A sentence; null if the swap was made.'),
  signature: text('Null while the fee payer has not signed.'),
  slot: text('Where it landed.'),
  totalInput: Atoms('what left the wallet.'),
  totalOutput: Atoms('what arrived.'),
});

export const OrderLine = Type.Object({
  requestId: Type.String(),
  at: Type.Integer({ ...Time, description: 'Unix milliseconds at which the order was given out.' }),
  organisation: text('Null: the caller had no key, or it is not known.'),
  taker: text('The wallet that swaps.'),
  receiver: text('Another wallet that gets the output; null without one.'),
  inputMint: text('Null if only the end of the order is known, as for all terms of an order.'),
  outputMint: text('What is bought.'),
  swapMode: text('ExactIn or ExactOut.'),
  inAmount: Atoms('as quoted.'),
  outAmount: Atoms('as quoted.'),
  slippageBps: nullable(Type.Integer(), 'In basis points.'),
  feeMint: text('What the platform fee is taken in.'),
  feeAmount: Atoms('the platform fee.'),
  router: text('Whose quote won.'),
  maker: text('The id of the maker that takes part; null without one.'),
  paidBy: text(
    `Who pays the network: ${PAYING_PARTIES.join(', ')}, a wallet of the integrator; null if it is not known.`,
  ),
  payer: text('The wallet that pays the network.'),
  execution: nullable(OrderExecution, 'Null until it is executed.'),
});

const FillSideJson = nullable(
  Type.Object({ mint: Type.String(), atoms: Type.String() }),
  'Null unless it landed.',
);
const FillJson = Type.Object({
  state: Type.String({ description: 'offered, confirmed, failed, expired or rejected.' }),
  offeredAt: time('when the maker was offered the fill.'),
  answeredAt: time('when the maker answered at last look.'),
  lastLookMs: nullable(Type.Integer(), 'Milliseconds from the offer to the answer; null without an answer.'),
  answer: text('signed by a stream; accepted, rejected or unanswered by a webhook.'),
  endedAt: time('null before the end.'),
  failure: text('A sentence; null if the fill was made.'),
  signature: text('Of the transaction.'),
  paid: FillSideJson,
  received: FillSideJson,
  microDollars: text('Millionths of a US dollar; null if no pool prices it.'),
});

export const BidLine = Type.Object({
  requestId: Type.String(),
  at: Type.Integer({ ...Time, description: 'Unix milliseconds at which the order was given out.' }),
  maker: Type.String(),
  channel: text('stream or webhook.'),
  inputMint: text('Of the order.'),
  outputMint: text('Of the order.'),
  inAmount: Atoms('what the maker quoted by webhook, before fees.'),
  outAmount: Atoms('what the maker quoted by webhook, before fees.'),
  lost: text('Why it is not part of the order, as `docs/orders.md` lists the reasons. Null: it won.'),
  detail: text('A sentence about its quote.'),
  fill: nullable(FillJson, 'Null until the taker executes the order.'),
});
export const FillLine = Type.Object({
  ...BidLine.properties,
  organisation: text('Null: the caller had no key, or it is not known.'),
  taker: text('The wallet that swaps.'),
});

const Dropped = Type.Integer({
  description:
    'Rows that this instance lost: too many waited, the tables refused them, or too many orders came in a second.',
});
export const OrdersAnswer = Type.Object({
  orders: Type.Array(OrderLine, { description: 'Newest first.' }),
  next: Next,
  dropped: Dropped,
});
export const OrderAnswer = Type.Object({
  order: OrderLine,
  makers: Type.Array(BidLine, { description: 'All makers that were considered; for the operator only.' }),
});
export const OrganisationOrderAnswer = Type.Object({ order: OrderLine });
export const FillsAnswer = Type.Object({
  fills: Type.Array(FillLine, { description: 'Newest first.' }),
  next: Next,
  dropped: Dropped,
});
