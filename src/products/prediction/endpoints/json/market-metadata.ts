import { type Static, Type } from 'typebox';
import type {
  PredictionEvent,
  PredictionEvents,
  PredictionMarket,
} from '../../../../predictions/prediction.ts';
import { named } from '../../../named-schema.ts';
import { toIsoTime } from './amount-forms.ts';
import { getStatusAt, toEventMetadata } from './event-json.ts';
import { EventMetadataJson } from './event-schema.ts';
import { getProvider, listOptions, MARKET_OPTIONS, ORDER_PROVIDER } from './market-kind.ts';

/** What a market is about, as orders, positions and the history have it. */
export const MarketMetadataJson = named(
  'PredictionMarketMetadata',
  Type.Object({
    marketId: Type.String(),
    eventId: Type.String(),
    title: Type.String(),
    subtitle: Type.String(),
    description: Type.String(),
    provider: Type.String(),
    status: Type.String({ description: '`open`, `closed` or `cancelled`.' }),
    result: Type.Union([Type.String(), Type.Null()], { description: '`yes` or `no`; null before.' }),
    closeTime: Type.Integer({ description: 'Unix seconds.' }),
    openTime: Type.Integer({ description: 'Unix seconds.' }),
    isTeamMarket: Type.Boolean(),
    team: Type.Null(),
    sportsLine: Type.Null(),
    marketOptions: Type.Array(Type.Object({ label: Type.String(), buyYes: Type.Boolean() })),
    rulesPrimary: Type.String(),
    rulesSecondary: Type.String(),
  }),
);

/** What an event is about, with what positions show of it beside. */
export const PositionEventJson = named(
  'PredictionPositionEvent',
  Type.Object({
    ...EventMetadataJson.properties,
    isActive: Type.Boolean(),
    beginAt: Type.Union([Type.String(), Type.Null()], { description: 'Unix seconds, as text.' }),
    closeCondition: Type.String(),
    tags: Type.Array(Type.String()),
  }),
);

/** The event and the market of an order, a position or an event of the history. */
export interface SubjectForms {
  readonly marketId: string;
  readonly eventId: string;
  readonly eventMetadata: Static<typeof PositionEventJson>;
  readonly marketMetadata: Static<typeof MarketMetadataJson>;
}

/** Writes what a market is about. */
export function toSubject(event: PredictionEvent, market: PredictionMarket, now: number): SubjectForms {
  const { eventId, beginAt, markets, closeCondition, tags } = event;
  return {
    marketId: market.marketId,
    eventId,
    eventMetadata: {
      ...toEventMetadata(event, now),
      isActive: markets.some((each) => getStatusAt(each, now) === 'open'),
      beginAt: beginAt === null ? null : String(beginAt),
      closeCondition,
      tags: [...tags],
    },
    marketMetadata: {
      marketId: market.marketId,
      eventId,
      title: market.title,
      subtitle: '',
      description: '',
      provider: getProvider(market),
      status: getStatusAt(market, now),
      result: market.result,
      closeTime: market.closeAt,
      openTime: market.openAt,
      isTeamMarket: false,
      team: null,
      sportsLine: null,
      marketOptions: listOptions(market),
      rulesPrimary: market.rulesPrimary,
      rulesSecondary: market.rulesSecondary,
    },
  };
}

/** Returns a function that finds what the markets of orders and events are about; null for one that is not known here. */
export function createSubjectFinder(
  { findMarketByHash, findEvent }: Pick<PredictionEvents, 'findMarketByHash' | 'findEvent'>,
  now: number,
): (marketIdHash: string) => SubjectForms | null {
  const known = new Map<string, SubjectForms | null>();
  return (marketIdHash) => {
    const before = known.get(marketIdHash);
    if (before !== undefined) return before;
    const market = findMarketByHash(marketIdHash);
    const event = market === null ? null : findEvent(market.eventId);
    const subject = market === null || event === null ? null : toSubject(event, market, now);
    known.set(marketIdHash, subject);
    return subject;
  };
}

/** Writes a market that is not known here any more. Clients read its title and its times. */
export function toUnknownSubject(marketIdHash: string): SubjectForms {
  return {
    marketId: marketIdHash,
    eventId: '',
    eventMetadata: {
      eventId: '',
      title: '',
      subtitle: '',
      slug: '',
      series: '',
      closeTime: toIsoTime(0),
      imageUrl: '',
      isLive: false,
      isActive: false,
      beginAt: null,
      closeCondition: '',
      tags: [],
    },
    marketMetadata: {
      marketId: marketIdHash,
      eventId: '',
      title: '',
      subtitle: '',
      description: '',
      provider: ORDER_PROVIDER,
      status: 'closed',
      result: null,
      closeTime: 0,
      openTime: 0,
      isTeamMarket: false,
      team: null,
      sportsLine: null,
      marketOptions: MARKET_OPTIONS,
      rulesPrimary: '',
      rulesSecondary: '',
    },
  };
}
