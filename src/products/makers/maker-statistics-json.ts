import { Type } from 'typebox';
import { LOSING_REASONS } from '../../swaps/engines/maker-bid.ts';
import { ORDER_WINNERS } from '../../swaps/ledger/bid-distance.ts';
import { type LedgerStatistics, MAX_ADDED_UP } from '../../swaps/ledger/maker-statistics.ts';
import { DISTANCE_BOUNDS, LAST_LOOK_BOUNDS } from '../../swaps/ledger/statistics-classes.ts';
import { named } from '../named-schema.ts';

const Milliseconds = Type.Integer({ description: 'Milliseconds.' });
const Count = Type.Integer({ minimum: 0 });
const UNIT_BPS = 100;
const LostOrders = named(
  'LostOrders',
  Type.Object({
    reason: Type.String({ description: `One of ${LOSING_REASONS.join(', ')}.` }),
    orders: Type.Integer(),
  }),
);
const FillsInState = named('FillsInState', Type.Object({ state: Type.String(), fills: Type.Integer() }));
const LastLook = named(
  'LastLook',
  Type.Object({
    answers: Type.Integer(),
    p50: Milliseconds,
    p90: Milliseconds,
    p95: Milliseconds,
    p99: Milliseconds,
    max: Milliseconds,
  }),
);
const MintVolume = named(
  'MintVolume',
  Type.Object({
    mint: Type.String(),
    paid: Type.String({ description: 'Atoms, in decimal digits.' }),
    received: Type.String({ description: 'Atoms, in decimal digits.' }),
  }),
);
const OrdersBehind = named(
  'OrdersBehind',
  Type.Object({
    upToBps: Type.Union([Type.Number(), Type.Null()], {
      description: 'Basis points of the order that won; null: more than all others.',
    }),
    orders: Count,
  }),
);
const OrdersLostTo = named(
  'OrdersLostTo',
  Type.Object({ winner: Type.Enum([...ORDER_WINNERS]), orders: Count }),
);
const LastLookTime = named(
  'LastLookTime',
  Type.Object({
    upToMs: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Milliseconds from the offer to the answer; null: more than all others.',
    }),
    answers: Count,
  }),
);
const MakerInterval = named(
  'MakerInterval',
  Type.Object({
    at: Type.Integer({ description: 'Unix milliseconds of its beginning.' }),
    considered: Count,
    won: Count,
    offered: Type.Integer({ minimum: 0, description: 'Fills of these orders that it was offered.' }),
    filled: Type.Integer({ minimum: 0, description: 'Those of them that landed.' }),
  }),
);

export const MakerStatisticsAnswer = named(
  'MakerStatistics',
  Type.Object({
    maker: Type.String({ description: 'The id of the maker.' }),
    since: Type.Integer({ description: 'Unix milliseconds.' }),
    until: Type.Integer({ description: 'Unix milliseconds.' }),
    isComplete: Type.Boolean({
      description: `False: only the newest ${MAX_ADDED_UP} orders of the range were added up; ask for a shorter one.`,
    }),
    considered: Type.Integer({ description: 'Orders for which it was considered.' }),
    won: Type.Integer(),
    lost: Type.Array(LostOrders),
    behind: Type.Array(OrdersBehind, {
      description:
        'Orders lost by the price, by how much better the order was for the taker, before fees, each class without the ones before. 0: the price was not worse, so the costs of the network or the room in the transaction decided.',
    }),
    behindUnknown: Type.Integer({
      minimum: 0,
      description: 'Orders lost by the price of which that is not known.',
    }),
    lostTo: Type.Array(OrdersLostTo, {
      description:
        'Orders lost by the price, by who was better: `pools` without a maker, or another maker, by its `stream` or its `webhook`.',
    }),
    fills: Type.Array(FillsInState, { description: 'States as in `GET /market-making/v1/orders`.' }),
    lastLook: Type.Union([LastLook, Type.Null()], {
      description: 'From the offer to the answer; null without an answer.',
    }),
    lastLookTimes: Type.Array(LastLookTime, {
      description: 'Answers by the time from the offer, each class without the ones before.',
    }),
    answers: Type.Object(
      { signed: Count, accepted: Count, rejected: Count, unanswered: Count, tampered: Count },
      {
        description:
          'Offered fills by the answer: `signed` by a stream; `accepted` or `rejected` by a webhook; `unanswered` at the end; `tampered`: another message was returned.',
      },
    ),
    interval: Type.Integer({ description: 'Milliseconds of each interval of `overTime`.' }),
    overTime: Type.Array(MakerInterval, {
      description:
        'Intervals by when orders were given out, without those in which there were none, oldest first.',
    }),
    volume: Type.Array(MintVolume, {
      description: 'Of the fills that landed; at most 256 mints on each side.',
    }),
    microDollars: Type.String({ description: 'Their value in millionths of a US dollar.' }),
  }),
);

/** Returns the statistics of a maker as clients see them. */
export function toMakerStatisticsJson(
  maker: string,
  { since, until }: { readonly since: number; readonly until: number },
  statistics: LedgerStatistics,
): Type.Static<typeof MakerStatisticsAnswer> {
  const { isComplete, considered, won, lost, behind, behindUnknown, lostTo } = statistics;
  const { fills, lastLook, lastLookTimes, answers, interval, overTime, volume, microDollars } = statistics;
  return {
    maker,
    since,
    until,
    isComplete,
    considered,
    won,
    lost: [...lost],
    behind: behind.map((orders, place) => {
      const bound = DISTANCE_BOUNDS[place];
      return { upToBps: bound === undefined ? null : bound / UNIT_BPS, orders };
    }),
    behindUnknown,
    lostTo: [...lostTo],
    fills: [...fills],
    lastLook,
    lastLookTimes: lastLookTimes.map((count, place) => ({
      upToMs: LAST_LOOK_BOUNDS[place] ?? null,
      answers: count,
    })),
    answers,
    interval,
    overTime: [...overTime],
    volume: volume.map(({ mint, paid, received }) => ({
      mint,
      paid: paid.toString(),
      received: received.toString(),
    })),
    microDollars: microDollars.toString(),
  };
}
