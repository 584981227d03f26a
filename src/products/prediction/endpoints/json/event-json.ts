import type { PredictionEventLists, TradedVolume } from '../../../../predictions/lists/prediction-lists.ts';
import type {
  PredictionEvent,
  PredictionExchange,
  PredictionMarket,
  PredictionMarketStatus,
} from '../../../../predictions/prediction.ts';
import { toIsoTime, toNumberOrNull } from './amount-forms.ts';
import { toKindForms } from './market-kind.ts';
import type { EventMetadataForm, PredictionEventForm, PredictionMarketForm } from './event-schema.ts';
import { toScoreJson } from './score-json.ts';

/** What the JSON of events is made from. */
export interface EventJsonSources {
  readonly exchange: Pick<PredictionExchange, 'getPrices'>;
  readonly lists: Pick<PredictionEventLists, 'volumeOfEvent' | 'volumeOfMarket'>;
}

/** Returns the status of a market at a time. One that nobody has closed is closed from its closing time on. */
export function getStatusAt(
  { status, closeAt }: Pick<PredictionMarket, 'status' | 'closeAt'>,
  now: number,
): PredictionMarketStatus {
  return status === 'open' && now >= closeAt ? 'closed' : status;
}

/** Whether the subject of an event has begun, and it is not closed. */
function isLiveAt({ beginAt, closeAt }: PredictionEvent, now: number): boolean {
  return beginAt !== null && beginAt <= now && now < closeAt;
}

/** Writes what an event is about. */
export function toEventMetadata(event: PredictionEvent, now: number): EventMetadataForm {
  return {
    eventId: event.eventId,
    title: event.title,
    subtitle: event.subtitle,
    slug: event.slug,
    series: event.series,
    closeTime: toIsoTime(event.closeAt),
    imageUrl: event.imageUrl ?? '',
    isLive: isLiveAt(event, now),
  };
}

/** Writes a market. */
export function toMarketJson(
  { exchange, lists }: EventJsonSources,
  { imageUrl }: Pick<PredictionEvent, 'imageUrl'>,
  market: PredictionMarket,
  now: number,
): PredictionMarketForm {
  const { marketId, resolvedAt } = market;
  const prices = exchange.getPrices(marketId);
  const status = getStatusAt(market, now);
  const isTradable = prices !== null && status === 'open' && now >= market.openAt;
  return {
    marketId,
    eventId: market.eventId,
    title: market.title,
    status,
    result: market.result,
    openTime: market.openAt,
    closeTime: market.closeAt,
    resolveAt: resolvedAt === null ? null : toIsoTime(resolvedAt),
    imageUrl,
    rulesPrimary: market.rulesPrimary,
    rulesSecondary: market.rulesSecondary,
    outcomes: ['Yes', 'No'],
    clobTokenIds: [],
    isTeamMarket: false,
    team: null,
    sportsLine: null,
    sportsMarketType: null,
    ...toKindForms(market, now),
    tradable: isTradable,
    pricing: {
      buyYesPriceUsd: toNumberOrNull(prices?.buyYes ?? null),
      buyNoPriceUsd: toNumberOrNull(prices?.buyNo ?? null),
      sellYesPriceUsd: toNumberOrNull(prices?.sellYes ?? null),
      sellNoPriceUsd: toNumberOrNull(prices?.sellNo ?? null),
      volume: Number(lists.volumeOfMarket(marketId).total),
    },
    metadata: {
      title: market.title,
      status,
      isTradable,
      openTime: market.openAt,
      closeTime: market.closeAt,
      rulesPrimary: market.rulesPrimary,
      rulesSecondary: market.rulesSecondary,
    },
  };
}

/** Writes an event, with its markets if they are wanted. */
export function toEventJson(
  sources: EventJsonSources,
  event: PredictionEvent,
  {
    now,
    volume,
    hasMarkets,
  }: { readonly now: number; readonly volume: TradedVolume; readonly hasMarkets: boolean },
): PredictionEventForm {
  const { eventId, markets, beginAt } = event;
  const written = hasMarkets
    ? { markets: markets.map((market) => toMarketJson(sources, event, market, now)) }
    : {};
  return {
    eventId,
    isActive: markets.some((market) => getStatusAt(market, now) === 'open'),
    isLive: isLiveAt(event, now),
    category: event.category,
    subcategory: event.subcategory,
    tags: [...event.tags],
    metadata: toEventMetadata(event, now),
    ...written,
    volumeUsd: String(volume.total),
    volume24hr: String(volume.day),
    liveScore: toScoreJson(event),
    closeCondition: event.closeCondition,
    beginAt: beginAt === null ? null : String(beginAt),
    rulesPdf: '',
  };
}
