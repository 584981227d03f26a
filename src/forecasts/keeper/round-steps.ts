import {
  FORECAST_CLOSING_SECONDS,
  FORECAST_VOID_AFTER_SECONDS,
} from '../../protocols/bisonfi-forecast/forecast-program.ts';
import type { PriceFeed } from '../../solana/programs/price-feed/feed.ts';
import type { ForecastRound } from '../forecast.ts';

/** A round is opened only while its tokens can still be traded for so long. In seconds. */
export const MIN_TRADING_SECONDS = 60;
/** The accounts of a round stay so long after its result, so that holders see how it ended. In seconds. */
export const SHOWN_SECONDS = 600;
/** A price is too old to open a round after so many seconds. */
export const MAX_PRICE_AGE_SECONDS = 60;
/** The confidence interval of a price may be one part in so many of it. */
const CONFIDENCE_SHARE = 50n;

/** The parts of a price that decide whether it may be used. */
export type JudgedPrice = Pick<
  PriceFeed,
  'price' | 'confidence' | 'exponent' | 'publishTime' | 'previousPublishTime'
>;

/**
 * What a round needs now. `trades`: it is not over yet. `waits`: it is over, and the price that decides it is not there yet.
 * `settle` and `void`: a transaction gives it its result. `ended`: it has one.
 */
export type RoundStep = 'trades' | 'waits' | 'settle' | 'void' | 'ended';

/**
 * Returns what a round needs now.
 *
 * @param price - The price that its feed has now; null if the feed cannot be read.
 * @param now - The chain's time, in Unix seconds.
 */
export function findRoundStep(
  round: Pick<ForecastRound, 'closeAt' | 'exponent' | 'outcome'>,
  price: JudgedPrice | null,
  now: number,
): RoundStep {
  const { closeAt, exponent, outcome } = round;
  if (outcome !== null) return 'ended';
  if (now < closeAt) return 'trades';
  if (now >= closeAt + FORECAST_VOID_AFTER_SECONDS) return 'void';
  const isDecided = price !== null && isFirstPrice(price, closeAt) && isCertainPrice(price, exponent, now);
  return isDecided ? 'settle' : 'waits';
}

/** Whether a price is the first one that was published at a time or after it. */
function isFirstPrice({ publishTime, previousPublishTime }: JudgedPrice, time: number): boolean {
  return previousPublishTime < BigInt(time) && BigInt(time) <= publishTime;
}

/**
 * Whether the program accepts a price, whatever its age.
 *
 * @param exponent - That of the round, which the price has to have too; null if there is no round yet.
 */
function isCertainPrice(
  { price, confidence, exponent: given, publishTime }: JudgedPrice,
  exponent: number | null,
  now: number,
): boolean {
  return (
    price > 0n &&
    publishTime <= BigInt(now) &&
    confidence * CONFIDENCE_SHARE <= price &&
    (exponent === null || given === exponent)
  );
}

/** Whether a round can be opened at a price. */
export function mayOpenAt(price: JudgedPrice, now: number): boolean {
  const age = BigInt(now) - price.publishTime;
  return isCertainPrice(price, null, now) && age <= BigInt(MAX_PRICE_AGE_SECONDS);
}

/** Rounds of one length on one feed, which begin one after another. */
export interface RoundGrid {
  /** How long each lasts. */
  readonly seconds: number;
}

/** Returns when the current round of a grid has begun, in Unix seconds. */
export function findCellStart({ seconds }: RoundGrid, now: number): number {
  return now - (now % seconds);
}

/**
 * Returns when the round begins that is to be opened now; null if none is.
 *
 * @param isKnown - Whether the round of the grid that begins at a time exists.
 */
export function findOpening(
  grid: RoundGrid,
  isKnown: (openAt: number) => boolean,
  now: number,
): number | null {
  const openAt = findCellStart(grid, now);
  const lastTrade = openAt + grid.seconds - FORECAST_CLOSING_SECONDS;
  return lastTrade - now >= MIN_TRADING_SECONDS && !isKnown(openAt) ? openAt : null;
}

/**
 * Returns what a token account is paid after the result, in micro USD.
 *
 * @param amount - The millionths of a token that it holds.
 */
export function computePayout(
  outcome: NonNullable<ForecastRound['outcome']>,
  side: 'up' | 'down',
  amount: bigint,
): bigint {
  if (outcome === 'void') return amount / 2n;
  return outcome === side ? amount : 0n;
}
