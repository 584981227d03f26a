import { Type } from 'typebox';
import { LOSING_REASONS } from '../../../swaps/engines/maker-bid.ts';
import { MAX_ADDED_UP, readMakerStatistics } from '../../../swaps/ledger/maker-statistics.ts';
import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import { named } from '../../named-schema.ts';
import { findCallingMaker, MakerRefusal, type MakerServices, RANGE, resolveMakerRange } from './maker-key.ts';

const Milliseconds = Type.Integer({ description: 'Milliseconds.' });
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
  Type.Object({ answers: Type.Integer(), p50: Milliseconds, p95: Milliseconds, max: Milliseconds }),
);
const MintVolume = named(
  'MintVolume',
  Type.Object({
    mint: Type.String(),
    paid: Type.String({ description: 'Atoms, in decimal digits.' }),
    received: Type.String({ description: 'Atoms, in decimal digits.' }),
  }),
);
const MakerStatisticsAnswer = named(
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
    fills: Type.Array(FillsInState, { description: 'States as in `GET /market-making/v1/orders`.' }),
    lastLook: Type.Union([LastLook, Type.Null()], {
      description: 'From the offer to the answer; null without an answer.',
    }),
    volume: Type.Array(MintVolume, {
      description: 'Of the fills that landed; at most 256 mints on each side.',
    }),
    microDollars: Type.String({ description: 'Their value in millionths of a US dollar.' }),
  }),
);

/** One question reads all rows of the range, so it is bounded. */
const MAX_DAYS = 31;

export const makerStatistics = defineEndpoint({
  method: 'GET',
  path: '/market-making/v1/statistics',
  operationId: 'GetMakerStatistics',
  summary: 'Wins, losses, last look and volume of a maker',
  description: `What the maker of the key did, by default in the last 7 days, and at most in ${MAX_DAYS}.`,
  credits: 0,
  query: Type.Object(RANGE),
  responses: { 200: MakerStatisticsAnswer, 400: MakerRefusal, 401: MakerRefusal, 403: MakerRefusal },
  handle: async (services: MakerServices, { query, headers }) => {
    const maker = findCallingMaker(services, headers);
    if (maker instanceof OtherAnswer) return maker;
    const range = resolveMakerRange(query, services.now(), MAX_DAYS, maker);
    if (range instanceof OtherAnswer) return range;
    const { lost, fills, volume, microDollars, ...rest } = await readMakerStatistics(
      services.ledger,
      maker.id,
      range,
    );
    return {
      maker: maker.id,
      ...range,
      ...rest,
      lost: [...lost],
      fills: [...fills],
      volume: volume.map(({ mint, paid, received }) => ({
        mint,
        paid: paid.toString(),
        received: received.toString(),
      })),
      microDollars: microDollars.toString(),
    };
  },
});
