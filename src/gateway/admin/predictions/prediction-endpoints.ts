import type { Static } from 'typebox';
import { formatForError } from '../../../common/format-for-error.ts';
import { makeChangesAs } from '../../../platform/audit/audit.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import type { NewPredictionEvent } from '../../../predictions/events/event-terms.ts';
import type { PredictionAdmin } from '../../../predictions/events/prediction-admin.ts';
import { CONTRACT_STEP, MICRO_PER_CONTRACT } from '../../../exchange/exchange.ts';
import type { PredictionEvent, PredictionEvents } from '../../../predictions/prediction.ts';
import { RequestInvalid } from '../../http/validation.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import { parseEventTime } from './event-times.ts';
import * as shape from './prediction-schema.ts';

/** What the operator does with prediction markets. */
export interface PredictionControls {
  readonly platform: PlatformDependencies;
  readonly events: Pick<PredictionEvents, 'listEvents' | 'findEvent'>;
  readonly admin: PredictionAdmin;
  /** Unix seconds by the clock of the network. */
  readonly now: () => number;
}

const EVENTS = '/admin/v1/prediction-events';

const listPredictionEvents = defineAdminEndpoint({
  method: 'GET',
  path: EVENTS,
  summary: 'The events of prediction markets',
  responses: { 200: shape.PredictionEventsAnswer },
  handle: async ({ events }: PredictionControls) => ({ events: events.listEvents().map(toEventAnswer) }),
});

const createPredictionEvent = defineAdminEndpoint({
  method: 'POST',
  path: EVENTS,
  summary: 'Create an event with its markets, which are traded at once',
  body: shape.PredictionEventBody,
  responses: { 200: shape.PredictionEventAnswer },
  handle: async ({ platform, admin, now }: PredictionControls, { body, actor }) => {
    const changes = makeChangesAs(platform, actor);
    return toEventAnswer(unwrapResult(await admin.createEvent(changes, toNewEvent(body, now()))));
  },
});

const cancelPredictionEvent = defineAdminEndpoint({
  method: 'POST',
  path: `${EVENTS}/:event/cancel`,
  summary: 'Cancel the open markets of an event: every stake is refunded',
  params: shape.PredictionEventParams,
  responses: { 200: shape.PredictionEventAnswer },
  handle: async ({ platform, admin }: PredictionControls, { params, actor }) =>
    toEventAnswer(unwrapResult(await admin.cancelEvent(makeChangesAs(platform, actor), params.event))),
});

const resolvePredictionMarket = defineAdminEndpoint({
  method: 'POST',
  path: '/admin/v1/prediction-markets/:market/resolve',
  summary: 'Resolve a market: trading ends, and the side that has won is paid',
  params: shape.PredictionMarketParams,
  body: shape.PredictionResultBody,
  responses: { 200: shape.PredictionEventAnswer },
  handle: async ({ platform, admin }: PredictionControls, { params, body, actor }) => {
    const changes = makeChangesAs(platform, actor);
    return toEventAnswer(unwrapResult(await admin.resolveMarket(changes, params.market, body.result)));
  },
});

const cancelPredictionMarket = defineAdminEndpoint({
  method: 'POST',
  path: `${EVENTS}/:event/markets/:market/cancel`,
  summary: 'Cancel one market of an event: every stake in it is refunded',
  params: shape.PredictionEventMarketParams,
  responses: { 200: shape.PredictionEventAnswer },
  handle: async ({ platform, events, admin }: PredictionControls, { params, actor }) => {
    const { event, market } = params;
    const found = events.findEvent(event)?.markets.some(({ marketId }) => marketId === market);
    if (found !== true) {
      throw new RequestInvalid(
        `there is no event ${formatForError(event)} with a market ${formatForError(market)}`,
        404,
      );
    }
    return toEventAnswer(unwrapResult(await admin.cancelMarket(makeChangesAs(platform, actor), market)));
  },
});

const postPredictionScore = defineAdminEndpoint({
  method: 'POST',
  path: `${EVENTS}/:event/score`,
  summary: 'Say how the game of an event stands. What is absent stays as it was',
  params: shape.PredictionEventParams,
  body: shape.PredictionScoreBody,
  responses: { 200: shape.PredictionScoreAnswer },
  handle: async ({ platform, admin }: PredictionControls, { params, body, actor }) => {
    const changes = makeChangesAs(platform, actor);
    const { eventId, score } = unwrapResult(await admin.postScore(changes, params.event, body));
    if (score === null) throw new Error(`event ${eventId} has no score after one was posted`);
    const { version: _version, ...facts } = score;
    return { eventId, ...facts };
  },
});

/** The events of prediction markets. The operator alone creates and decides them. */
export const PREDICTION_ENDPOINTS = [
  listPredictionEvents,
  createPredictionEvent,
  cancelPredictionEvent,
  resolvePredictionMarket,
  cancelPredictionMarket,
  postPredictionScore,
];

/** Micro-contracts of a hundredth of a contract are the step in which contracts are traded. */
const STEPS_PER_CONTRACT = Number(MICRO_PER_CONTRACT / CONTRACT_STEP);

/** @throws RequestInvalid when a time cannot be read, or the contracts are no multiple of the step */
function toNewEvent(body: Static<typeof shape.PredictionEventBody>, now: number): NewPredictionEvent {
  const { beginAt, closeAt, markets, ...texts } = body;
  return {
    ...texts,
    ...(beginAt === undefined ? {} : { beginAt: parseEventTime('beginAt', beginAt, now) }),
    closeAt: parseEventTime('closeAt', closeAt, now),
    markets: markets.map(({ openAt, closeAt: marketCloseAt, house, ...terms }, index) => ({
      // Without an id of its own, a market of an event with an id is numbered.
      ...(body.eventId === undefined ? {} : { marketId: `${body.eventId}-${index + 1}` }),
      ...terms,
      ...(openAt === undefined ? {} : { openAt: parseEventTime('openAt', openAt, now) }),
      ...(marketCloseAt === undefined ? {} : { closeAt: parseEventTime('closeAt', marketCloseAt, now) }),
      ...(house === undefined
        ? {}
        : {
            house: {
              startCents: house.startCents,
              levelContracts: parseContracts(house.contractsPerCent),
            },
          }),
    })),
  };
}

/** @throws RequestInvalid when the number has more than two decimals */
function parseContracts(contracts: number): bigint {
  const steps = Math.round(contracts * STEPS_PER_CONTRACT);
  if (steps / STEPS_PER_CONTRACT !== contracts) {
    throw new RequestInvalid(
      `contractsPerCent is ${formatForError(contracts)}, but must be a multiple of 0.01`,
    );
  }
  return BigInt(steps) * CONTRACT_STEP;
}

function toEventAnswer({ eventId, title, category, closeAt, markets }: PredictionEvent) {
  return {
    eventId,
    title,
    category,
    closeAt,
    markets: markets.map((market) => ({
      marketId: market.marketId,
      title: market.title,
      status: market.status,
      result: market.result,
      openAt: market.openAt,
      closeAt: market.closeAt,
      feeBps: market.feeBps,
      house: {
        startCents: market.house.startCents,
        contractsPerCent: Number(market.house.levelContracts / CONTRACT_STEP) / STEPS_PER_CONTRACT,
      },
    })),
  };
}
