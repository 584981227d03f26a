import type { ForecastSideTerms, PredictionEvent, PredictionMarket } from '../../predictions/prediction.ts';
import type { ForecastRound, ForecastSide } from '../forecast.ts';
import { deriveForecastHash, toForecastEventId, toForecastMarketId } from './forecast-ids.ts';
import {
  describeForecast,
  describeForecastClose,
  describeForecastDay,
  describeForecastSide,
  describeForecastSource,
} from './forecast-texts.ts';

/** A round as its events describe it, whether or not the chain still has it. */
export type ForecastRoundFacts = Omit<ForecastRound, 'up' | 'down'> & {
  readonly [side in ForecastSide]: Pick<ForecastRound['up'], 'mint' | 'pool'>;
};

/** How far a round is. */
export type ForecastLifecycle = ForecastSideTerms['lifecycle'];

const SECONDS_PER_MINUTE = 60;

/** Returns how far a round is in a Unix second: it resolves from its close until it has a result. */
export function toForecastLifecycle(
  { outcome, closeAt }: Pick<ForecastRound, 'outcome' | 'closeAt'>,
  now: number,
): ForecastLifecycle {
  if (outcome !== null) return 'settled';
  return now < closeAt ? 'open' : 'resolving';
}

/** Returns a round as an event with two markets, in each of which yes means that its side wins. */
export function toForecastEvent(round: ForecastRoundFacts, lifecycle: ForecastLifecycle): PredictionEvent {
  const { address, asset, seconds, openAt, closeAt } = round;
  const length = `${seconds / SECONDS_PER_MINUTE}m`;
  const ticker = asset.toLowerCase();
  const series = `${ticker}-up-or-down-${length}`;
  return {
    eventId: toForecastEventId(address),
    title: describeForecast(round),
    subtitle: describeForecastDay(openAt),
    slug: `${series}-${openAt}`,
    series,
    category: 'crypto',
    subcategory: ticker,
    tags: [ticker, length, 'up-or-down'],
    imageUrl: null,
    beginAt: openAt,
    closeAt,
    closeCondition: describeForecastClose(round),
    createdAt: openAt,
    score: null,
    markets: [toMarket(round, 'up', lifecycle), toMarket(round, 'down', lifecycle)],
  };
}

function toMarket(
  round: ForecastRoundFacts,
  side: ForecastSide,
  lifecycle: ForecastLifecycle,
): PredictionMarket {
  const { address, openAt, closeAt, outcome, settledAt } = round;
  const marketId = toForecastMarketId(address, side);
  const { mint, pool } = round[side];
  return {
    marketId,
    eventId: toForecastEventId(address),
    marketIdHash: deriveForecastHash(marketId),
    title: side === 'up' ? 'Up' : 'Down',
    rulesPrimary: describeForecastSide(round, side),
    rulesSecondary: describeForecastSource(round),
    openAt,
    closeAt,
    status: outcome === 'void' ? 'cancelled' : lifecycle === 'open' ? 'open' : 'closed',
    result: outcome === null || outcome === 'void' ? null : outcome === side ? 'yes' : 'no',
    resolvedAt: outcome === null ? null : settledAt,
    feeBps: 0,
    // The program of the round sells and buys. It shows no book.
    house: { startCents: 50, levelContracts: 0n },
    forecast: { round: address, side, outcomeMint: mint, pool, lifecycle },
  };
}
