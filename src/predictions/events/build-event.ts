import { sha256 } from '../../solana/encoding/sha256.ts';
import type { PredictionEvent, PredictionMarket } from '../prediction.ts';
import {
  DEFAULT_FEE_BPS,
  DEFAULT_HOUSE,
  type NewPredictionEvent,
  type NewPredictionMarket,
} from './event-terms.ts';

/** How the ids of events and markets begin that are drawn. */
const ID_PREFIX = 'POLY-';
const HASH_BYTES = 16;

export interface EventBuildOptions {
  /** The Unix second of the network. */
  readonly now: number;
  /** The genesis hash. The same market has another hash on another network. */
  readonly network: string;
  /** Draws the number of an id, which nobody has yet. */
  readonly drawNumber: () => number;
}

/** Builds an event that `findEventFault` has found to be without a fault. */
export function buildPredictionEvent(asked: NewPredictionEvent, options: EventBuildOptions): PredictionEvent {
  const { now, drawNumber } = options;
  const eventId = asked.eventId ?? `${ID_PREFIX}${drawNumber()}`;
  const { title } = asked;
  return {
    eventId,
    title,
    subtitle: asked.subtitle ?? '',
    slug: asked.slug ?? toSlug(title),
    series: asked.series ?? '',
    category: asked.category,
    subcategory: asked.subcategory ?? '',
    tags: asked.tags ?? [],
    imageUrl: asked.imageUrl ?? null,
    beginAt: asked.beginAt ?? null,
    closeAt: asked.closeAt,
    closeCondition: asked.closeCondition ?? '',
    createdAt: now,
    markets: asked.markets.map((market) =>
      buildMarket(market, { ...options, eventId, closeAt: asked.closeAt }),
    ),
    score: null,
  };
}

function buildMarket(
  asked: NewPredictionMarket,
  {
    now,
    network,
    drawNumber,
    eventId,
    closeAt,
  }: EventBuildOptions & Pick<PredictionEvent, 'eventId' | 'closeAt'>,
): PredictionMarket {
  const marketId = asked.marketId ?? `${ID_PREFIX}${drawNumber()}`;
  return {
    marketId,
    eventId,
    marketIdHash: deriveMarketIdHash(network, marketId),
    title: asked.title,
    rulesPrimary: asked.rulesPrimary ?? '',
    rulesSecondary: asked.rulesSecondary ?? '',
    openAt: asked.openAt ?? now,
    closeAt: asked.closeAt ?? closeAt,
    status: 'open',
    result: null,
    resolvedAt: null,
    feeBps: asked.feeBps ?? DEFAULT_FEE_BPS,
    house: asked.house ?? DEFAULT_HOUSE,
    forecast: null,
  };
}

/** Derives the 32 hex characters by which the program names a market. */
function deriveMarketIdHash(network: string, marketId: string): string {
  const digest = sha256(Buffer.from(`prediction market ${marketId} of ${network}`));
  return Buffer.from(digest.subarray(0, HASH_BYTES)).toString('hex');
}

function toSlug(title: string): string {
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'event' : slug;
}
