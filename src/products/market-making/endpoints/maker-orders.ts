import { Type } from 'typebox';
import { toResult } from '../../../common/refusal.ts';
import { createPage, parseCursor } from '../../../platform/requests/paging.ts';
import { LOSING_REASONS } from '../../../swaps/engines/maker-bid.ts';
import { BID_RESULTS, listBids } from '../../../swaps/ledger/ledger-query.ts';
import { computeLastLookMs, type LedgerBid } from '../../../swaps/ledger/ledger-records.ts';
import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import { named } from '../../named-schema.ts';
import { findCallingMaker, MakerRefusal, type MakerServices, RANGE, resolveMakerRange } from './maker-key.ts';

const nullable = <T extends Type.TSchema>(type: T, description: string) =>
  Type.Union([type, Type.Null()], { description });
const text = (description: string) => nullable(Type.String(), description);
const time = (description: string) => nullable(Type.Integer(), description);

const MakerFillAmount = named(
  'MakerFillAmount',
  Type.Object({ mint: Type.String(), atoms: Type.String({ description: 'In decimal digits.' }) }),
);
const MakerFill = named(
  'MakerFill',
  Type.Object({
    state: Type.String({
      description:
        '`confirmed`, `failed` (on chain), `expired` (it never landed) or `rejected` (another message was returned); `offered` before.',
    }),
    taker: text('The wallet that swaps.'),
    offeredAt: time('Unix milliseconds at which the fill was offered.'),
    answeredAt: time('Unix milliseconds at which your answer came; null without one.'),
    lastLookMs: time('Milliseconds from the offer to your answer.'),
    answer: text('`signed` by a stream; `accepted`, `rejected` or `unanswered` by a webhook.'),
    endedAt: time('Unix milliseconds; null before the end.'),
    failure: text('A sentence; null if the fill was made.'),
    signature: text('Of the transaction.'),
    paid: nullable(MakerFillAmount, 'What your accounts paid; null unless it landed.'),
    received: nullable(MakerFillAmount, 'What your accounts received; null unless it landed.'),
    microDollars: text('Millionths of a US dollar; null if no pool prices it.'),
  }),
);
const MakerOrder = named(
  'MakerOrder',
  Type.Object({
    requestId: Type.String({ description: 'The id of the order, which you saw with a question by webhook.' }),
    at: Type.Integer({ description: 'Unix milliseconds at which the order was given out.' }),
    channel: text('`stream` or `webhook`: how you quoted it.'),
    inputMint: text('What the taker sells.'),
    outputMint: text('What the taker buys.'),
    quotedIn: text('Atoms of your own quote by webhook, in decimal digits.'),
    quotedOut: text('Atoms of your own quote by webhook, in decimal digits.'),
    result: Type.Enum(['won', 'lost']),
    reason: text(`Why it was lost: ${LOSING_REASONS.join(', ')}.`),
    detail: text('A sentence about your own quote or answer.'),
    fill: nullable(MakerFill, 'Null until the taker executes the order.'),
  }),
);
const MakerOrders = named(
  'MakerOrders',
  Type.Object({
    orders: Type.Array(MakerOrder, { description: 'Newest first.' }),
    next: text('Cursor of the next page; null: there is none.'),
  }),
);

const MAX_ORDERS = 200;
const DEFAULT_ORDERS = 100;
/** The longest that the ledger may keep anything. */
const MAX_DAYS = 3_660;

export const makerOrders = defineEndpoint({
  method: 'GET',
  path: '/market-making/v1/orders',
  operationId: 'GetMakerOrders',
  summary: 'What a maker won and lost',
  description:
    'The orders for which the maker of the key was considered: whether it won, why it lost, and what became of the fill. It says ' +
    'nothing of other makers, neither their names nor their prices, and of an order that was lost neither the taker nor the size.',
  credits: 0,
  query: Type.Object({
    result: Type.Optional(
      Type.Enum([...BID_RESULTS], {
        description: '`won`, `lost`, or `filled`: those whose fill was offered. All when absent.',
      }),
    ),
    ...RANGE,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_ORDERS, description: `${DEFAULT_ORDERS} when absent.` }),
    ),
    cursor: Type.Optional(
      Type.String({
        maxLength: 200,
        description: '`next` of the previous page; the first page when absent.',
      }),
    ),
  }),
  responses: { 200: MakerOrders, 400: MakerRefusal, 401: MakerRefusal, 403: MakerRefusal },
  handle: async (services: MakerServices, { query, headers }) => {
    const maker = findCallingMaker(services, headers);
    if (maker instanceof OtherAnswer) return maker;
    const range = resolveMakerRange(query, services.now(), MAX_DAYS, maker);
    if (range instanceof OtherAnswer) return range;
    const place = await toResult(async () => parseCursor<[number, string]>(query, [0, '']));
    if (!place.ok) return new OtherAnswer(400, { error: place.error.message });
    const after = place.value === null ? null : { at: place.value[0], requestId: place.value[1] };
    const { result, limit = DEFAULT_ORDERS } = query;
    const filter = { makerId: maker.id, ...(result === undefined ? {} : { result }) };
    // One row more than the page holds shows whether there is a next page.
    const rows = await listBids(services.ledger, filter, { ...range, after, limit: limit + 1 });
    const { items, next } = createPage(rows, { limit }, ({ at, requestId }) => [at, requestId]);
    return { orders: items.map(toMakerOrder), next };
  },
});

function toMakerOrder(bid: LedgerBid): Type.Static<typeof MakerOrder> {
  const { requestId, at, channel, inputMint, outputMint, inAmount, outAmount, lost, detail } = bid;
  return {
    requestId,
    at,
    channel,
    inputMint,
    outputMint,
    quotedIn: inAmount?.toString() ?? null,
    quotedOut: outAmount?.toString() ?? null,
    result: lost === null ? 'won' : 'lost',
    reason: lost,
    detail,
    fill: toMakerFill(bid),
  };
}

function toMakerFill({ fill, taker }: LedgerBid): Type.Static<typeof MakerFill> | null {
  if (fill === null) return null;
  const { paid, received, microDollars, ...rest } = fill;
  return {
    ...rest,
    taker,
    lastLookMs: computeLastLookMs(fill),
    paid: paid === null ? null : { mint: paid.mint, atoms: paid.atoms.toString() },
    received: received === null ? null : { mint: received.mint, atoms: received.atoms.toString() },
    microDollars: microDollars?.toString() ?? null,
  };
}
